import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '../../support/service.ts'
import { flagsPath, organization, useWorkspace, writeTwoEnvironments } from '../../support/workspace.ts'

const on = 'active: true, filters: { groups: [{ rollout_percentage: 100 }] }'
const off = 'active: false, filters: { groups: [{ rollout_percentage: 100 }] }'
const asking = 'properties: [{ key: checkout, type: flag, operator: flag_evaluates_to, value: true }]'
const naming = `active: true, filters: { groups: [{ ${asking} }] }`

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n', 'shop.ts': 'pay()\n' })
const { vexil, write, read, list, edit } = workspace

/** What holds the flag `checkout`: `dependent flags.yaml:3`, and `(later)` where not the next step. */
async function holdsOf(flags: string, options = '', more: Readonly<Record<string, string>> = {}) {
  await write({ 'flags.yaml': flags, ...more })
  const { code, stdout, stderr } = await vexil(`retire checkout --dry-run --json ${options}`)
  const { retire } = JSON.parse(stdout)
  if (!retire) throw new Error(stdout + stderr)
  return {
    code,
    step: retire.step,
    unchecked: retire.unchecked.map(({ what }: { what: string }) => what),
    holds: retire.holds.map(
      ({
        kind,
        source,
        now,
        allowed,
      }: {
        kind: string
        source?: { file: string; line: number }
        now: boolean
        allowed: boolean
      }) =>
        [
          kind,
          ...(source ? [`${source.file}:${source.line}`] : []),
          ...(allowed ? ['(allowed)'] : now ? [] : ['(later)']),
        ].join(' '),
    ),
  }
}

const flag = (members: string, more = '') => `feature_flags:\n  checkout: { ${members} }\n${more}`

describe('what the repository says that holds a flag', () => {
  const fans = `audiences:\n  fans: { ${asking} }\n`
  const calls = { 'shop.ts': "isFeatureEnabled('checkout')\nconst key = 'checkout'\nuse('checkout_v2')\n" }
  const done = { code: 0, step: 'off', holds: [] }
  const held = (step: string, ...holds: string[]) => ({ code: 3, step, holds })

  it.each<[string, string, object, Readonly<Record<string, string>>?]>([
    ['nothing', flag(on), done],
    ['different values', flag('active: true, rollout_percentage: 20'), held('decide', 'values flags.yaml:2')],
    ['conditions that nobody declares', flag('active: true'), held('decide', 'values flags.yaml:2')],
    ['calls and texts in code', flag(on), held('code', 'reference shop.ts:1', 'reference shop.ts:2'), calls],
    ['protection', flag(`${on}, protect: true`), held('off', 'protected flags.yaml:2')],
    ['another flag', flag(on, `  fast: { ${naming} }\n`), held('off', 'dependent flags.yaml:3')],
    ['another flag that is declared absent', flag(on, `  fast: { ensure: absent, ${naming} }\n`), done],
    [
      'an audience, and a flag that has it',
      flag(on, `  fast: { release: { few: { audience: fans } } }\n${fans}`),
      held('off', 'dependent flags.yaml:3', 'audience flags.yaml:5'),
    ],
    ['no run that has turned it off', flag(off), held('absent', 'waiting')],
    ['no run that has deleted it', flag('ensure: absent'), held('forget', 'waiting')],
  ])('is told: %s', async (_, flags, expected, more) => {
    expect(await holdsOf(flags, '--offline', more)).toMatchObject(expected)
  })

  it('is told where the settings protect the flags of a file', async () => {
    const settings = 'version: 1\ndefaults: [{ files: flags.yaml, protect: true }]\n'
    expect(await holdsOf(flag(on), '--offline', { 'vexil.yaml': settings })).toMatchObject({
      ...{ code: 3, step: 'off' },
      holds: ['protected flags.yaml:2'],
    })
  })

  it('is passed where somebody allows code to name it', async () => {
    const code = { 'shop.ts': "isFeatureEnabled('checkout')\n" }
    expect(await holdsOf(flag(on), '--offline --allow references', code)).toMatchObject({
      ...{ code: 0, step: 'off' },
      holds: ['reference shop.ts:1 (allowed)'],
    })
  })

  it('is told as not checked where there is no code, or nobody to ask', async () => {
    const { service } = workspace()
    await write({ 'flags.yaml': flag(on), 'empty/README.md': 'checkout\n' })
    const { code, stdout } = await vexil('retire checkout --dry-run --in empty', {
      env: { ...service.env, VEXIL_API_KEY: undefined },
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}2 code {4}unknown {2}not found in code$/m)
    const [, unchecked = ''] = stdout.split('not checked\n')
    expect(
      unchecked,
    ).toBe(`  references in code: there are no code files to search; name their folders with --in
  what is live (experiments, surveys, early access features, other flags, live edits): no key is given; set VEXIL_API_KEY, or VEXIL_API_KEY_FILE to the path of a file that holds it
`)
  })
})

