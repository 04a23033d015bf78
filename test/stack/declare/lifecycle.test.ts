import { describe, expect, it } from 'vitest'
import { featureFlag } from '../../../src/kinds/index.ts'
import { managedFields } from '../../../src/model/kind.ts'
import { aFlag, declare, planned, supportRole } from '../../support/builders.ts'
import { desiredOf, problemsOf } from '../load.ts'

const F = 'vexil_feature_flag'
const G = 'vexil_feature_flag_role_access'
const off = { active: false }

/** A stack with the flag `flag`, and more blocks and flags beside it. */
const stackWith = (flag: object, more: object = {}, flags: object = {}) => ({
  resource: { [F]: { flag: { key: 'flag', ...flag }, ...flags } },
  ...more,
})
const withRules = (lifecycle: unknown, more: object = off) => stackWith({ ...more, lifecycle })

/** A stack with a grant beside the flag. */
const granted = (more: object) => ({
  resource: {
    [F]: { flag: { key: 'flag', ...off } },
    [G]: { grant: { feature_flag_id: `\${${F}.flag.id}`, role_id: supportRole } },
  },
  ...more,
})

describe('lifecycle', () => {
  it('prevent_destroy protects', async () => {
    expect(await desiredOf(withRules({ prevent_destroy: true }))).toEqual([
      {
        address: 'feature_flag.flag',
        kind: 'feature_flag',
        identity: 'flag',
        ensure: 'present',
        fields: off,
        protect: true,
      },
    ])
    const [open] = await desiredOf(withRules({ prevent_destroy: false }))
    expect(open).not.toHaveProperty('protect')
    // A list of one is the block, as Terraform takes it.
    const [listed] = await desiredOf(withRules([{ prevent_destroy: true }]))
    expect(listed?.protect).toBe(true)
  })

  it.each([
    ['a text', '${true}', 'lifecycle must be one block with its rules'],
    ['two blocks', [{ prevent_destroy: true }, {}], 'lifecycle must be one block with its rules'],
    [
      'a rule that is none',
      { prevent_destory: true },
      '"prevent_destory" is not a rule of lifecycle; did you mean "prevent_destroy"?',
    ],
  ])('is refused where it would protect nothing: %s', async (_, lifecycle, words) => {
    expect(await problemsOf(withRules(lifecycle))).toEqual([`${F}.flag.lifecycle: ${words}`])
  })

  const typed = {
    name: 'n',
    release: [{ rollout_percentage: 5, properties: [{ key: 'country', values: ['DE'] }] }],
    variants: [
      { key: 'a', rollout_percentage: 50 },
      { key: 'b', rollout_percentage: 50, payload: '1' },
    ],
  }
  const allFields = managedFields(featureFlag).flatMap(name => (name === 'key' ? [] : [`/${name}`]))

  it.each<[string[] | string, string[] | undefined]>([
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
    [['adopt', 'allow', 'created_at', 'project_id'], undefined],
    ['all', allFields],
  ])('ignore_changes of %j leaves %j to the service', async (ignored, ignore) => {
    const [desired] = await desiredOf(withRules({ ignore_changes: ignored }, typed))
    expect(desired?.ignore).toEqual(ignore)
  })

  it.each([
    ['key', '"key" identifies the flag, so it cannot be ignored; remove it'],
    ['nmae', `${F}.flag has no attribute "nmae"; did you mean "name"?`],
    ['rollback_conditions[0]', `${F}.flag.rollback_conditions: a text has nothing in it`],
    ['variants[7].payload', 'this variant does not exist'],
  ])('ignore_changes of %s is refused', async (ignored, words) => {
    expect(await problemsOf(withRules({ ignore_changes: [ignored] }))).toEqual([
      `${F}.flag.lifecycle.ignore_changes: ${words}`,
    ])
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
    const release = [condition('staff', 70), condition('pro', 5)]
    const rules = { ignore_changes: ['release[1].rollout_percentage'] }
    const desired = await desiredOf(withRules(rules, { name: 'Changed', release }))
    const groups = plans.map((plan, index) => condition(plan, shares[index] ?? 0))
    const plan = planned(declare(desired), [aFlag({ key: 'flag', filters: { groups } })])
    expect(plan.blocked.map(({ rule }) => rule)).toEqual(blocked)
    if (sent !== undefined)
      expect(plan.changes[0]?.after.filters).toMatchObject({
        groups: [condition('staff', 70), condition('pro', sent)],
      })
  })

  it.each([[['source']], ['all']])(
    'ignore_changes of %j is refused where there are source files',
    async ignored => {
      const p = { name: 'p', source: { 'index.ts': '' }, lifecycle: { ignore_changes: ignored } }
      expect(await problemsOf({ resource: { vexil_plugin: { p } } })).toEqual([
        'vexil_plugin.p.lifecycle.ignore_changes: declared source files cannot be ignored; remove `source`',
      ])
    },
  )

  it.each<[string, string, string, ...string[]]>([
    ['holds', 'precondition', '${1 < 2}'],
    ['is about the flag itself', 'postcondition', '${self.key == "flag"}'],
    ['does not hold', 'precondition', '${1 > 2}', 'precondition[0]: because flag'],
    [
      'cannot be told',
      'postcondition',
      '${self.id != ""}',
      `postcondition[0].condition: the condition comes from ${F}.flag.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform`,
    ],
    [
      'is none',
      'precondition',
      '${"maybe"}',
      'precondition[0].condition: a text "maybe" stands where bool is needed',
    ],
  ])('a condition that %s', async (_, kind, condition, ...lines) => {
    const message = kind === 'postcondition' ? 'because ${self.key}' : 'because flag'
    expect(await problemsOf(withRules({ [kind]: [{ condition, error_message: message }] }))).toEqual(
      lines.map(line => `${F}.flag.${line}`),
    )
  })

  it('depends_on orders, and a circle of it is one', async () => {
    const flags = { other: { key: 'other', ...off, depends_on: [`${F}.flag`] } }
    expect(await problemsOf(stackWith({ ...off, depends_on: [`${F}.other`] }, {}, flags))).toEqual([
      `${F}.flag: cycle ${F}.flag -> ${F}.other -> ${F}.flag; replace one of these references by a value`,
    ])
  })
})

