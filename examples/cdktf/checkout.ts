import { Construct } from 'constructs'
import { EventDefinition, Flag, Variants, When } from 'vexil/cdktn'
import { firstCountries, staff } from './audiences.ts'
import type { Environment } from './environments.ts'
import { growth, support } from './roles.ts'

/** Team Checkout: the new checkout in two forms, and the event that says whether it works. */
export class Checkout extends Construct {
  public readonly flag: Flag

  public constructor(scope: Construct, id: string, { share }: Environment) {
    super(scope, id)
    this.flag = new Flag(this, 'Flow', {
      key: 'checkout_v2',
      name: 'New checkout, one page instead of four',
      active: true,
      variants: Variants.even('one_page', 'two_pages'),
      payloads: { one_page: { steps: 1 }, two_pages: { steps: 2 } },
      release: [staff.serve('one_page'), firstCountries.at(share), When.everyone().at(5)],
      tags: ['team-checkout'],
      editors: [support, growth],
    })
    EventDefinition.named(this, 'checkout_paid').tag('team-checkout', 'payments')
  }
}
