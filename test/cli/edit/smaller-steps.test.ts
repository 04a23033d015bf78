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
  it.each([
    [
      'a share of everybody',
      '{ active: true, rollout_percentage: 10 }',
      '{ active: true, rollout_percentage: 100 }',
      '',
    ],
    [
      'filters',
      '{ active: true, filters: { groups: [ { rollout_percentage: 10 } ] } }',
      '{ active: true, filters: { groups: [ { } ] } }',
      '',
    ],
    [
      'a named condition',
      '{ active: true, release: { beta: { properties: { plan: pro }, rollout_percentage: 10 } } }',
      '{ active: true, release: { beta: { properties: { plan: pro }, rollout_percentage: 100 } } }',
      '',
    ],
    [
      'one of two',
      '{ active: true, release: { beta: { properties: { plan: pro }, rollout_percentage: 10 } } }',
      '{ active: true, release: { all: { rollout_percentage: 5 }, beta: { properties: { plan: pro }, rollout_percentage: 100 } } }',
      ' --condition 2',
    ],
    [
      'a switch',
      '{ active: false, rollout_percentage: 100 }',
      '{ active: true, rollout_percentage: 100 }',
      '',
    ],
    [
      'other people',
      '{ active: true, release: [ { properties: { plan: pro } } ] }',
      '{ active: true, release: [ { properties: { plan: free } } ] }',
      '',
    ],
  ])('makes the first step, so that nothing is blocked: %s', async (_, before, after, more) => {
    await declaredAs(before, after)
    const [block] = await blocked()
    expect(block?.rule).toBe('rollout_step')
    const [, command = ''] =
      /^go in smaller steps: `vexil (.*?)` writes the first one, or --allow /.exec(block?.remedy ?? '') ?? []
    expect(command).toMatch(new RegExp(`^ramp feature_flag.checkout --to \\d+${more} --env production$`))
    expect((await vexil(command)).code).toBe(0)
    expect(await blocked()).toEqual([])
  })

  it.each([
    [
      'no plan may widen anything',
      'limits: { rollout_step: 0 }',
      '{ active: true, rollout_percentage: 100 }',
    ],
    ['the conditions are not declared', 'limits: { rollout_step: 25 }', '{ active: true }'],
  ])('is no command where %s', async (_, limits, after) => {
    await declaredAs('{ active: false, rollout_percentage: 100 }', after)
    await write({ 'vexil.yaml': settings.replace('limits: { rollout_step: 25 }', limits) })
    const [block] = await blocked()
    expect(block?.remedy).toMatch(/^go in smaller steps, or --allow rollout_step=/)
  })
})