describe('an import', () => {
  it.each([
    ['an id', { id: '7' }, '7'],
    ['a key', { id: 'flag' }, undefined],
    ['project and id', { id: '1/7' }, '7'],
    ['project and key', { id: '1/flag' }, undefined],
    ['an id in the typed form', { id: '7#release' }, '7'],
    ['project and key in the typed form', { id: '1/flag#release' }, undefined],
    ['the id of an identity', { identity: { id: '7' } }, '7'],
    ['the key of an identity', { identity: { key: '${"flag"}' } }, undefined],
    ['an identity with a project', { identity: { id: '7', project_id: '1' } }, '7'],
  ])('by %s', async (_, by, expected) => {
    const [flag] = await desiredOf(granted({ import: [{ to: `${F}.flag`, ...by }] }))
    expect(flag?.id).toBe(expected)
  })

  const notOne =
    'import of vexil_feature_flag.flag: the identity does not identify exactly one flag; write texts: id, key, and only one of an id and a name'
  it.each<[object, string]>([
    [
      { id: 'old_flag' },
      `${F}.flag.import: it imports "old_flag", which is neither an id nor "flag"; Vexil does not rename objects: declare the flag with its live name, or run this stack with Terraform`,
    ],
    [
      { identity: { kye: 'flag' } },
      `import of ${F}.flag: the identity does not have "kye"; did you mean "key"?`,
    ],
    [{ identity: { project_id: '1' } }, notOne],
    [{ identity: { id: '7', key: 'flag' } }, notOne],
    [{ identity: '7' }, `import of ${F}.flag: the identity is not an object; write identity = { ... }`],
    [
      { id: '7', identity: { id: '7' } },
      `import of ${F}.flag: it has both an id and an identity; remove one of them`,
    ],
    [{}, `import of ${F}.flag: its id is missing`],
    [{ to: `${F}.lost`, id: '7' }, `import of ${F}.lost: this resource does not exist`],
  ])('as %j is refused', async (by, line) => {
    expect(await problemsOf(granted({ import: [{ to: `${F}.flag`, ...by }] }))).toEqual([line])
  })

  it.each<[object, string | undefined]>([
    [{ id: `flag/${supportRole}` }, undefined],
    [{ id: '9' }, '9'],
    [{ identity: { flag_key: 'flag', role_id: supportRole } }, undefined],
    [{ identity: { feature_flag_id: '9', role_id: supportRole } }, `9/${supportRole}`],
  ])('of a grant as %j has to be the one that is declared', async (by, refused) => {
    const problems = await problemsOf(granted({ import: [{ to: `${G}.grant`, ...by }] }))
    const line = `${G}.grant.import: it imports "${refused}", but Vexil finds a grant by its flag and its role; remove the import`
    expect(problems).toEqual(refused === undefined ? [] : [line])
  })
})

describe('a move', () => {
  const kept = { lifecycle: { destroy: false } }
  it.each<[string, object, object]>([
    ['a removal of what is gone', off, { removed: [{ from: `${F}.left`, ...kept }] }],
    ['a new name', off, { moved: [{ from: `${F}.old`, to: `${F}.flag` }] }],
    ['another provider', off, { moved: [{ from: 'posthog_feature_flag.flag', to: `${F}.flag` }] }],
    ['keys', { ...off, for_each: { x: 1 } }, { moved: [{ from: `${F}.flag`, to: `${F}.flag["x"]` }] }],
  ])('is done by being declared, since nothing is found by its address: %s', async (_, flag, more) => {
    const desired = await desiredOf(stackWith(flag, more))
    expect(desired.map(({ address }) => address)).toEqual(['feature_flag.flag'])
  })

  const declared = (name: string, what: string) => `it is still declared; remove ${F}.${name}, or the ${what}`
  it.each<[string, object, string]>([
    ['moved', { from: `${F}.other`, to: `${F}.flag` }, `move of ${F}.other: ${declared('other', 'move')}`],
    [
      'moved',
      { from: 'vexil_plugin.p', to: `${F}.flag` },
      `move of vexil_plugin.p: it moves the object to ${F}.flag, which has another type; run this stack with Terraform`,
    ],
    [
      'removed',
      { from: `${F}.gone` },
      `removal of ${F}.gone: Vexil keeps no state, so it does not know which object this was; delete the object in the product or with \`prune\`, or set lifecycle.destroy to false`,
    ],
    ['removed', { from: `${F}.other`, ...kept }, `removal of ${F}.other: ${declared('other', 'removal')}`],
    ['removed', kept, 'removal of nothing: the address is not that of a resource'],
  ])('of another kind is refused: %s %j', async (block, body, line) => {
    const other = { other: { key: 'other', ...off } }
    expect(await problemsOf(stackWith(off, { [block]: [body] }, other))).toEqual([line])
  })

  it.each([{ x: 1 }, {}])('is no removal of a resource that has the keys of %j', async keys => {
    const removed = [{ from: `${F}.flag`, ...kept }]
    expect(await problemsOf(stackWith({ ...off, for_each: keys }, { removed }))).toEqual([
      `removal of ${F}.flag: ${declared('flag', 'removal')}`,
    ])
  })
})