describe('what the service shows that holds a flag', () => {
  const applied = async (flags: string, more: Readonly<Record<string, string>> = {}) => {
    await write({ 'flags.yaml': flags, ...more })
    const { code, stdout, stderr } = await vexil('apply --auto-approve')
    expect(code, stdout + stderr).toBe(0)
  }

  it('is told where the flag was changed in the product', async () => {
    await applied(flag(on))
    await edit('checkout', { active: false })
    expect(await holdsOf(flag(on))).toMatchObject({ code: 3, step: 'off', holds: ['live_edit'] })
  })

  it('is told where it was disabled, until pull has taken that into the files', async () => {
    await applied(flag(on))
    expect((await vexil(['disable', 'checkout', '--reason', 'it fails', '--auto-approve'])).code).toBe(0)
    expect(await holdsOf(flag(on))).toMatchObject({ code: 3, holds: ['live_edit'] })
    expect((await vexil('pull checkout')).code).toBe(0)
    expect(await holdsOf(await read('flags.yaml'), '--days 0')).toMatchObject({
      code: 0,
      step: 'absent',
      holds: [],
    })
  })

  it('is told where something is not applied, or never was', async () => {
    expect(await holdsOf(flag(on))).toMatchObject({ code: 3, step: 'off', holds: ['unapplied'] })
    await applied(flag(on))
    expect(await holdsOf(flag(`${on}, name: x`))).toMatchObject({ code: 3, holds: ['unapplied'] })
    expect(await holdsOf(flag(on))).toMatchObject({ code: 0, holds: [] })
  })

  it('is told where a live flag names it that nobody declares', async () => {
    const { service, flag: live } = workspace()
    await applied(flag(on))
    const { id } = await live('checkout')
    const properties = [{ key: String(id), type: 'flag', operator: 'flag_evaluates_to', value: true }]
    const filters = { groups: [{ properties, rollout_percentage: 100 }] }
    await service.send('POST', `${flagsPath}/`, { key: 'by_hand', active: true, filters })
    expect(await holdsOf(flag(on))).toMatchObject({ code: 3, holds: ['dependent'] })
  })

  it('is told where an experiment, a survey or a feature uses it, until somebody allows that', async () => {
    const used = {
      key: 'checkout',
      active: true,
      filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
      experiment_set: [12],
      surveys: [{ id: '01900000-0000-0000-0000-00000000f001', name: 'Why' }],
    }
    const seed = {
      organizations: [
        { id: organization, name: 'O', projects: [{ id: 1, name: 'P', feature_flags: [used] }] },
      ],
    }
    const service = await startService({ seed })
    onTestFinished(service.close)
    await write({ 'flags.yaml': flag(on) })
    const retire = (more = '') => vexil(`retire checkout --dry-run ${more}`, { env: service.env })
    const held = await retire()
    expect(held.code, held.stderr).toBe(3)
    expect(held.stdout).toContain(`  an experiment runs on it: 12
      to go on: end that first, or --allow experiment=feature_flag.checkout
  a survey uses it: Why
      to go on: end that first, or --allow survey=feature_flag.checkout
`)
    expect(await retire('--allow experiment')).toMatchObject({ code: 3 })
    expect(await retire('--allow experiment=feature_flag.checkout --allow survey')).toMatchObject({ code: 0 })
  })

  it('is told once where the flag that names it is declared too', async () => {
    const both = flag(on, `  fast: { ${naming} }\n`)
    await applied(both)
    expect(await holdsOf(both)).toMatchObject({ code: 3, holds: ['dependent flags.yaml:3'] })
  })

  it('is told as not checked where the service refuses to show it', async () => {
    await applied(flag(on))
    workspace().service.faults('GET /feature_flags status=403')
    expect(await holdsOf(flag(on))).toMatchObject({
      ...{ code: 0, step: 'off' },
      unchecked: ['what is live (experiments, surveys, early access features, other flags, live edits)'],
    })
  })

  it('is how long it is off, as the trail tells where no run does', async () => {
    await applied(flag(on))
    await edit('checkout', { active: false })
    expect((await vexil('pull checkout')).code).toBe(0)
    expect(await holdsOf(await read('flags.yaml'))).toMatchObject({ step: 'absent' })
    workspace().service.faults('GET /activity status=500')
    expect(await holdsOf(await read('flags.yaml'))).toMatchObject({ code: 3, holds: ['waiting'] })
    expect(await holdsOf(await read('flags.yaml'), '--days 0')).toMatchObject({ code: 0 })
  })
})

