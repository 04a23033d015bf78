import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const bench = useWorkspace({ 'vexil.yaml': 'version: 1\n' })

const person = (key: string, value: string) => ({ key, type: 'person', value })
const condition = (key: string, value: string, rollout_percentage: number) => ({
  properties: [person(key, value)],
  rollout_percentage,
})
const half = (key: string) => ({ key, rollout_percentage: 50 })

/** Declares one flag as `before`, applies, makes it live as `live`, and declares it as `after`. */
async function moved(before: string, live: object | undefined, after: string): Promise<void> {
  const { vexil, declareFlags, edit } = bench()
  const declared = (text: string) => `  move:\n    active: true\n    ${text.trim()}\n`
  await declareFlags(declared(before))
  expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
  if (live) await edit('move', { filters: live })
  await declareFlags(declared(after))
}

async function applied(...allow: string[]): Promise<unknown> {
  const { vexil, flag } = bench()
  const { code, stdout, stderr } = await vexil(['apply', '--auto-approve', ...allow])
  expect(code, stdout + stderr).toBe(0)
  return (await flag('move')).filters
}

async function blocked(): Promise<string> {
  const { vexil, flag } = bench()
  const before = await flag('move')
  const { code, stdout } = await vexil('apply --auto-approve --fail-on-blocked')
  expect(code, stdout).toBe(3)
  expect(await flag('move')).toEqual(before)
  return stdout
}

const rampOfPro = 'ignore: [release.pro.rollout_percentage]'
const pro = 'pro: { properties: { plan: pro }, rollout_percentage: 5 }'
const staff = 'staff: { properties: { team: staff } }'

describe('an ignored place', () => {
  it('of a variant follows its key', async () => {
    await moved(
      `ignore: [variants.a]
    variants: { a: 50, b: 50 }
    rollout_percentage: 100`,
      undefined,
      `ignore: [variants.a]
    variants: { c: 0, a: 50, b: 50 }
    rollout_percentage: 100`,
    )
    expect(await applied()).toMatchObject({
      multivariate: { variants: [{ key: 'c', rollout_percentage: 0 }, half('a'), half('b')] },
    })
  })

  it('of a named condition follows it where another one is deleted before it', async () => {
    await moved(
      `${rampOfPro}\n    release: { ${staff}, ${pro} }`,
      { groups: [condition('team', 'staff', 100), condition('plan', 'pro', 30)] },
      `${rampOfPro}\n    release: { ${pro} }`,
    )
    expect(await applied()).toMatchObject({ groups: [condition('plan', 'pro', 30)] })
  })

  it('by its position is the condition that is declared there', async () => {
    const wire = (...texts: string[]) => `filters: { groups: [${texts.join(', ')}] }`
    const [team, plan] = [
      '{ properties: [{ key: team, type: person, value: staff }] }',
      '{ properties: [{ key: plan, type: person, value: pro }], rollout_percentage: 5 }',
    ]
    const ignoring = (at: number) => `ignore: [filters.groups.${at}.rollout_percentage]`
    await moved(
      `${ignoring(0)}\n    ${wire(plan)}`,
      { groups: [condition('plan', 'pro', 30)] },
      `${ignoring(0)}\n    ${wire(team, plan)}`,
    )
    // It is another condition than the one that was live there, so nobody knows which of the two is meant.
    expect(await blocked()).toContain('filters.groups.0.rollout_percentage')
    await bench().declareFlags(`  move:\n    active: true\n    ${ignoring(1)}\n    ${wire(team, plan)}\n`)
    expect(await applied()).toMatchObject({
      groups: [{ properties: [person('team', 'staff')] }, condition('plan', 'pro', 30)],
    })
  })

  it('of a condition that nobody finds in the product blocks the object', async () => {
    await moved(
      `${rampOfPro}\n    release: { ${staff}, ${pro} }`,
      { groups: [condition('team', 'staff', 100), condition('plan', 'team', 30)] },
      `${rampOfPro}\n    name: Renamed\n    release: { ${staff}, ${pro} }\n    live_edits: revert`,
    )
    const told = await blocked()
    expect(told).toContain('filters.groups.1.rollout_percentage')
    expect(told).toContain('remove it from `ignore`')
  })

  it('of one of two equal conditions blocks the object, and others go on', async () => {
    await moved(
      `release: { pro: { properties: { plan: pro }, rollout_percentage: 5 } }`,
      undefined,
      `ignore: [release.one.rollout_percentage]
    release: { one: { properties: { plan: pro }, rollout_percentage: 5 }, two: { properties: { plan: pro }, rollout_percentage: 9 } }
  other:
    active: false`,
    )
    const { vexil, flag } = bench()
    expect(await vexil('apply --auto-approve --fail-on-blocked')).toMatchObject({ code: 3 })
    expect((await flag('move')).filters).toMatchObject({ groups: [condition('plan', 'pro', 5)] })
    expect(await flag('other')).toMatchObject({ active: false })
  })

  it('is sent only where the whole obeys the rules of a declaration', async () => {
    await moved(
      `ignore: [variants.a]
    variants: { a: 50, b: 50 }
    rollout_percentage: 100`,
      {
        groups: [{ properties: [], rollout_percentage: 100 }],
        multivariate: {
          variants: [
            { key: 'a', rollout_percentage: 80 },
            { key: 'b', rollout_percentage: 20 },
          ],
        },
      },
      `ignore: [variants.a]
    variants: { a: 50, b: 50 }
    rollout_percentage: 90
    live_edits: revert`,
    )
    expect(await blocked()).toContain('the variants add up to 130%')
  })
  it('that no live part can be told by is a warning before it blocks anything', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(`  move:
    active: true
    ignore: [release.pro, release.one.rollout_percentage]
    release: { ${pro}, one: { variant: a }, two: { variant: a } }
    variants: { a: 100 }
`)
    const { code, stderr } = await vexil('validate')
    expect(code).toBe(0)
    expect(stderr).toContain('"release.pro" cannot be found in the live value: the whole element is ignored')
    expect(stderr).toContain(
      '"release.one.rollout_percentage" cannot be found in the live value: another declared element',
    )
  })
})
