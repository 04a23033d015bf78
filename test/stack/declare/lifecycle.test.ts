import type { TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag, type FeatureFlagConfig } from '../../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../../src/constructs/generated/feature-flag-role-access/index.ts'
import { Plugin } from '../../../src/constructs/generated/plugin/index.ts'
import { featureFlag } from '../../../src/kinds/index.ts'
import { managedFields } from '../../../src/model/kind.ts'
import { attributePath } from '../../../src/schema/terraform/terraform-extras.ts'
import { aFlag, declare, planned, supportRole } from '../../support/builders.ts'
import { desiredOf, problemsOf } from '../load.ts'

const off = { active: false }
const rare = managedFields(featureFlag).filter(name => attributePath(featureFlag, name).length > 1)

async function oneFlag(config: Partial<FeatureFlagConfig>) {
  const [desired] = await desiredOf(stack => {
    new FeatureFlag(stack, 'flag', { key: 'flag', ...config })
  })
  return desired
}

describe('lifecycle', () => {
  it('prevent_destroy protects', async () => {
    expect(await oneFlag({ ...off, lifecycle: { preventDestroy: true } })).toEqual({
      address: 'feature_flag.flag',
      kind: 'feature_flag',
      identity: 'flag',
      ensure: 'present',
      fields: off,
      protect: true,
    })
    expect(await oneFlag({ ...off, lifecycle: { preventDestroy: false } })).not.toHaveProperty('protect')
  })

  it('prevent_destroy protects where the block is written as a list of one, as Terraform takes it', async () => {
    const [desired] = await desiredOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).addOverride('lifecycle', [
        { prevent_destroy: true },
      ])
    })
    expect(desired?.protect).toBe(true)
  })

  it.each([
    ['a text', '${true}', 'it has to be one block with its rules'],
    ['two blocks', [{ prevent_destroy: true }, {}], 'it has to be one block with its rules'],
    [
      'a rule that is none',
      { prevent_destory: true },
      '"prevent_destory" is no rule of it; did you mean "prevent_destroy"?',
    ],
  ])('is refused where it would protect nothing: %s', async (_, lifecycle, words) => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).addOverride('lifecycle', lifecycle)
    })
    expect(problems).toEqual([`vexil_feature_flag.flag.lifecycle: ${words}`])
  })

  const typed: Partial<FeatureFlagConfig> = {
    name: 'n',
    release: [{ rolloutPercentage: 5, properties: [{ key: 'country', values: ['DE'] }] }],
    variants: [
      { key: 'a', rolloutPercentage: 50 },
      { key: 'b', rolloutPercentage: 50, payload: '1' },
    ],
  }

  it.each([
    [
      ['tags', 'name'],
      ['/tags', '/name'],
    ],
    [['release'], ['/filters/groups']],
    [['release[0].rollout_percentage'], ['/filters/groups/0/rollout_percentage']],
    [['release[0].description'], ['/filters/groups/0/description']],
    [['release[0].properties[0].values'], ['/filters/groups/0/properties/0/value']],
    [['variants'], ['/filters/multivariate/variants', '/filters/payloads']],
    [['variants[1]'], ['/filters/multivariate/variants/1', '/filters/payloads/b']],
    [['variants[1].rollout_percentage'], ['/filters/multivariate/variants/1/rollout_percentage']],
    [['variants[1].payload'], ['/filters/payloads/b']],
    [['payload'], ['/filters/payloads/true']],
    [['group_type_index'], ['/filters/aggregation_group_type_index']],
    [['advanced.archived'], ['/archived']],
    [['advanced.early_exit'], ['/filters/early_exit']],
    [['advanced'], [...rare.map(name => `/${name}`), '/filters/early_exit']],
    [['adopt', 'allow', 'created_at', 'project_id'], undefined],
    [
      'all' as const,
      managedFields(featureFlag)
        .filter(name => name !== 'key')
        .map(name => `/${name}`),
    ],
  ])('ignore_changes of %j leaves %j to the service', async (ignoreChanges, ignore) => {
    expect((await oneFlag({ ...typed, lifecycle: { ignoreChanges } }))?.ignore).toEqual(ignore)
  })

  it.each([
    ['key', '"key" finds the flag, so it cannot be left to the service; take it out'],
    ['nmae', 'vexil_feature_flag.flag has no attribute "nmae"; did you mean "name"?'],
    [
      'advanced.rollback_conditions[0]',
      'vexil_feature_flag.flag.advanced: a text has nothing in it',
    ],
    ['variants[7].payload', 'there is no such variant'],
  ])('ignore_changes of %s is refused', async (ignored, words) => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off, lifecycle: { ignoreChanges: [ignored] } })
    })
    expect(problems).toEqual([`vexil_feature_flag.flag.lifecycle.ignore_changes: ${words}`])
  })

  it.each([
    ['of the same condition', ['staff', 'pro'], [100, 30], { blocked: [], sent: 30 }],
    ['of another condition', ['pro', 'staff'], [30, 100], { blocked: ['ignored_place'], sent: undefined }],
    ['that another condition has too', ['pro', 'staff'], [30, 30], { blocked: [], sent: 30 }],
  ])('a position %s is what the engine takes', async (_, plans, shares, { blocked, sent }) => {
    const condition = (plan: string, share: number) => ({
      properties: [{ key: 'plan', type: 'person', value: plan }],
      rollout_percentage: share,
    })
    const desired = await oneFlag({
      name: 'Changed',
      release: ['staff', 'pro'].map((value, index) => ({
        properties: [{ key: 'plan', value }],
        rolloutPercentage: [70, 5][index] ?? 0,
      })),
      lifecycle: { ignoreChanges: ['release[1].rollout_percentage'] },
    })
    const groups = plans.map((plan, index) => condition(plan, shares[index] ?? 0))
    const plan = planned(declare(desired ? [desired] : []), [aFlag({ key: 'flag', filters: { groups } })])
    expect(plan.blocked.map(({ rule }) => rule)).toEqual(blocked)
    if (sent !== undefined)
      expect(plan.changes[0]?.after.filters).toMatchObject({
        groups: [condition('staff', 70), condition('pro', sent)],
      })
  })

  it.each([['source'], ['all']])(
    'ignore_changes of %s is refused where there are source files',
    async ignored => {
      const problems = await problemsOf(stack => {
        new Plugin(stack, 'p', {
          name: 'p',
          source: { 'index.ts': '' },
          lifecycle: { ignoreChanges: ignored === 'all' ? 'all' : [ignored] },
        })
      })
      expect(problems).toEqual([
        'vexil_plugin.p.lifecycle.ignore_changes: source files cannot be left to the service once they are declared; leave `source` out',
      ])
    },
  )

  it.each([
    ['holds', 'precondition', '${1 < 2}', []],
    ['is about the flag itself', 'postcondition', '${self.key == "flag"}', []],
    ['does not hold', 'precondition', '${1 > 2}', ['vexil_feature_flag.flag.precondition[0]: because flag']],
    [
      'cannot be told',
      'postcondition',
      '${self.id != ""}',
      [
        'vexil_feature_flag.flag.postcondition[0].condition: the condition comes from vexil_feature_flag.flag.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform',
      ],
    ],
    [
      'is none',
      'precondition',
      '${"maybe"}',
      ['vexil_feature_flag.flag.precondition[0].condition: a text "maybe" stands where bool is needed'],
    ],
  ])('a condition that %s', async (_, kind, condition, lines) => {
    const problems = await problemsOf(stack => {
      const message = kind === 'postcondition' ? 'because ${self.key}' : 'because flag'
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).addOverride(`lifecycle.${kind}`, [
        { condition, error_message: message },
      ])
    })
    expect(problems).toEqual(lines)
  })

  it('depends_on orders, and a circle of it is one', async () => {
    const problems = await problemsOf(stack => {
      const a = new FeatureFlag(stack, 'a', { key: 'a', ...off })
      const b = new FeatureFlag(stack, 'b', { key: 'b', ...off, dependsOn: [a] })
      a.dependsOn = [`vexil_feature_flag.${b.friendlyUniqueId}`]
    })
    expect(problems).toEqual([
      'vexil_feature_flag.a: cycle vexil_feature_flag.a -> vexil_feature_flag.b -> vexil_feature_flag.a; let one of them name a value instead of the other',
    ])
  })
})

