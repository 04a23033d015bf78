import { describe, expect, it } from 'vitest'
import { isWrite, jsonLines, support, useWorkspace } from '../support/workspace.ts'

const count = 20
const keys = Array.from({ length: count }, (_, index) => `flag_${String(index + 1).padStart(2, '0')}`)
const flags = (fields: string) => `feature_flags:\n${keys.map(key => `  ${key}: { ${fields} }\n`).join('')}`

const workspace = useWorkspace({
  'vexil.yaml': `version: 1\nroles: { support: ${support} }\n`,
  'flags.yaml': flags('active: false'),
})
const { vexil, service, write, declareFlags } = workspace

const lines = (text: string, pattern: RegExp) => text.split('\n').filter(line => pattern.test(line))
const last = (text: string) => lines(text, /changes? applied/)[0]

describe('an apply with a key that may not write', () => {
  it.each([
    [403, 'the key may lack a scope, or its owner the permission; needed here: to change flags'],
    [402, 'the plan of this service does not include it'],
    [
      401,
      'check the API key (VEXIL_API_KEY, VEXIL_API_KEY_FILE, POSTHOG_API_KEY, POSTHOG_API_KEY_FILE, or the variable that `api_key_env` names)',
    ],
  ])('says it once for all changes that %i refuses, with one advice', async (status, hint) => {
    service.faults(`POST status=${status}`)
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code).toBe(1)
    expect(lines(stdout, /^ {2}[x.!] |the service would refuse/)).toEqual([
      `  x 20 changes failed: each was refused with ${status} error: This answer was scripted; ${hint}`,
      '0 changes applied, 20 failed. Fix the cause first: the service would refuse the same command again.',
    ])
    expect(stdout).toContain(
      '\n      flag flag_01, flag flag_02, flag flag_03, flag flag_04, flag flag_05, flag flag_06, flag flag_07, flag flag_08 and 12 more\n',
    )
  })

  it('says of what depends on them once that it was skipped', async () => {
    await write({ 'flags.yaml': flags('active: false, role_access: [support]') })
    service.faults('POST status=403')
    const { stdout } = await vexil('apply --auto-approve')
    expect(lines(stdout, /^ {2}[x.!] /)).toEqual([
      expect.stringMatching(/^ {2}x 20 changes failed: each was refused with 403 /),
      '  . 20 changes skipped: the change that they depend on was not applied',
    ])
  })

  it('tells updates, which each have a path of their own, together as well', async () => {
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': flags('active: true') })
    service.faults('PATCH status=403')
    const { stdout } = await vexil('apply --auto-approve')
    expect(lines(stdout, /^ {2}x /)).toEqual([
      expect.stringMatching(/^ {2}x 20 changes failed: each was refused/),
    ])
  })

  it('tells one or two with their own requests', async () => {
    service.faults('POST nth=1 times=2 status=403')
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code).toBe(4)
    expect(lines(stdout, /^ {2}x /)).toEqual([
      expect.stringMatching(/^ {2}x flag flag_\d\d failed: POST \S+ was refused with 403 /),
      expect.stringMatching(/^ {2}x flag flag_\d\d failed: POST \S+ was refused with 403 /),
    ])
  })
})

describe('a plan with a key that may not read something', () => {
  it.each([
    ['grants of each flag', '*/role_access', 'grant flag_01:support, '],
    ['the flags', '*/feature_flags', 'flag flag_01, '],
  ])('says once for all objects that it cannot read %s', async (what, path, first) => {
    await vexil('apply --auto-approve')
    const geoip = 'plugins: { geoip: { plugin_type: source } }\n'
    const isGrants = what !== 'the flags'
    await write({ 'flags.yaml': flags(`active: false${isGrants ? ', role_access: [support]' : ''}`) + geoip })
    service.faults(`GET ${path} status=403`)
    for (const line of ['plan', 'apply --auto-approve']) {
      const { code, stdout } = await vexil(line)
      expect(code, stdout).toBe(3)
      expect(lines(stdout, / 403 /).map(text => text.trim())).toEqual(
        expect.arrayContaining([
          expect.stringContaining('each was refused with 403 error: This answer was scripted'),
        ]),
      )
      expect(lines(stdout, / 403 /).length).toBeLessThanOrEqual(line === 'plan' ? 1 : 2)
      expect(stdout).toContain(`      ${first}`)
      expect(stdout).toContain(' and 12 more\n')
    }
  })
})

