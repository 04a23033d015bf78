import { describe, expect, it } from 'vitest'
import { EventDefinition } from '../../src/constructs/generated/event-definition/index.ts'
import { FeatureFlag, type FeatureFlagConfig } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { Plugin } from '../../src/constructs/generated/plugin/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { supportRole } from '../support/builders.ts'
import { load, problemsOf } from './load.ts'

type Stack = ConstructorParameters<typeof FeatureFlag>[0]
const off = { active: false }
const flag = (config: Partial<FeatureFlagConfig>) => (stack: Stack) => {
  new FeatureFlag(stack, 'f', { key: 'flag', active: true, ...config })
}
const everyone = [{ rolloutPercentage: 5 }]

describe('a problem in what is declared', () => {
  it.each<[string, (stack: Stack) => void, string[]]>([
    [
      'an empty key',
      flag({ key: ' ', ...off }),
      ['vexil_feature_flag.f.key: it is empty; What code asks for. Unique in a project, case-sensitive.'],
    ],
    [
      'a long key',
      flag({ key: 'k'.repeat(401), ...off }),
      ['vexil_feature_flag.f.key: it has 401 characters; the service takes 400 at most'],
    ],
    [
      'a plugin that its own file calls otherwise',
      stack => {
        const source = { 'plugin.json': '{"name": "x"}' }
        new Plugin(stack, 'p', { name: 'geo', pluginType: 'source', source })
      },
      [
        'warning: vexil_plugin.p.name: it is not the "name" of plugin.json, "x"; the service takes that of the file: say the same in both; a plan takes this only where it is live already',
      ],
    ],
    [
      'a condition that is null, which is none that everybody meets',
      flag({ release: ['${null}'] as never }),
      ['vexil_feature_flag.f.release[0]: a condition must be an object'],
    ],
    [
      'a percentage that is null where one was to be worked out: as Terraform has it, that is all of them',
      flag({ release: [{ rolloutPercentage: '${tonumber(null)}' as never }] }),
      [
        'warning: vexil_feature_flag.f.release[0]: condition 1 says nothing of who meets it, so everybody does; is all that limits it null? where everybody is meant, give it a share of 100',
      ],
    ],
    ['an empty tag', flag({ tags: [' '], ...off }), ['vexil_feature_flag.f.tags: an element is empty']],
    [
      'a long tag',
      flag({ tags: ['x'.repeat(256)], ...off }),
      ['vexil_feature_flag.f.tags: an element is too long; the service takes 255 characters at most'],
    ],
    [
      'a share over a hundred',
      flag({ release: [{ rolloutPercentage: 101 }] }),
      [
        'warning: vexil_feature_flag.f.release[0].rollout_percentage: 101 is not a percentage; it goes from 0 to 100; a plan takes this only where it is live already',
      ],
    ],
    [
      'a variant that is not there',
      flag({ release: [{ variant: 'c' }], variants: [{ key: 'a', rolloutPercentage: 100 }] }),
      [
        'warning: vexil_feature_flag.f.release[0].variant: "c" is not a variant of this flag; the variants are "a"; a plan takes this only where it is live already',
      ],
    ],
    [
      'shares that do not add up',
      flag({ release: everyone, variants: [{ key: 'a', rolloutPercentage: 90 }] }),
      [
        'warning: vexil_feature_flag.f.variants: the variants add up to 90%; they must add up to 100%; a plan takes this only where it is live already',
      ],
    ],
    [
      'payloads that are no JSON',
      flag({
        release: everyone,
        variants: [
          { key: 'a', rolloutPercentage: 50 },
          { key: 'b', rolloutPercentage: 50, payload: '{"open"' },
        ],
        payload: '{',
      }),
      [
        'warning: vexil_feature_flag.f.payload: there is a payload for "true", which is no variant; the variants are "a", "b"; a plan takes this only where it is live already',
        'warning: vexil_feature_flag.f.payload: the payload of "true" is not JSON; mend it, or write it as a value; a plan takes this only where it is live already',
        'warning: vexil_feature_flag.f.variants[1].payload: the payload of "b" is not JSON; mend it, or write it as a value; a plan takes this only where it is live already',
      ],
    ],
    [
      'a payload that is words',
      flag({ release: everyone, payload: 'hello' }),
      [
        'warning: vexil_feature_flag.f.payload: the payload of "true" is not JSON and is sent as a JSON string; put it in JSON quotes to say so',
      ],
    ],
    [
      'one value and several',
      flag({ release: [{ properties: [{ key: 'x', value: 'a', values: ['b'] }] }] }),
      ['vexil_feature_flag.f.release[0]: the property "x" has value and values; give one of them'],
    ],
    [
      'two ways of saying it',
      flag({ release: everyone, filters: '{"groups": []}' }),
      ['vexil_feature_flag.f.release: `filters` is given too; give `filters`, or the typed attributes'],
    ],
    [
      'a share beside conditions',
      flag({ release: everyone, rolloutPercentage: 5 }),
      [
        'vexil_feature_flag.f.release: `rollout_percentage` is given too; give `release` or `rollout_percentage`',
      ],
    ],
    [
      'a share that is none',
      flag({ rolloutPercentage: 101 }),
      [
        'warning: vexil_feature_flag.f.rollout_percentage: 101 is not a percentage; it goes from 0 to 100; a plan takes this only where it is live already',
      ],
    ],
    [
      'filters that are no JSON',
      flag({ filters: '{groups}' }),
      [expect.stringMatching(/^vexil_feature_flag\.f\.filters: it is not JSON: /) as string],
    ],
    [
      'filters that are no object',
      flag({ filters: '[1]' }),
      ['vexil_feature_flag.f.filters: it must be object'],
    ],
    [
      'a number that nobody can hold',
      flag({ filters: '{"groups": [{"properties": [{"key": "x", "value": 1e99999999999999999}]}]}' }),
      [
        'vexil_feature_flag.f.filters: the exponent of the number 1e99999999999999999 is out of range; write it as text',
      ],
    ],
    [
      'a wrong condition in JSON',
      flag({ filters: '{"groups": [{"rollout_percentage": -1}]}' }),
      [
        'warning: vexil_feature_flag.f.filters.groups[0].rollout_percentage: -1 is not a percentage; it goes from 0 to 100; a plan takes this only where it is live already',
      ],
    ],
    [
      'a guard that is none',
      flag({ allow: ['experiments' as never], ...off }),
      [
        'vexil_feature_flag.f.allow: "experiments" is not a rule that blocks a flag; take any of "approval_pending", "can_edit", "experiment", "feature", "rollback", "soft_deleted", "survey", "trail_unreadable"',
      ],
    ],
    [
      'a guard of a provider that is none',
      stack => {
        const provider = new VexilProvider(stack, 'eu', {
          alias: 'eu',
          projectId: '1',
          allow: ['trail' as never],
        })
        flag({ provider, ...off })(stack)
      },
      [
        'provider.vexil.eu: "trail" is not a rule that can be allowed; there are "approval_pending", "can_edit", "experiment", "feature", "rollback", "soft_deleted", "source_unreadable", "survey", "trail_unreadable"',
      ],
    ],
    [
      'a kind of plugin that is none',
      stack => new Plugin(stack, 'p', { name: 'p', pluginType: 'magic' as never }),
      ['vexil_plugin.p.plugin_type: it must be equal to one of the allowed values'],
    ],
    [
      'a role that is no UUID',
      stack => {
        const granted = new FeatureFlag(stack, 'f', { key: 'flag', ...off })
        new FeatureFlagRoleAccess(stack, 'g', { featureFlagId: granted.id, roleId: 'support' })
      },
      [
        'vexil_feature_flag_role_access.g.role_id: "support" is not a UUID; an id looks like 01900000-0000-0000-0000-0000000000aa',
      ],
    ],
    [
      'a way of letting go that is none',
      stack => new EventDefinition(stack, 'e', { name: 'e', onDestroy: 'burn' as never }),
      [
        'vexil_event_definition.e.on_destroy: "burn" is no value of on_destroy; take one of "forget", "restore", "delete"',
      ],
    ],
    [
      'an empty tag of the provider',
      stack => {
        const provider = new VexilProvider(stack, 'eu', { alias: 'eu', projectId: '1', defaultTags: [''] })
        flag({ provider, ...off })(stack)
      },
      ['vexil_feature_flag.f.tags: an element is empty'],
    ],
  ])('is told: %s', async (_, build, lines) => {
    expect(await problemsOf(build)).toEqual(lines)
  })

  it('is told where two resources are the same object', async () => {
    const problems = await problemsOf(stack => {
      const a = new FeatureFlag(stack, 'a', { key: 'same', ...off })
      const b = new FeatureFlag(stack, 'b', { key: ' same', ...off })
      new FeatureFlagRoleAccess(stack, 'g', { featureFlagId: a.id, roleId: supportRole })
      new FeatureFlagRoleAccess(stack, 'h', { featureFlagId: b.id, roleId: supportRole.toUpperCase() })
    })
    expect(problems).toEqual([
      'vexil_feature_flag.b: vexil_feature_flag.a declares the same flag "same"; keep one of them',
      `vexil_feature_flag_role_access.h: vexil_feature_flag_role_access.g declares the same grant "${supportRole}"; keep one of them`,
    ])
  })

  it('tells of a number in JSON text that is sent as another text', async () => {
    const property = (operator: string) =>
      `{"groups": [{"properties": [{"key": "version", "type": "person", "operator": "${operator}", "value": 2.10}], "rollout_percentage": 5.0}]}`
    expect(await problemsOf(flag({ filters: property('semver_gte') }))).toEqual([
      'vexil_feature_flag.f.filters.groups[0].properties[0].value: the version 2.10 is read as the number 2.1; the operator "semver_gte" takes text: write "2.10" in quotes',
    ])
    expect(await problemsOf(flag({ filters: property('exact') }))).toEqual([
      'warning: vexil_feature_flag.f.filters.groups[0].properties[0].value: 2.10 is read as the number 2.1; write "2.10" in quotes where the text is meant, else 2.1',
    ])
    expect(await problemsOf(flag({ filters: property('gte') }))).toEqual([
      'warning: vexil_feature_flag.f.filters.groups[0].properties[0].value: the operator "gte" needs its value as text; write it in quotes: "2.10"; a plan takes this only where it is live already',
    ])
  })

  it('leaves nothing declared', async () => {
    const { declarations } = await load(stack => {
      new FeatureFlag(stack, 'good', { key: 'good', ...off })
      flag({ key: '' })(stack)
    })
    expect(declarations).toEqual({ desired: [], ownedGrants: [] })
  })

  it('is only a warning where it may be meant', async () => {
    const { problems, declarations } = await load(flag({}))
    expect(declarations.desired).toHaveLength(1)
    expect(problems).toMatchObject([
      { severity: 'warning', message: 'vexil_feature_flag.f.release: nothing limits who gets this flag' },
    ])
  })
})