describe('an import', () => {
  it.each([
    ['by id', '7', '7'],
    ['by key', 'flag', undefined],
    ['by project and id', '1/7', '7'],
    ['by project and key', '1/flag', undefined],
    ['by id in the typed form', '7#release', '7'],
    ['by project and key in the typed form', '1/flag#release', undefined],
  ])('%s', async (_, id, expected) => {
    const [desired] = await desiredOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).importFrom(id)
    })
    expect(desired?.id).toBe(expected)
  })

  it('of a flag that is called otherwise is refused', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).importFrom('old_flag')
    })
    expect(problems).toEqual([
      'vexil_feature_flag.flag.import: it imports "old_flag", which is neither an id nor "flag"; Vexil renames nothing: declare the flag as it is called, or run this stack with Terraform',
    ])
  })

  it('of a grant has to be the one that is declared', async () => {
    const build = (id: string) => (stack: ConstructorParameters<typeof FeatureFlag>[0]) => {
      const flag = new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      const grant = new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: flag.id, roleId: supportRole })
      grant.importFrom(id)
    }
    expect(await problemsOf(build(`flag/${supportRole}`))).toEqual([])
    expect(await problemsOf(build('9'))).toEqual([
      'vexil_feature_flag_role_access.grant.import: it imports "9", and a grant is found by its flag and its role; take the import out',
    ])
  })

  const byIdentity = (more: object) => (stack: TerraformStack) => {
    const flag = new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
    new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: flag.id, roleId: supportRole })
    stack.addOverride('import', [{ to: 'vexil_feature_flag.flag', ...more }])
  }

  it.each([
    ['the id', { id: '7' }, '7'],
    ['the key', { key: '${"flag"}' }, undefined],
    ['the id and the project', { id: '7', project_id: '1' }, '7'],
    ['the key and the project', { key: 'flag', project_id: '1' }, undefined],
  ])('by the identity with %s', async (_, identity, expected) => {
    const [flag] = await desiredOf(byIdentity({ identity }))
    expect(flag?.id).toBe(expected)
  })

  it.each([
    [{ identity: { kye: 'flag' } }, 'the identity has no "kye"; did you mean "key"?'],
    [
      { identity: { project_id: '1' } },
      'the identity does not name one flag; it takes texts: id, key, of an id and a name only one',
    ],
    [
      { identity: { id: '7', key: 'flag' } },
      'the identity does not name one flag; it takes texts: id, key, of an id and a name only one',
    ],
    [{ identity: '7' }, 'the identity is not an object; write identity = { ... }'],
    [{ id: '7', identity: { id: '7' } }, 'it has both an id and an identity; take one of them out'],
    [{}, 'it has no id'],
  ])('as %j is refused', async (more, line) => {
    expect(await problemsOf(byIdentity(more))).toEqual([`import of vexil_feature_flag.flag: ${line}`])
  })

  it('of a grant by its identity has to be the one that is declared too', async () => {
    const build = (identity: object) => (stack: TerraformStack) => {
      const flag = new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: flag.id, roleId: supportRole })
      stack.addOverride('import', [{ to: 'vexil_feature_flag_role_access.grant', identity }])
    }
    expect(await problemsOf(build({ flag_key: 'flag', role_id: supportRole }))).toEqual([])
    expect(await problemsOf(build({ feature_flag_id: '9', role_id: supportRole }))).toEqual([
      `vexil_feature_flag_role_access.grant.import: it imports "9/${supportRole}", and a grant is found by its flag and its role; take the import out`,
    ])
  })

  it('into nothing is refused', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      stack.addOverride('import', [{ to: 'vexil_feature_flag.lost', id: '7' }])
    })
    expect(problems).toEqual(['import of vexil_feature_flag.lost: there is no such resource'])
  })
})

