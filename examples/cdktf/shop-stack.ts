import { TerraformOutput, TerraformStack } from 'cdktn'
import type { Construct } from 'constructs'
import { EventDefinition, Flag, FlagSet, VexilProvider, When } from 'vexil/cdktn'
import { staff } from './audiences.ts'
import { Checkout } from './checkout.ts'
import { type Environment, organization } from './environments.ts'
import { growth, support } from './roles.ts'

/** What the shop has in one environment. */
export class ShopStack extends TerraformStack {
  public constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id)
    new VexilProvider(this, 'vexil', { projectId: environment.project, organizationId: organization })

    const { flag } = new Checkout(this, 'Checkout', environment)

    const flags = FlagSet.of(
      this,
      {
        fast_search: {
          name: 'Search that answers while you type',
          active: true,
          release: [staff, When.everyone().at(10)],
        },
        wish_list: {
          name: 'Wish list',
          active: true,
          release: [When.everyone().at(50)],
          payload: { most: 40 },
        },
        // Off means off: the release stays as it is, for when it comes back.
        gift_message: { name: 'A message with a gift', active: false, release: [When.everyone().at(20)] },
      },
      { tags: ['team-growth'] },
    )
    flags.wish_list.grants.edit(support)
    EventDefinition.named(this, 'signed_up').tag('team-growth')

    // Made by hand in the product and left to those who made it; only who may edit it is ours.
    if (id === 'production') Flag.fromKey(this, 'GiftWrapping', 'gift-wrapping').grants.edit(growth)

    new TerraformOutput(this, 'checkout_id', { value: flag.id })
  }
}