describe('a plan with a key that may not read the activity trail', () => {
  it('says once of all new flags what it cannot tell, and how to go on with all', async () => {
    service.faults('GET */activity status=403')
    for (const line of ['plan', 'apply --auto-approve']) {
      const { stdout } = await vexil(line)
      expect(lines(stdout, /trail was refused/).map(text => text.trim())).toEqual(
        expect.arrayContaining([expect.stringContaining('the activity trail was refused (403)')]),
      )
      expect(lines(stdout, /trail was refused/).length, line).toBeLessThanOrEqual(line === 'plan' ? 1 : 2)
      expect(stdout).toContain('--allow trail_unreadable permits it once')
      expect(stdout).toContain(' and 12 more\n')
    }
    expect((await vexil('plan --allow trail_unreadable')).stdout).toContain('20 to create')
  })
})

describe('the advice after an apply', () => {
  const again = 'Run the same command again to finish the remaining changes.'
  const refused = 'Fix the cause first: the service would refuse the same command again.'

  it.each([
    ['is the cause', 'status=400', refused],
    ['is the cause', 'status=403', refused],
    ['is the cause', 'status=405', refused],
    ['is another try', 'status=404', again],
    ['is another try', 'status=409', again],
    ['is another try', 'status=500', again],
    ['is another try', 'reset_before', again],
  ])('%s when all that failed ends with %s', async (_, fault, advice) => {
    await declareFlags('  one: { active: false }\n  two: { active: false }')
    service.faults(`POST ${fault}`)
    const { stdout } = await vexil('apply --auto-approve')
    expect(last(stdout)).toBe(`0 changes applied, 2 failed. ${advice}`)
  })

  it('tells the one from the other', async () => {
    await declareFlags('  one: { active: false }\n  two: { active: false }')
    service.faults('POST nth=1 status=400', 'POST nth=2 times=9 status=500')
    const { stdout } = await vexil('apply --auto-approve --parallelism 1')
    expect(last(stdout)).toBe(
      '0 changes applied, 2 failed. Run the same command again to finish the other changes; for the refused changes, fix the cause first.',
    )
  })
})

describe('a service that asks for more patience than anybody has', () => {
  it.each([
    ['plan', 'GET status=429 retry_after=3600'],
    ['plan', 'GET status=503 retry_after=3600'],
    ['drift', 'GET status=429 retry_after=3600'],
    ['export', 'GET status=429 retry_after=3600'],
    ['call feature_flag.list', 'GET status=429 retry_after=3600'],
    ['call feature_flag.create --body {"key":"x"}', 'POST status=429 retry_after=3600'],
    ['undo last --auto-approve', 'GET status=429 retry_after=3600'],
  ])('is quoted by %s', async (line, fault) => {
    await vexil('apply --auto-approve')
    service.faults(fault)
    const { result, requests } = await service.watch(() => vexil(line))
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/ with (429|503) [^\n]*; the service asks to wait 60 minutes\n$/)
    expect(requests.filter(isWrite).length).toBeLessThanOrEqual(1)
  })

  it('is quoted by doctor', async () => {
    service.faults('GET status=429 retry_after=3600')
    const { stdout, stderr } = await vexil('doctor')
    expect(`${stdout}${stderr}`).toContain('the service asks to wait 60 minutes')
  })

  it('is quoted by an apply that it stops, in words and for programs', async () => {
    await declareFlags('  one: { active: false }')
    service.faults('POST status=429 retry_after=3600')
    const { stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain(
      'was refused with 429 throttled: This answer was scripted; the service asks to wait 60 minutes\n',
    )
    expect(last(stdout)).toBe(
      '0 changes applied, 1 failed. Run the same command again in 60 minutes to finish the remaining changes.',
    )
    const events = jsonLines((await vexil('apply --auto-approve --json')).stdout)
    expect(events.find(({ type }) => type === 'change_failed')).toMatchObject({ retry_after_ms: 3_600_000 })
  })
})
