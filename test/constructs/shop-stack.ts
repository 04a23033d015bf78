import { TerraformStack, TerraformVariable } from 'cdktf'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import {
  AddTags,
  EventDefinition,
  enforce,
  Flag,
  FlagSet,
  MaxRollout,
  NamePattern,
  NoReleaseToEveryone,
  Plugin,
  ProtectActive,
  RequireOwnerTag,
  Role,
  Variants,
  When,
} from '../../src/constructs/own-constructs.ts'
import { anApp } from './a-stack.ts'

/** A stack with some of everything, for whichever engine `cdktf` is. */
export function shopStack(): TerraformStack {
  const app = anApp()
  const stack = new TerraformStack(app, 'shop')
  new VexilProvider(stack, 'vexil', { projectId: '1' })
  const greeting = new TerraformVariable(stack, 'greeting', { type: 'string', default: 'hi' })
  const share = new TerraformVariable(stack, 'share', { type: 'number', default: 5 })
  const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')
  const staff = When.person('email').contains('@example.com')

  const checkout = new Flag(stack, 'Checkout', {
    key: 'checkout_v2',
    name: 'New checkout',
    active: true,
    variants: Variants.of({ control: 90, bold: { share: 10, name: 'Bold headline' } }),
    payloads: { bold: { text: `\${name}, ${greeting.stringValue}`, steps: share.numberValue } },
    release: [
      staff.serve('bold'),
      When.person('country').is('DE', 'AT').and(When.cohort(1)).at(12.5),
      When.everyone().at(share.numberValue),
    ],
    editors: [support],
  })
  const flags = FlagSet.of(
    stack,
    {
      search: {
        active: true,
        release: [When.person('look').is(checkout.id).because('they know the new look')],
        payload: [1, 2],
      },
      'nav-v3': { active: false, release: [], groupTypeIndex: 0 },
    },
    { tags: ['team-shop'], ensureExperienceContinuity: true },
  )
  flags.search.grants.edit(support)
  Flag.fromKey(stack, 'Legacy', 'legacy_nav').grants.edit(support)
  new FeatureFlag(stack, 'generated', { key: 'generated', active: true, release: [{ rolloutPercentage: 3 }] })
  new Plugin(stack, 'Geo', {
    name: 'geo',
    pluginType: 'source',
    source: { 'index.ts': 'export const say = (name: string) => `%{x} ${name}`\n' },
    configSchema: [{ key: 'city', default: '${none}' }],
  })
  EventDefinition.named(stack, 'purchase completed').tag('billing').postToChat()
  EventDefinition.named(stack, 'purchase completed').tag('core', 'billing')

  enforce(
    app,
    new AddTags(['team-pay'], { except: ['generated'] }),
    new RequireOwnerTag({ except: ['generated'] }),
    new NamePattern({ flags: /^[a-z][a-z0-9_-]*$/ }),
    new MaxRollout({ shop: 25 }, { everyoneOnly: true }),
    new NoReleaseToEveryone(),
    new ProtectActive(),
  )
  return stack
}
