import { describe, expect, it } from 'vitest'
import {
  type PlannedPolicyName,
  plannedPolicies,
  plannedPolicyNames,
} from '../../src/policies/planned-policies.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { flagsPath, isWrite, useWorkspace } from '../support/workspace.ts'

const bench = useWorkspace({})
const holidays = 'frozen: [{ from: 2026-12-20, to: 2027-01-02, because: holidays }]'
/** Minutes after the holidays have begun, so that runs of one test follow each other. */
const inHolidaysAfter = (minutes: number) => ({
  host: { runtime: testRuntime(Date.UTC(2026, 11, 24, 0, minutes)) },
})
const inHolidays = inHolidaysAfter(0)
const before = { host: { runtime: testRuntime(Date.UTC(2026, 11, 19, 23)) } }
const frozenWords = 'nothing is changed now: holidays: 2026-12-20 to 2027-01-02 (UTC)'

const live =
  'feature_flags:\n  kill_all: { active: true, filters: { groups: [{ rollout_percentage: 10 }] } }\n'
const changed = live.replace('10', '20')

/** Applies a flag, and then writes settings with policies and a change of the flag. */
async function afterApply(policies: string, flags = changed) {
  const { vexil, write } = bench()
  await write({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': live })
  expect(await vexil('apply --auto-approve', before)).toMatchObject({ code: 0 })
  await write({ 'vexil.yaml': `version: 1\npolicies: { ${policies} }\n`, 'flags.yaml': flags })
}

/** What a command does and how often it has written. */
async function watch(line: string, options = inHolidays) {
  const { result, requests } = await bench().service.watch(() => bench().vexil(line, options))
  return { ...result, writes: requests.filter(isWrite).length }
}

describe('frozen times', () => {
  it('block every change as long as they last', async () => {
    await afterApply(holidays)
    const planned = await watch('plan')
    expect(planned.stdout).toContain(frozenWords)
    expect(planned.stdout).toContain('wait until the freeze ends, or --allow frozen=feature_flag.kill_all')
    expect(await watch('apply --auto-approve')).toMatchObject({ code: 3, writes: 0 })
    expect(await watch('apply --auto-approve', before)).toMatchObject({ code: 0, writes: 1 })
  })

  it('are passed by name', async () => {
    await afterApply(holidays)
    expect(await watch('apply --auto-approve --allow frozen=kill_all')).toMatchObject({ code: 0, writes: 1 })
  })

  it('leave alone what they except, and warn where that is their level', async () => {
    await afterApply(holidays.replace('frozen: ', 'frozen: { except: [kill_*], windows: ').concat('}'))
    expect((await watch('plan')).stdout).not.toContain('nothing is changed now')
    await afterApply(holidays.replace('frozen: ', 'frozen: { level: warning, windows: ').concat('}'))
    const applied = await watch('apply --auto-approve')
    expect(applied).toMatchObject({ code: 0, writes: 1 })
    expect(applied.stdout).toContain(`although ${frozenWords} (policy frozen)`)
  })

  it('stop a plan that was saved before they began', async () => {
    await afterApply(holidays)
    expect(await watch('plan --out saved.json', before)).toMatchObject({ code: 0 })
    const late = await watch('apply saved.json --auto-approve')
    expect(late).toMatchObject({ code: 3, writes: 0 })
    expect(late.stderr).toContain(
      `the plan "saved.json" is not applied: ${frozenWords}; wait until the freeze ends`,
    )
    await watch('plan --out allowed.json --allow frozen')
    expect(await watch('apply allowed.json --auto-approve')).toMatchObject({ code: 0, writes: 1 })
  })

  it('hold back neither disable, nor enable, nor undo', async () => {
    await afterApply(holidays)
    const lines = [
      'disable kill_all --reason fails --auto-approve',
      'enable kill_all --reason fine --auto-approve',
      'apply --auto-approve --allow frozen',
      'undo last --auto-approve',
    ]
    for (const [nth, line] of lines.entries()) {
      const done = await watch(line, inHolidaysAfter(nth))
      expect({ line, ...done }).toMatchObject({ code: 0, writes: 1 })
    }
  })

  it.each([
    ['[{ from: 2026-12-20 }]', 'a window has `from` and `to`, or `weekly`'],
    ['[{ from: 2026-12-20, to: 2026-12-19 }]', 'it ends before it begins'],
    ['[{ weekly: fri 16:00 - mon 08:00, timezone: Bonn }]', '"Bonn" is not a time zone'],
    [
      '[{ weekly: friday }]',
      '"weekly" must be two times of a week (mon to sun) such as "fri 16:00 - mon 08:00"',
    ],
  ])('are errors where they are wrong: %s', async (windows, said) => {
    await bench().write({
      'vexil.yaml': `version: 1\npolicies: { frozen: ${windows} }\n`,
      'flags.yaml': live,
    })
    const validated = await bench().vexil('validate')
    expect(validated.code).toBe(1)
    expect(validated.stderr).toContain('vexil.yaml:2:')
    expect(validated.stderr).toContain(said)
  })
})

describe('protected keys', () => {
  const words = 'the settings protect "kill_all" from changes'

  it.each([
    ['a change', changed],
    ['a deletion', 'feature_flags:\n  kill_all: { ensure: absent }\n'],
    [
      'a grant',
      `${live}feature_flag_role_access:\n  - { flag: kill_all, role: 01900000-0000-0000-0000-0000000000aa }\n`,
    ],
  ])('block %s until somebody allows it', async (_, flags) => {
    await afterApply('protected_keys: ["kill_*"]', flags)
    expect((await watch('plan')).stdout).toContain(words)
    expect(await watch('apply --auto-approve')).toMatchObject({ code: 3, writes: 0 })
    expect(await watch('apply --auto-approve --allow protected_keys')).toMatchObject({ code: 0, writes: 1 })
  })

  it('are not pruned though nobody declares them any more', async () => {
    const other = 'feature_flags:\n  other: { active: false }\n'
    await afterApply('protected_keys: ["kill_*"] }\nownership: { prune: all', other)
    const applied = await watch('apply --auto-approve')
    expect(applied.code).toBe(3)
    expect(applied.stdout).toContain(words)
    expect((await bench().flag('kill_all')).active).toBe(true)
  })

  it('may be made, and turned off in an incident', async () => {
    await bench().write({
      'vexil.yaml': 'version: 1\npolicies: { protected_keys: ["kill_*"] }\n',
      'flags.yaml': live,
    })
    expect(await watch('apply --auto-approve')).toMatchObject({ code: 0, writes: 1 })
    expect(await watch('disable kill_all --reason fails --auto-approve')).toMatchObject({
      code: 0,
      writes: 1,
    })
  })
})

describe('the longest time that something is held', () => {
  const day = (count: number) => ({
    host: { runtime: testRuntime(Date.UTC(2026, 10, 1) + count * 86_400_000) },
  })
  const words = 'held longer than the 14 days that the settings allow (policy longest_hold)'

  /** A flag that was applied and then widened in the product; an apply on the second day has held that. */
  async function held(setting: string) {
    const { vexil, write, service, flag } = bench()
    await write({ 'vexil.yaml': `version: 1\npolicies: { longest_hold: ${setting} }\n`, 'flags.yaml': live })
    expect(await vexil('apply --auto-approve', day(0))).toMatchObject({ code: 0 })
    const { id } = await flag('kill_all')
    await service.send('PATCH', `${flagsPath}/${id}/`, { filters: { groups: [{ rollout_percentage: 30 }] } })
    expect(await vexil('apply --auto-approve', day(1))).toMatchObject({ code: 0 })
  }

  it('is told once it has passed, and ends plans and applies in 3', async () => {
    await held('14 days')
    const early = await watch('plan', day(14))
    expect(early).toMatchObject({ code: 0 })
    expect(early.stdout).toContain('HELD')
    expect(early.stdout).not.toContain(words)
    for (const line of ['plan', 'apply --auto-approve']) {
      const late = await watch(line, day(16))
      expect({ line, ...late }).toMatchObject({ code: 3, writes: 0 })
      expect(late.stdout).toContain(words)
    }
    const drift = await watch('drift --json', day(16))
    expect(drift.code).toBe(6)
    expect(JSON.parse(drift.stdout).live_edits).toMatchObject([{ fields: [{ overdue: 'error' }] }])
    await bench().write({ 'flags.yaml': live.replace('10', '30') })
    expect(await watch('plan', day(17))).toMatchObject({ code: 0 })
  })

  it.each([
    ['a warning', '{ within: 2 weeks, level: warning }', true],
    ['what it excepts', '{ within: 2 weeks, except: [kill_*] }', false],
    ['off', '{ within: 2 weeks, level: off }', false],
  ])('stops nothing as %s', async (_, setting, isTold) => {
    await held(setting)
    const late = await watch('plan', day(16))
    expect(late.code).toBe(0)
    expect(late.stdout).toContain('HELD')
    expect(late.stdout.includes(words)).toBe(isTold)
  })

  it('is an error where it is no span of time', async () => {
    await bench().write({
      'vexil.yaml': 'version: 1\npolicies: { longest_hold: soon }\n',
      'flags.yaml': live,
    })
    const { code, stderr } = await bench().vexil('validate')
    expect(code).toBe(1)
    expect(stderr).toContain('vexil.yaml:2:')
  })
})

/** Settings that the change of the flag is against, but for holds, of which there are none. */
const against: Readonly<Record<PlannedPolicyName, string>> = {
  frozen: holidays,
  longest_hold: 'longest_hold: 1 hour',
  protected_keys: 'protected_keys: [kill_*]',
}

describe('drift, which writes nothing,', () => {
  it.each(plannedPolicyNames)('is hidden by none of the policies on plans: %s', async name => {
    await afterApply(against[name])
    const planned = await watch('plan --json')
    expect(JSON.parse(planned.stdout).blocked.length > 0).toBe(!('isOfHolds' in plannedPolicies[name]))
    const drift = await watch('drift --json')
    const { blocked, changes } = JSON.parse(drift.stdout)
    expect([blocked, changes.length]).toEqual([[], 1])
  })
})