describe('a move', () => {
  it('is done by being declared: nothing is found by its address', async () => {
    const desired = await desiredOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).moveFromId('vexil_feature_flag.old')
      stack.addOverride('removed', [{ from: 'vexil_feature_flag.left', lifecycle: { destroy: false } }])
    })
    expect(desired.map(({ address }) => address)).toEqual(['feature_flag.flag'])
  })

  it('may give a resource keys', async () => {
    const desired = await desiredOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).addOverride('for_each', { x: 1 })
      const address = 'vexil_feature_flag.flag'
      stack.addOverride('moved', [{ from: address, to: `${address}["x"]` }])
    })
    expect(desired.map(({ address }) => address)).toEqual(['feature_flag.flag'])
  })

  it.each([
    [
      'moved',
      { from: 'vexil_feature_flag.other', to: 'vexil_feature_flag.flag' },
      'move of vexil_feature_flag.other: it is still declared; remove vexil_feature_flag.other, or the move',
    ],
    [
      'moved',
      { from: 'vexil_plugin.p', to: 'vexil_feature_flag.flag' },
      'move of vexil_plugin.p: it makes vexil_feature_flag.flag of it, which is of another type; run this stack with Terraform',
    ],
    [
      'removed',
      { from: 'vexil_feature_flag.gone' },
      'removal of vexil_feature_flag.gone: Vexil keeps no state, so it does not know what that was; delete it in the product or with `prune`, or set lifecycle.destroy to false',
    ],
    [
      'removed',
      { from: 'vexil_feature_flag.other', lifecycle: { destroy: false } },
      'removal of vexil_feature_flag.other: it is still declared; remove vexil_feature_flag.other, or the removal',
    ],
    ['removed', { lifecycle: { destroy: false } }, 'removal of nothing: it names no resource'],
  ])('of another kind is refused: %s %j', async (block, body, line) => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      new FeatureFlag(stack, 'other', { key: 'other', ...off })
      stack.addOverride(block, [body])
    })
    expect(problems).toEqual([line])
  })

  it.each([{ x: 1 }, {}])('is no removal of a resource that has the keys of %j', async keys => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).addOverride('for_each', keys)
      stack.addOverride('removed', [{ from: 'vexil_feature_flag.flag', lifecycle: { destroy: false } }])
    })
    expect(problems).toEqual([
      'removal of vexil_feature_flag.flag: it is still declared; remove vexil_feature_flag.flag, or the removal',
    ])
  })

  it('from another provider of the same flags is fine', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      stack.addOverride('moved', [{ from: 'posthog_feature_flag.flag', to: 'vexil_feature_flag.flag' }])
    })
    expect(problems).toEqual([])
  })
})
