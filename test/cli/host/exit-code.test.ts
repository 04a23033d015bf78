import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const settings = 'version: 1\nlimits: { delete: 5, rollout_step: 25 }\n'
const workspace = useWorkspace({ 'vexil.yaml': settings, 'flags.yaml': declared(10) })
const { vexil, service, write, flag } = workspace

function declared(percent: number, more = ''): string {
  return `feature_flags:\n  checkout: { filters: { groups: [ { rollout_percentage: ${percent} } ] } }\n${more}`
}

const fresh = '  fresh: { active: false, filters: {} }\n'

/** A flag whose widening is blocked, and what else is declared. */
async function oneBlocked(more = ''): Promise<void> {
  await vexil('apply --auto-approve')
  await write({ 'flags.yaml': declared(90, more) })
  await vexil('plan --out plan.json')
}

const leftOut = `  ! flag checkout not applied: update blocked by rollout_step: widens by 80 points in one step, past the limit of 25
      to go on: use smaller steps: \`vexil ramp feature_flag.checkout --to 35\` writes the first one, or --allow rollout_step=feature_flag.checkout or \`allow: [rollout_step]\` in its declaration
`

describe('an apply, of what was blocked', () => {
  it('says it again where a saved plan holds nothing else', async () => {
    await oneBlocked()
    const result = await vexil('apply plan.json')
    expect(result).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^saved plan for project 1, \S+ made [\d-]+ [\d:]+ UTC\n/),
      stderr: 'nothing to do: the plan has no changes, and 1 blocked\n',
    })
    expect(result.stdout.slice(result.stdout.indexOf('\n') + 1)).toBe(leftOut)
  })

  it.each(['apply plan.json', 'apply --auto-approve'])(
    'says it again beside what was done: %s',
    async line => {
      await oneBlocked(fresh)
      const { code, stdout } = await vexil(line)
      expect(code).toBe(0)
      expect(stdout).toContain(`\n  + flag fresh created\n${leftOut}\n1 change applied.\n`.slice(1))
    },
  )

  it('says it where it plans by itself and nothing else is to be done', async () => {
    await oneBlocked()
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain('update blocked by rollout_step')
  })

  it.each([
    ['apply plan.json --json', ''],
    ['apply --auto-approve --json', ''],
    ['apply plan.json --json', fresh],
    ['apply --auto-approve --json', fresh],
  ])('says it in the summary of %s', async (line, more) => {
    await oneBlocked(more)
    const { stdout } = await vexil(line)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'summary',
      done: more === '' ? 0 : 1,
      blocked: [
        {
          address: 'feature_flag.checkout',
          action: 'update',
          rule: 'rollout_step',
          reason: 'widens by 80 points in one step, past the limit of 25',
          remedy: expect.stringContaining('--allow rollout_step=feature_flag.checkout'),
        },
      ],
    })
  })
})

describe('apply --fail-on-blocked', () => {
  it.each(['apply plan.json', 'apply --auto-approve'])(
    'ends in 3 after everything else was done: %s',
    async line => {
      await oneBlocked(fresh)
      const { code, stdout } = await vexil(`${line} --fail-on-blocked`)
      expect(code).toBe(3)
      expect(stdout).toContain('1 change applied.')
      expect((await flag('fresh')).active).toBe(false)
      expect((await vexil(`${line} --fail-on-blocked`)).code).toBe(3)
    },
  )

  it('ends in 0 where nothing is blocked', async () => {
    expect((await vexil('apply --auto-approve --fail-on-blocked')).code).toBe(0)
  })

  it('ends in 4 where something failed beside it', async () => {
    await oneBlocked(`${fresh}  other: { active: false, filters: {} }\n`)
    service.faults('POST /feature_flags nth=1 status=400')
    expect((await vexil('apply --auto-approve --fail-on-blocked')).code).toBe(4)
  })
})
