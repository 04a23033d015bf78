import { Construct } from 'constructs'
import { EventDefinition, Flag, Variants, When } from 'vexil/cdktn'
import { firstCountries, staff } from './audiences.ts'
import type { Environment } from './environments.ts'
import { ada, grace } from './persons.ts'
import { growth, support } from './roles.ts'

/** Team Checkout: the new checkout in two forms, and the event that says whether it works. */
export class Checkout extends Construct {
  public readonly flag: Flag

  public constructor(scope: Construct, id: string, { share }: Environment) {
    super(scope, id)
    const ours = staff.serve('one_page')
    this.flag = new Flag(this, 'Flow', {
      key: 'checkout_v2',
      name: 'New checkout, one page instead of four',
      active: true,
      variants: Variants.even('one_page', 'two_pages'),
      payloads: { one_page: { steps: 1 }, two_pages: { steps: 2 } },
      release: [ours, firstCountries.at(share), When.everyone().at(5)],
      tags: ['team-checkout'],
      editors: [support, growth],
      tests: [
        { person: ada, expect: { value: 'one_page', payload: { steps: 1 } }, because: ours },
        { person: grace, expect: false, because: 'out_of_rollout_bound' },
      ],
    })
    EventDefinition.named(this, 'checkout_paid').tag('team-checkout', 'payments')
  }
}
