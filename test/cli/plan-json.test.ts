import { describe, expect, it } from 'vitest'
import { planJson as plan, role } from '../support/plan-json.ts'
import { flagsPath, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write } = workspace

type Parts = Readonly<Record<string, unknown>>
async function planned(text: string, ...more: readonly string[]) {
  await write({ 'plan.json': text })
  return vexil(['plan', '--plan-json', 'plan.json', ...more])
}

/** One check of a plan that does not hold, of a block of a kind. */
function failed(kind: string, address: string) {
  const problems = [{ message: 'it is off' }]
  const instances = [{ address: { to_display: address }, status: 'fail', problems }]
  return [{ address: { kind, to_display: address }, status: 'fail', instances }]
}

describe('vexil plan --plan-json', () => {
  it('plans what a plan of Terraform declares, and finds the flag of a grant by its key', async () => {
    const { code, stdout, stderr } = await planned(plan(), '--json')
    expect([code, stderr]).toEqual([0, ''])
    const { changes } = JSON.parse(stdout)
    expect(changes.map(({ address }: { address: string }) => address)).toEqual([
      'feature_flag.planned',
      `feature_flag_role_access.planned:${role}`,
    ])
    const shown = await planned(plan())
    expect(shown.stdout).toContain('Next: vexil apply --plan-json plan.json')
  })

  it('warns of a check block that does not hold and goes on, as Terraform does', async () => {
    const { code, stdout, stderr } = await planned(plan({ more: { checks: failed('check', 'check.on') } }))
    expect(code).toBe(0)
    expect(stderr).toContain('check.on: it is off')
    expect(stdout).toContain('+ flag planned')
  })

  it.each([
    ['an id', { id: '1/41' }],
    ['an identity', { identity: { id: '41', key: null, project_id: '1' } }],
  ])(
    'finds by %s what an import takes over, and blocks it where it is called otherwise',
    async (_, importing) => {
      await service.send('POST', flagsPath, { key: 'old' })
      const { id } = await workspace().flag('old')
      const text = JSON.parse(plan())
      text.resource_changes[0].change.importing = JSON.parse(JSON.stringify(importing).replace('41', `${id}`))
      const { stdout } = await planned(JSON.stringify(text), '--json')
      const { changes, blocked } = JSON.parse(stdout)
      expect(changes).toEqual([])
      expect(blocked).toContainEqual(
        expect.objectContaining({ rule: 'other_identity', reason: `the object with id ${id} is "old"` }),
      )
    },
  )

  it('leaves to the service what is set to null', async () => {
    const text = JSON.parse(plan({ flag: { name: null }, unknown: { name: true } }))
    const [flag] = text.configuration.root_module.module_calls.shop.module.resources
    flag.expressions.name = { constant_value: null }
    const { code, stdout } = await planned(JSON.stringify(text), '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).changes[0].after).not.toHaveProperty('name')
  })

  it.each([
    [
      'a value that only the apply would tell',
      plan({ flag: { name: null }, unknown: { name: true } }),
      'module.shop["eu"].vexil_feature_flag.checkout.name: it comes from module.shop["eu"].vexil_feature_flag.checkout.name, which only the service knows',
    ],
    [
      'a sensitive value',
      plan({ flag: { name: 'hunter2' }, sensitive: { name: true } }),
      'module.shop["eu"].vexil_feature_flag.checkout.name: it comes from module.shop["eu"].vexil_feature_flag.checkout.name, which is sensitive',
    ],
    [
      'a condition that does not hold',
      plan({ more: { checks: failed('resource', 'vexil_feature_flag.on') } }),
      'vexil_feature_flag.on: it is off',
    ],
    ['a plan that failed', plan({ more: { errored: true } }), 'the plan failed, so it is incomplete'],
    ['another format', plan({ more: { format_version: '2.0' } }), 'its format is "2.0", but Vexil reads 1.x'],
    ['something else', '{"a": 1}', 'this is not a plan of Terraform: it has no planned_values, only "a"'],
    ['no JSON', '{', 'this file is not JSON'],
  ])('refuses %s', async (_, text, words) => {
    const { code, stdout, stderr } = await planned(text)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('hunter2')
  })

  describe('finds the flag of a grant', () => {
    const type = 'vexil_feature_flag'
    const whole = (index: string) => [`${type}.checkout${index}.id`, `${type}.checkout${index}`]

    /** What is granted, with a grant in each instance of a module that has two instances of a flag. */
    async function granted(references: readonly string[]) {
      const text = JSON.parse(plan())
      const instances = ['["eu"]', '["a.b[0]"]'].map(key => `module.shop${key}`)
      text.planned_values.root_module.child_modules = instances.map((module, nth) => ({
        resources: [
          ...['[0]', '[1]'].map(index => ({
            address: `${module}.${type}.checkout${index}`,
            ...{ mode: 'managed', type, name: 'checkout' },
            values: { key: `flag${nth}${index.slice(1, -1)}`, active: true, name: null, release: null },
          })),
          {
            address: `${module}.${type}_role_access.support`,
            ...{ mode: 'managed', type: `${type}_role_access`, name: 'support' },
            values: { role_id: role },
          },
        ],
      }))
      text.resource_changes = instances.flatMap(module => [
        ...['[0]', '[1]'].map(index => ({
          ...{ address: `${module}.${type}.checkout${index}`, mode: 'managed', type },
          change: { actions: ['create'], after_unknown: {} },
        })),
        {
          ...{
            address: `${module}.${type}_role_access.support`,
            mode: 'managed',
            type: `${type}_role_access`,
          },
          change: { actions: ['create'], after_unknown: { feature_flag_id: true } },
        },
      ])
      const { resources } = text.configuration.root_module.module_calls.shop.module
      resources[1].expressions.feature_flag_id.references = references
      const { stdout, stderr } = await planned(JSON.stringify(text), '--json')
      const addresses: string[] = (JSON.parse(stdout).changes ?? []).map((each: Parts) => each.address)
      return { stderr, grants: addresses.filter(address => address.includes('role_access')) }
    }

    it('in its own instance of a module, where each use names the instance of the flag', async () => {
      const { grants } = await granted([...whole('[1]'), `${type}.checkout`])
      expect(grants).toEqual([
        `feature_flag_role_access.flag01:${role}`,
        `feature_flag_role_access.flag11:${role}`,
      ])
    })

    it('and guesses none where one use names the instance and another does not', async () => {
      const { stderr, grants } = await granted([...whole('[1]'), `${type}.checkout`, `${type}.checkout`])
      expect(grants).toEqual([])
      expect(stderr).toContain(
        'the plan does not contain the flag of this object; refer to one flag by its name',
      )
    })
  })

  it('tells addresses and ways to go on also where variables or outputs of Terraform are sensitive', async () => {
    const text = JSON.parse(
      plan({ more: { variables: { project: { value: '1' }, secret: { value: 'hunter2' } } } }),
    )
    const { root_module: root } = text.configuration
    root.variables = { secret: { sensitive: true } }
    delete root.module_calls.shop.module.resources[1].expressions.feature_flag_id.references
    const { code, stderr } = await planned(JSON.stringify(text))
    expect(code).toBe(1)
    expect(stderr).toContain(
      'plan.json:1:1 module.shop["eu"].vexil_feature_flag_role_access.support: feature_flag_id: the plan does not contain the flag of this object; refer to one flag by its name, or apply the flags first, so that the plan contains their ids\n',
    )
    expect(stderr).not.toContain('hunter2')
  })

  it('shows no line of a plan, which holds everything', async () => {
    const { stderr } = await planned(
      plan({
        unknown: { name: true },
        more: { variables: { project: { value: '1' }, a: { value: 'hunter2' } } },
      }),
    )
    expect(stderr).toContain('which only the service knows; take a value')
    expect(stderr).not.toContain('variables')
  })

  it('warns of what it leaves to Terraform', async () => {
    const more = {
      resource_changes: [
        {
          ...{ address: 'vexil_feature_flag.gone', mode: 'managed', type: 'vexil_feature_flag' },
          change: { actions: ['delete'] },
        },
      ],
    }
    const text = JSON.parse(plan())
    text.resource_changes.push(...more.resource_changes)
    await write({ 'plan.json': JSON.stringify(text) })
    const { code, stdout } = await vexil(['validate', '--plan-json', 'plan.json', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).problems.map(({ message }: { message: string }) => message)).toEqual([
      'vexil_feature_flag.gone: the plan deletes it, but Vexil does not change objects that are no longer declared',
    ])
  })

  it('is read in place of a stack, and not beside one', async () => {
    const { code, stderr } = await planned(plan(), '--stack', 'x')
    expect(code).toBe(64)
    expect(stderr).toContain("'--plan-json <file>' cannot be used with option '--stack <folder|name>'")
  })
})

describe('a plan in which `ignore_changes` has kept something, which its JSON does not name', () => {
  const condition = (plan: string, share: number) => ({
    properties: [{ key: 'plan', type: 'person', value: plan }],
    rollout_percentage: share,
  })
  const typed = (plan: string, rollout_percentage: number) => ({
    properties: [{ key: 'plan', value: plan }],
    rollout_percentage,
  })

  it.each([
    ['at the position of the same condition is taken', ['pro', 'free'], 30, false],
    ['at that of another condition blocks the flag', ['free', 'pro'], 70, true],
  ])('%s', async (_, live, kept, isBlocked) => {
    const { flag } = workspace()
    const shares = { pro: 30, free: 70 } as Record<string, number>
    const groups = live.map(plan => condition(plan, shares[plan] ?? 0))
    await service.send('POST', flagsPath, { key: 'planned', active: true, filters: { groups } })
    const text = JSON.parse(plan({ flag: { release: [typed('pro', kept), typed('free', 20)] } }))
    // The configuration has 5% for `pro`, and the engine has kept what it had read at that position.
    text.configuration.root_module.module_calls.shop.module.resources[0].expressions.release = {
      constant_value: [typed('pro', 5), typed('free', 20)],
    }
    const [{ change }] = text.resource_changes
    change.before = { release: live.map(each => typed(each, shares[each] ?? 0)) }
    change.after = { release: [typed('pro', kept), typed('free', 20)] }
    await write({ 'plan.json': JSON.stringify(text) })
    const { stdout } = await vexil('apply --plan-json plan.json --auto-approve')
    expect(stdout.includes('blocked by ignored_place'), stdout).toBe(isBlocked)
    const expected = isBlocked ? groups : [condition('pro', 30), condition('free', 20)]
    expect((await flag('planned')).filters).toMatchObject({ groups: expected })
  })
})
