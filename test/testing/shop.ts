import { type App, TerraformStack } from 'cdktf'
import { EventDefinition, Flag, FlagSet, Role, VexilProvider, When } from '../../src/constructs/index.ts'
import { anApp } from '../constructs/a-stack.ts'

export const growth = Role.fromId('01900000-0000-0000-0000-0000000000dd', 'growth team')

/** Text that an engine would take for a reference. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it is about.
export const templated = 'Costs ${amount}'

/** A stack as people write them, meant for a project that no sandbox has. */
export function aShop(app: App = anApp(), name = 'shop'): TerraformStack {
  const stack = new TerraformStack(app, name)
  new VexilProvider(stack, 'vexil', {
    projectId: '7',
    organizationId: '01900000-0000-0000-0000-0000000000ee',
  })
  const checkout = new Flag(stack, 'Checkout', {
    key: 'checkout_v2',
    name: templated,
    active: true,
    release: [When.person('country').is('DE').at(25)],
    tags: ['team-checkout'],
  })
  checkout.grants.edit(growth)
  return stack
}

/** One flag that is on for everybody. */
export function aSmallStack(app: App = anApp(), name = 'small'): TerraformStack {
  const stack = new TerraformStack(app, name)
  FlagSet.of(stack, { dark_mode: { active: true, release: [When.everyone().at(100)] } })
  return stack
}

export function anEventStack(): TerraformStack {
  const stack = new TerraformStack(anApp(), 'events')
  EventDefinition.named(stack, 'paid').tag('payments')
  return stack
}