describe('vexil retire', () => {
  it.each([
    [
      'retire chekout',
      '"chekout" is not declared; `vexil export KEY` shows what to declare of a flag that is live alone; did you mean "feature_flag.checkout"?',
    ],
    ['retire *', '"*" matches 2 flags; name one'],
    ['retire x*', '"x*" matches no declared flag'],
    ['retire checkout --env nowhere', '"nowhere"'],
    ['retire checkout --days soon', '--days takes a whole number, at least 0, not "soon"'],
    ['retire checkout --days -1', '--days takes a whole number, at least 0, not "-1"'],
    ['retire checkout --activity', '--activity is for the list, without a flag'],
    ['retire checkout --owner shop', '--owner is for the list, without a flag'],
    ['retire', '--offline needs a flag'],
    ['retire checkout --allow nonsense', '"nonsense" is not a rule that can be allowed'],
    ['retire checkout --allow references=checkout', '"references" is not a rule that can be allowed'],
    ['retire split --value on', '--value "on" is not a value of the flag; there are: a, b, off'],
    ['retire split --value c', '--value "c" is not a value of the flag; there are: a, b, off'],
  ])('ends "%s" in 64 with a remedy', async (line, words) => {
    const split = `  split: { active: true, rollout_percentage: 100, variants: { a: 50, b: 50 } }\n`
    await write({ 'flags.yaml': flag(on, split) })
    const result = await vexil(`${line} --offline`)
    expect(result.stderr).toContain(words)
    expect(result.code).toBe(64)
  })

  it('refuses a stack, a folder that is no repository, and files with errors', async () => {
    await write({
      'flags.yaml': flag(on),
      'wrong/vexil.yaml': 'version: 1\n',
      'wrong/f.yaml': flag('actve: 1'),
    })
    expect(await vexil('retire checkout --stack out')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a stack comes from a program'),
    })
    expect((await vexil('retire checkout -C nowhere')).code).toBe(1)
    expect((await vexil('retire checkout -C wrong')).stderr).toContain('"actve"')
  })

  it('gives everybody a variant, in the short form, and says so', async () => {
    const split = (release: string) =>
      `feature_flags:\n  checkout:\n    active: true\n    release: ${release}\n    variants: { a: 50, b: 50 }   # even\n`
    await write({ 'flags.yaml': split('{ few: { properties: { plan: pro }, rollout_percentage: 20 } }') })
    expect((await vexil('retire checkout --offline --value b')).code).toBe(0)
    expect(await read('flags.yaml')).toContain('variant: b')
    expect(await read('flags.yaml')).toContain('variants: { a: 50, b: 50 }   # even')
    const { stdout } = await vexil('retire checkout --offline --dry-run')
    expect(stdout).toContain('gives variant b')
  })

  it('turns a flag off that people get different values of, where that is what everybody is to get', async () => {
    await write({ 'flags.yaml': flag('active: true, rollout_percentage: 20') })
    expect((await vexil('retire checkout --offline --value off')).code).toBe(0)
    expect(await read('flags.yaml')).toBe(flag('active: false, rollout_percentage: 20'))
  })

  it('writes a deadline while code names it, and says what changes nothing', async () => {
    await write({ 'flags.yaml': flag(on), 'shop.ts': "isFeatureEnabled('checkout')\n" })
    const line = 'retire checkout --offline --expires 2027-01-31'
    expect(await vexil(line)).toMatchObject({ code: 0, stdout: expect.stringContaining('wrote flags.yaml') })
    expect(await read('flags.yaml')).toBe(flag(`${on}, expires: "2027-01-31"`))
    await write({ 'shop.ts': 'pay()\n' })
    expect(await vexil(`${line} --value on`)).toMatchObject({
      code: 0,
      stderr: `--value changes nothing: the next step is "off", not "decide"
--expires changes nothing: the next step is "off", not "code"
`,
    })
  })

  it('writes nothing with --dry-run', async () => {
    await write({ 'flags.yaml': flag(on) })
    const { stdout } = await vexil('retire checkout --offline --dry-run')
    expect(stdout).toContain('would write flags.yaml')
    expect(await read('flags.yaml')).toBe(flag(on))
  })

  it('takes grants with a declaration of their own along, and tells of those that stay', async () => {
    const env = await writeTwoEnvironments(workspace())
    await write({
      'flags.yaml': flag(`${off}, only: [production]`),
      'access.yaml':
        'feature_flag_role_access:\n  - { flag: checkout, role: support }   # theirs\n  - { flag: menu, role: support }\n',
      'menu.yaml': 'feature_flags:\n  menu: { active: true }\n',
    })
    expect((await vexil('apply --env production --auto-approve', { env })).code).toBe(0)
    const { code, stdout } = await vexil('retire checkout --days 0 --env production', { env })
    expect(code, stdout).toBe(0)
    expect(await read('access.yaml')).toBe('feature_flag_role_access:\n  - { flag: menu, role: support }\n')
    expect(await read('flags.yaml')).toBe(flag(`${off}, only: [production], ensure: absent`))
    const plan = await vexil('plan --env production --fail-on-blocked', { env })
    expect(plan.code, plan.stdout).toBe(0)
  })

  it('takes tests that stand apart along in the end, and tells of tests that may fail now', async () => {
    const tests = 'persons:\n  ada: {}\ntests:\n  checkout:\n    - { person: ada, expect: true }\n'
    await write({ 'flags.yaml': flag(on), 'tests.yaml': tests })
    const first = await vexil('retire checkout --offline')
    expect(first, first.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('tests expect values of it (tests.yaml:5)'),
    })
    await write({ 'flags.yaml': flag('ensure: absent', '  menu: {}\n') })
    const last = await vexil('retire checkout')
    expect(last.code, last.stdout + last.stderr).toBe(0)
    expect(await read('tests.yaml')).toBe('persons:\n  ada: {}\n')
  })

  it('removes the file in which nothing is left, and keeps one that the settings name', async () => {
    const absent = flag('ensure: absent')
    await write({ 'flags/checkout.yaml': absent })
    const { code, stdout } = await vexil('retire checkout')
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('removed flags/checkout.yaml')
    expect(await list('flags')).toEqual([])
    await write({ 'flags/checkout.yaml': absent, 'vexil.yaml': 'version: 1\nfiles: [flags/checkout.yaml]\n' })
    expect((await vexil('retire checkout')).stdout).toContain('wrote flags/checkout.yaml')
    expect(await read('flags/checkout.yaml')).toBe('feature_flags: {}\n')
  })

  it('handles a flag that each environment declares by itself', async () => {
    const env = await writeTwoEnvironments(workspace())
    await write({
      's.yaml': flag(`only: [staging], ${on}`),
      'p.yaml': flag(`only: [production], ${on}`),
    })
    const { code, stdout, stderr } = await vexil('retire checkout --offline', { env })
    expect(code, stdout + stderr).toBe(0)
    expect([await read('s.yaml'), await read('p.yaml')]).toEqual([
      flag(`only: [staging], ${off}`),
      flag(`only: [production], ${off}`),
    ])
  })
})
