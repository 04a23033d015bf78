import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write, declareFlags } = workspace

const settings = 'version: 1\nlimits: { rollout_step: 25 }\nenvironments: { production: { project: 1 } }\n'

interface Blocked {
  readonly rule: string
  readonly remedy: string
}

async function blocked(): Promise<readonly Blocked[]> {
  return JSON.parse((await vexil('plan --env production --json')).stdout).blocked
}

/** Applies one declaration of a flag, then declares it in another way. */
async function declaredAs(before: string, after: string): Promise<void> {
  await write({ 'vexil.yaml': settings })
  await declareFlags(`  checkout: ${before}`)
  expect((await vexil('apply --env production --auto-approve')).code).toBe(0)
  await declareFlags(`  checkout: ${after}`)
}

describe('what a blocked widening tells to type', () => {
  const everybody = (percent: number, active = true) =>
    `{ active: ${active}, rollout_percentage: ${percent} }`
  const released = (release: string) => `{ active: true, release: ${release} }`
  const beta = (percent: number) => `beta: { properties: { plan: pro }, rollout_percentage: ${percent} }`
  const filters = (share: string) => `{ active: true, filters: { groups: [ { ${share} } ] } }`
  const all = 'all: { rollout_percentage: 5 }'

  it.each([
    ['a share of everybody', everybody(10), everybody(100), ''],
    ['filters', filters('rollout_percentage: 10'), filters(''), ''],
    ['a named condition', released(`{ ${beta(10)} }`), released(`{ ${beta(100)} }`), ''],
    ['one of two', released(`{ ${beta(10)} }`), released(`{ ${all}, ${beta(100)} }`), ' --condition 2'],
    ['a switch', everybody(100, false), everybody(100), ''],
    [
      'other people',
      released('[ { properties: { plan: pro } } ]'),
      released('[ { properties: { plan: free } } ]'),
      '',
    ],
  ])('makes the first step, so that nothing is blocked: %s', async (_, before, after, more) => {
    await declaredAs(before, after)
    const [block] = await blocked()
    expect(block?.rule).toBe('rollout_step')
    const [, command = ''] =
      /^use smaller steps: `vexil (.*?)` writes the first one, or --allow /.exec(block?.remedy ?? '') ?? []
    expect(command).toMatch(new RegExp(`^ramp feature_flag.checkout --to \\d+${more} --env production$`))
    expect((await vexil(command)).code).toBe(0)
    expect(await blocked()).toEqual([])
  })

  it.each([
    ['no plan may widen anything', 'limits: { rollout_step: 0 }', everybody(100)],
    ['the conditions are not declared', 'limits: { rollout_step: 25 }', '{ active: true }'],
  ])('is no command where %s', async (_, limits, after) => {
    await declaredAs(everybody(100, false), after)
    await write({ 'vexil.yaml': settings.replace('limits: { rollout_step: 25 }', limits) })
    const [block] = await blocked()
    expect(block?.remedy).toMatch(/^use smaller steps, or --allow rollout_step=/)
  })
})
