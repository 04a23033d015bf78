import {
  App,
  Fn,
  Op,
  TerraformCount,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Token,
} from 'cdktf'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import {
  EventDefinition,
  Flag,
  FlagSet,
  Plugin,
  Role,
  Variants,
  When,
} from '../../src/constructs/own-constructs.ts'
import { emptyWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { growthRole, supportRole } from '../acceptance/support/configurations.ts'
import { declareLaterFlags } from './later-flags.ts'

export const defaultTags = ['iac']

/** A stack with some of everything that both Terraform and Vexil can apply. */
export function writeWholeStack(outdir: string): void {
  const app = new App({ outdir, skipValidation: true })
  const stack = new TerraformStack(app, 'whole')
  new VexilProvider(stack, 'vexil', { defaultTags })
  const share = new TerraformVariable(stack, 'share', { type: 'number', default: 5 })
  const countries = new TerraformVariable(stack, 'countries', { type: 'list(string)', default: ['DE', 'AT'] })
  const isLive = new TerraformLocal(stack, 'is_live', Op.gt(share.numberValue, 1))
  const support = Role.fromId(supportRole, 'support')

  const checkout = new Flag(stack, 'Checkout', {
    key: 'checkout',
    name: 'A new "checkout" for ${everybody}',
    active: true,
    variants: Variants.of({ control: 66.6, bold: { share: 33.4, name: 'Bold' } }),
    payloads: { bold: { text: '${name} & <b>', steps: share.numberValue } },
    release: [
      When.person('email').contains('@example.com').serve('bold'),
      When.person('country').is('DE', 'AT').at(12.5),
      When.everyone().at(share.numberValue),
    ],
    tags: ['shop'],
    editors: [support],
    protect: true,
  })
  const set = FlagSet.of(stack, {
    search: { active: true, release: [When.everyone().at(10)], payload: [1, 'ä', null] },
    dark: { active: false, release: [] },
  })
  set.search.grants.edit(Role.fromId(growthRole, 'growth'))
  Flag.fromKey(stack, 'Legacy', 'legacy_nav').grants.edit(support)

  const regions = TerraformIterator.fromMap({
    north: { share: 3, label: 'North' },
    south: { share: 99, label: 'South' },
  })
  const regional = new FeatureFlag(stack, 'regional', {
    forEach: regions,
    key: `region-${regions.key}`,
    name: Fn.upper(regions.getString('label')),
    active: isLive.expression,
    release: [
      {
        rolloutPercentage: regions.getNumber('share'),
        properties: [{ key: 'country', values: countries.listValue }],
      },
    ],
    tags: Fn.concat([['region'], [regions.key]]),
  })
  const eachRegional = TerraformIterator.fromResources(regional)
  new FeatureFlagRoleAccess(stack, 'regional_grants', {
    forEach: eachRegional,
    featureFlagId: eachRegional.getString('id'),
    roleId: supportRole,
  })
  const count = TerraformCount.of(2)
  new FeatureFlag(stack, 'counted', {
    count,
    key: Fn.format('step-%02d', [count.index]),
    active: false,
    filters: '${jsonencode({ groups = [{ properties = [], rollout_percentage = count.index * 50 }] })}',
  })
  new FeatureFlag(stack, 'computed', {
    key: Fn.join('_', [Fn.lower('After'), checkout.key]),
    name: Token.asString(Fn.conditional(Op.eq(Fn.lengthOf(countries.listValue), 2), 'two', 'other')),
    active: true,
    release: [{ rolloutPercentage: Token.asNumber(Fn.floor(Op.div(100, 3))) }],
    ensureExperienceContinuity: true,
  })
  new FeatureFlag(stack, 'taken_over', {
    key: 'by_hand',
    name: 'Taken over',
    lifecycle: { ignoreChanges: ['active'] },
    active: true,
  }).importFrom('by_hand')
  new Plugin(stack, 'Geo', {
    name: 'geo',
    pluginType: 'source',
    description: 'Adds the country',
    configSchema: [{ key: 'city', default: '${none}' }],
    source: { 'index.ts': 'export const say = (name: string) => `%{x} ${name}`\n', 'README.md': '' },
  })
  EventDefinition.named(stack, 'order paid').tag('billing').postToChat()
  declareLaterFlags(stack)
  new TerraformOutput(stack, 'id', { value: checkout.id })
  app.synth()
}

/** What is there before: an event that was seen, a flag of others, and one that somebody made by hand. */
export const before: WorldFile = {
  ...emptyWorld,
  organizations: emptyWorld.organizations.map(organization => ({
    ...organization,
    projects: [
      {
        id: 1,
        name: 'Production',
        event_definitions: [{ name: 'order paid', tags: ['old'] }],
        feature_flags: [
          { key: 'legacy_nav', filters: { groups: [] }, tags: ['theirs'] },
          { key: 'by_hand', active: false, filters: { groups: [{ rollout_percentage: 1 }] }, tags: ['mine'] },
        ],
      },
    ],
  })),
}
