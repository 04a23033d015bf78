import { describe, expect, it } from 'vitest'
import { app, flags as inStack, main } from '../cli/stack-app.ts'
import { useWorkspace } from '../support/workspace.ts'

const tests = (count: number, value: string) =>
  Array.from(
    { length: count },
    (_, index) =>
      `      - { person: { distinct_id: p${index}, properties: { country: DE } }, expect: ${value} }\n`,
  ).join('')
const flags = (share: number, tested: string, more = '') => `feature_flags:
  checkout:
    active: true
    release: { dach: { properties: { country: DE }, rollout_percentage: ${share} } }
${more}    tests:
${tested}`
const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': flags(0, tests(1, 'false')),
})

async function summaries(): Promise<readonly string[]> {
  const { stdout } = await workspace().vexil('plan --json --allow rollout_step')
  const { changes } = JSON.parse(stdout) as {
    readonly changes: readonly { readonly summary: readonly string[] }[]
  }
  return changes.flatMap(({ summary }) => summary.filter(line => line.includes('test')))
}

describe('a plan of flags with tests', () => {
  it('says of a change whose answers it turns, in text and in JSON', async () => {
    const { vexil, write } = workspace()
    expect(await summaries()).toEqual([])
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags(100, tests(1, 'true')) })
    expect(await summaries()).toEqual(['person "p0": off -> on, as the test at flags.yaml:6 expects'])
    const { stdout } = await vexil('plan')
    expect(stdout).toContain('person "p0": off -> on, as the test at flags.yaml:6 expects\n')
  })

  it('says that an answer is not the one that is expected, and is not refused for it', async () => {
    const { vexil, write } = workspace()
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags(100, tests(1, 'false')) })
    expect(await summaries()).toEqual(['person "p0": off -> on, but the test at flags.yaml:6 expects off'])
    expect((await vexil('apply --auto-approve')).code).toBe(0)
  })

  it('says of whom without a name the test is, and whether that is a group', async () => {
    const { vexil, write } = workspace()
    const ofGroups = (share: number) => `feature_flags:
  bulk_prices:
    active: true
    group_type: company
    rollout_percentage: ${share}
    tests:
      - { person: { groups: { company: acme } }, expect: ${share > 0} }
      - { person: { distinct_id: ada, groups: { company: acme } }, expect: ${share > 0} }
`
    const unnamed = (value: boolean) =>
      `      - { person: { properties: { country: DE } }, expect: ${value} }\n`
    await write({ 'vexil.yaml': 'version: 1\ngroup_types: { company: 0 }\n' })
    await write({ 'flags.yaml': flags(0, unnamed(false)), 'groups.yaml': ofGroups(0) })
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags(100, unnamed(true)), 'groups.yaml': ofGroups(100) })
    expect(await summaries()).toEqual([
      'group "acme": off -> on, as the test at groups.yaml:7 expects',
      'group "acme" of person "ada": off -> on, as the test at groups.yaml:8 expects',
      'the person of the test at flags.yaml:6: off -> on, as that test expects',
    ])
  })

  it('says nothing where nothing is turned, or where nobody can tell', async () => {
    const { vexil, write } = workspace()
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags(0, tests(1, 'false'), '    name: Another name\n') })
    expect(await summaries()).toEqual([])
    await write({ 'flags.yaml': flags(100, '      - { person: {}, expect: false }\n') })
    expect(await summaries()).toEqual([])
  })

  it('tells the first of many and counts the others', async () => {
    const { vexil, write } = workspace()
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags(100, tests(7, 'true')) })
    const told = await summaries()
    expect(told).toHaveLength(6)
    expect(told.at(-1)).toBe('and 2 more people in tests who get another result')
  })

  it('names them among what to look at first, unless the flag is new and all is as expected', async () => {
    const { vexil, write, read } = workspace()
    const leads = async () => {
      await vexil('plan --allow rollout_step --report plan.md --out plan.json --env here')
      await vexil('show plan.json --report shown.md')
      const [made, shown] = await Promise.all(
        ['plan.md', 'shown.md'].map(async file =>
          (await read(file)).split('\n').filter(line => /^- .*tests/.test(line)),
        ),
      )
      expect(shown).toEqual(made)
      return made
    }
    await write({
      'vexil.yaml': 'version: 1\nenvironments: { here: { profile: documented } }\n',
      'flags.yaml': flags(100, tests(1, 'true')),
    })
    expect(await leads()).toEqual([])
    await write({ 'flags.yaml': flags(100, tests(2, 'false')) })
    expect(await leads()).toEqual([
      '- `flag checkout`: `2 people of its tests get a different value than before, 2 of them not the expected value`',
    ])
    await vexil('apply --auto-approve --allow rollout_step --env here')
    await write({ 'flags.yaml': flags(0, tests(1, 'false')) })
    expect(await leads()).toEqual([
      '- **HIGH** `flag checkout`: nobody gets it any more: 1 condition of 100% stops; 1 person of its tests gets a different value than before, as the tests expect',
    ])
  })

  it('tells them of stacks too', async () => {
    const { vexil, write } = workspace()
    const stack = (share: number, tested: object) =>
      app({
        shop: inStack({
          checkout: {
            key: 'checkout',
            active: true,
            release: [{ rollout_percentage: share }],
            '//': { vexil: { tests: [{ person: { name: 'ada', distinct_id: 'a-1' }, ...tested }] } },
          },
        }),
      })
    await write({ 'main.cjs': stack(0, { expect: false }) })
    await vexil(['apply', ...main, '--auto-approve'])
    await write({ 'main.cjs': stack(100, { expect: true }) })
    const { stdout } = await vexil(['plan', ...main])
    expect(stdout).toContain('person "ada": off -> on, as its test expects')
  })

  it('takes into account what becomes of other flags', async () => {
    const { vexil, write } = workspace()
    const above = (share: number, name: string) => `feature_flags:
  base: { active: true, rollout_percentage: ${share} }
  above:
    name: ${name}
    active: true
    filters: { groups: [{ properties: [{ key: base, type: flag, operator: flag_evaluates_to, value: true }] }] }
    tests: [{ person: { distinct_id: ada }, expect: true }]
`
    await write({
      'vexil.yaml': 'version: 1\nenvironments: { here: { profile: documented } }\n',
      'flags.yaml': above(0, 'One'),
    })
    await vexil('apply --auto-approve --allow rollout_step')
    await write({ 'flags.yaml': above(100, 'Two') })
    expect(await summaries()).toEqual(['person "ada": off -> on, as the test at flags.yaml:7 expects'])
  })
})
