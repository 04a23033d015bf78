import { describe, expect, it } from 'vitest'
import { limitsCheck } from '../../src/cli/tools/doctor.ts'
import { declarableKinds, kindNamed } from '../../src/kinds/index.ts'
import { scopeFor } from '../../src/kinds/key-scopes.ts'
import { profiles } from '../../src/model/connection.ts'
import { pluralTitle } from '../../src/model/kind.ts'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { behaviourOf } from '../../src/services/differences.ts'
import { factsVersion, limits as knownLimits } from '../../src/services/facts.ts'
import { startService } from '../support/service.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { isWrite, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write } = workspace

/** What doctor asks for, the lists of a project first. */
const asked = (['project', 'organization'] as const).flatMap(owner =>
  declarableKinds.filter(({ scope, lifecycle }) => scope === owner && !lifecycle.parent),
)
const lists = asked.map(pluralTitle)

/** The lists, and below that of flags their grants. */
const offered = asked.flatMap(kind => [
  pluralTitle(kind),
  ...(kind.name === 'feature_flag' ? ['grants'] : []),
])

/** What Vexil does with the key, by the names of the checks. */
const permitted = [
  ...new Set(
    [
      ...[
        'feature_flag.list',
        'feature_flag.update',
        'feature_flag.allActivity',
        'feature_flag.userBlastRadius',
      ],
      ...['event_definition.list', 'event_definition.update', 'plugin.list', 'plugin.update'],
      ...['plugin.source', 'plugin.updateSource', 'event.read'],
      ...['feature_flag_role_access.accessControls', 'feature_flag_role_access.setAccessControl'],
    ].map(operation => {
      const [kind = '', name = ''] = operation.split('.')
      return scopeFor(kindNamed(kind), name, behaviourOf('documented')) ?? operation
    }),
  ),
]

const checksOf = (stdout: string): readonly { name: string; verdict: string; summary: string }[] =>
  JSON.parse(stdout).checks

const checks = (stdout: string) =>
  Object.fromEntries(checksOf(stdout).map(({ name, verdict, summary }) => [name, `${verdict}: ${summary}`]))

/** Each check with its verdict alone. */
const verdicts = (stdout: string) =>
  Object.fromEntries(checksOf(stdout).map(({ name, verdict }) => [name, verdict]))

describe('vexil doctor', () => {
  it('looks at everything that a plan needs, says where each is from, only reads, and shows no key', async () => {
    const { service } = workspace()
    const { result, requests } = await service.watch(() =>
      vexil('doctor', { host: { engine: 'Node.js 99', runtime: testRuntime(Date.now()) } }),
    )
    // What is asked to be written is asked of nothing: there is no object 0.
    const asking = requests.filter(isWrite).filter(line => !line.endsWith('/user_blast_radius'))
    expect(asking.filter(line => !/^(PATCH|PUT) .*\/0(\/|$)/.test(line))).toEqual([])
    const unshown =
      'is not known without writing: the service has no such path, or there is nothing to ask about'
    const line = (verdict: string, name: string, summary: string) =>
      `${verdict.padEnd(11)} ${name.padEnd(28)}  ${summary}\n`
    expect(result).toEqual({
      code: 0,
      stdout: [
        line('ok', 'versions', 'vexil 0.1.0, Node.js 99'),
        line('ok', 'settings', 'vexil.yaml'),
        line('ok', 'base URL', `${service.url} from VEXIL_BASE_URL`),
        line('ok', 'project', '1 from VEXIL_PROJECT_ID'),
        line('ok', 'organization', '01900000-0000-0000-0000-000000000001 from VEXIL_ORGANIZATION_ID'),
        line('ok', 'key', 'from VEXIL_API_KEY'),
        line('ok', 'connection', 'the service answers'),
        line(
          'note',
          'profile',
          'auto by default; it may be documented, posthog or posthog-2026, no record has shown which; used as documented',
        ),
        line('ok', 'facts', `the documented interface; version ${factsVersion()}`),
        line('ok', 'flags', 'readable, 0 in all'),
        line('not checked', 'grants', 'there are no flags to ask about'),
        line('ok', 'event definitions', 'readable, 0 in all'),
        line('ok', 'plugins', 'readable, 0 in all'),
        line('ok', 'feature_flag:read', 'may read flags'),
        line('ok', 'feature_flag:write', 'may change flags'),
        line('ok', 'activity_log:read', 'may find deleted flags before one is created'),
        line('ok', 'feature_flag.userBlastRadius', 'may estimate how many people a condition reaches'),
        line('not checked', 'access_control:read', `whether it may read grants ${unshown}`),
        line('not checked', 'access_control:write', `whether it may change grants ${unshown}`),
        line('ok', 'event_definition:read', 'may read event definitions'),
        line('ok', 'event_definition:write', 'may change event definitions'),
        line('ok', 'plugin:read', 'may read plugins'),
        line('ok', 'plugin:write', 'may change plugins'),
        line('ok', 'plugin.source', 'may read the files of plugins'),
        line('ok', 'plugin.updateSource', 'may change the files of plugins'),
        line('ok', 'query:read', 'may read recorded events'),
        line('ok', 'clock', 'as the service has it'),
        line('ok', 'limits', 'none is known'),
        line('ok', 'time', `${requests.length} requests in 0 ms`),
      ].join(''),
      stderr: '',
    })
    expect(result.stdout).not.toContain(service.env.VEXIL_API_KEY)
  })

  it('notes a clock that is wrong, since dates in journals are only as right as the clock', async () => {
    const startedMs = Date.now()
    const early = testRuntime(startedMs - 300_000)
    const { code, stdout } = await vexil('doctor --json', { host: { runtime: early } })
    expect(code).toBe(0)
    const [, seconds] =
      /^note: this machine is (\d+) seconds behind the service$/.exec(checks(stdout).clock ?? '') ?? []
    // The clock of the test stands still while it runs; that of the service tells whole seconds.
    const ranSeconds = (Date.now() - startedMs) / 1000
    expect(Number(seconds)).toBeGreaterThanOrEqual(299)
    expect(Number(seconds)).toBeLessThanOrEqual(301 + ranSeconds)
  })

  it('gives its checks with --json, values and sources apart from the summary', async () => {
    const { service } = workspace()
    await write({ 'keys/mine.txt': `${service.env.VEXIL_API_KEY}\n` })
    const { VEXIL_API_KEY: _, ...keyless } = service.env
    const env = { ...keyless, VEXIL_API_KEY_FILE: 'keys/mine.txt', VEXIL_PROFILE: 'posthog' }
    const { code, stdout, stderr } = await vexil('doctor --json --project 1', { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout).checks).toEqual(
      expect.arrayContaining([
        { name: 'settings', verdict: 'ok', summary: 'vexil.yaml' },
        { name: 'project', verdict: 'ok', summary: '1 from --project', value: '1', source: '--project' },
        {
          name: 'key',
          verdict: 'ok',
          summary: 'from the file "keys/mine.txt" (VEXIL_API_KEY_FILE)',
          source: 'the file "keys/mine.txt" (VEXIL_API_KEY_FILE)',
        },
        {
          name: 'profile',
          verdict: 'ok',
          summary: 'posthog from VEXIL_PROFILE',
          value: 'posthog',
          source: 'VEXIL_PROFILE',
        },
      ]),
    )
    expect(stdout).not.toContain(service.env.VEXIL_API_KEY)
  })

  it.each(profiles)('recognizes %s, and says by which answer', async profile => {
    const { sandbox, env, close } = await startService({ profile, seed: sampleWorld })
    const runtime = testRuntime(Date.now())
    const { code, stdout } = await vexil('doctor --json', {
      env: { ...env, VEXIL_PROFILE: 'auto' },
      host: { runtime },
    })
    const { service, clock, limits, requests } = JSON.parse(stdout)
    const [, member] =
      /shown by "(\w+)" in GET \/api\/projects\/1\/feature_flags\?limit=1$/.exec(
        checks(stdout).profile ?? '',
      ) ?? []
    expect({ code, service }).toEqual({
      code: 0,
      service: {
        ...{ profile, known: 'recognized', possible: [profile] },
        signs: expect.arrayContaining([expect.objectContaining({ kind: 'feature_flag', member })]),
        facts: expect.objectContaining({ version: factsVersion() }),
      },
    })
    expect(Math.abs(clock.ahead_ms)).toBeLessThanOrEqual(clock.tolerance_ms)
    expect(limits.known).toHaveLength(knownLimits[profile].length)
    expect(requests).toBe(sandbox.requests.counts().total)
    expect(stdout).not.toContain(env.VEXIL_API_KEY)
    await close()
  })

  it('notes a profile that the answers contradict', async () => {
    const { env, close } = await startService({ profile: 'posthog-2026', seed: sampleWorld })
    const { code, stdout } = await vexil('doctor --json --profile posthog', { env })
    expect(code).toBe(0)
    expect(checks(stdout).profile).toBe(
      'note: posthog from --profile, but "archived" in GET /api/projects/1/feature_flags?limit=1 shows posthog-2026; set that, or `auto`',
    )
    await close()
  })

  it('says of a key with scopes which are missing', async () => {
    const scopes = ['feature_flag:read', 'event_definition:write']
    const { env, close } = await startService({ profile: 'posthog-2026', seed: sampleWorld, scopes })
    const { code, stdout } = await vexil('doctor --json', { env })
    expect({ code, ...checks(stdout) }).toMatchObject({
      code: 0,
      'feature_flag:read': 'ok: may read flags; may estimate how many people a condition reaches',
      'feature_flag:write': 'note: may not change flags: the key lacks this scope',
      'event_definition:write': 'ok: may change event definitions',
      'access_control:read': 'note: may not read grants: the key lacks this scope',
      'plugin.source': expect.stringMatching(
        /^note: may not read the files of plugins: GET .* was refused with 403/,
      ),
    })
    await close()
  })

  it('notes a variable that wins over the settings', async () => {
    await write({ 'vexil.yaml': 'version: 1\nenvironments: { production: { project: "2" } }\n' })
    const { code, stdout, stderr } = await vexil('doctor --json')
    expect(code).toBe(0)
    expect(checks(stdout)).toMatchObject({
      settings: 'ok: vexil.yaml, environment production',
      project: 'note: 1 from VEXIL_PROJECT_ID, over "2" of the settings',
    })
    expect(stderr).toBe('VEXIL_PROJECT_ID=1 wins over project "2" of environment production in vexil.yaml\n')
  })

  it('works without a settings file', async () => {
    const { path } = workspace()
    await write({ 'bare/README.md': '' })
    const { code, stdout } = await vexil('doctor --json -C bare')
    expect(code).toBe(0)
    expect(checks(stdout).settings).toBe(
      `ok: no vexil.yaml in ${path}/bare; flags and environment variables only`,
    )
  })

  it('examines the stand-in too, and says that everything is of the stand-in', async () => {
    const { code, stdout } = await vexil('doctor --sandbox --json', { env: {} })
    expect(code).toBe(0)
    expect(checks(stdout)).toMatchObject({
      'base URL': 'ok: sandbox: from the sandbox',
      project: 'ok: 1 from the sandbox',
      key: 'ok: from the sandbox',
      connection: 'ok: the service answers',
    })
  })
})

const perKey = { of: 'requests', each: 'key', per_minute: 480, per_hour: 4800 } as const

it.each([
  [[], {}, false, 'ok', 'none is known'],
  [
    [],
    { limit: 480, remaining: 12 },
    false,
    'ok',
    'none is known; according to the answers, 12 of 480 are left',
  ],
  [[], { remaining: 0 }, false, 'note', 'none is known; according to the answers, 0 are left'],
  [
    [],
    { limit: 5 },
    true,
    'note',
    'none is known; according to the answers: 5; the service has asked for fewer requests (429)',
  ],
  [[perKey], {}, false, 'ok', '480 requests per minute and 4800 per hour for each key'],
] as const)('doctor says of the limits %#', (known, told, throttled, verdict, summary) => {
  expect(limitsCheck({ known, told, throttled })).toEqual({ name: 'limits', verdict, summary })
})

describe('vexil doctor, where something is wrong', () => {
  const unchecked = (...checks: string[]) => Object.fromEntries(checks.map(check => [check, 'not_checked']))

  it('tells of problems in the settings, and checks nothing after that', async () => {
    await write({ 'vexil.yaml': 'version: 1\nprofil: posthog\n' })
    const { code, stdout, stderr } = await vexil('doctor --json')
    expect(code).toBe(1)
    expect(checks(stdout).settings).toBe('failed: 1 error')
    expect(verdicts(stdout)).toEqual({
      versions: 'ok',
      settings: 'failed',
      ...unchecked('base URL', 'project', 'organization', 'key', 'connection', ...lists),
      ...unchecked('clock', 'limits', 'time', 'profile'),
    })
    expect(stderr).toContain('vexil.yaml:2:1')
  })

  it('asks once with a key that is not let in, and says so of the key', async () => {
    const { service } = workspace()
    const env = { ...service.env, VEXIL_API_KEY: 'phx_wrong' }
    const { result, requests } = await service.watch(() => vexil('doctor --json', { env }))
    expect(result.code).toBe(1)
    expect(requests).toHaveLength(1)
    expect(verdicts(result.stdout)).toEqual({
      versions: 'ok',
      settings: 'ok',
      'base URL': 'ok',
      ...unchecked('project', 'organization'),
      key: 'failed',
      connection: 'ok',
      ...unchecked(...offered, ...permitted),
      // The clock of the test stands still, and a refusal has a date too.
      ...{ clock: 'note', limits: 'ok', time: 'ok', facts: 'ok', profile: 'note' },
    })
    expect(checks(result.stdout)).toMatchObject({
      key: expect.stringMatching(
        /^failed: from VEXIL_API_KEY; GET .* was refused with 401 .*; check the API key \(VEXIL_API_KEY, VEXIL_API_KEY_FILE, /,
      ),
      flags: 'not_checked: the key was not accepted',
    })
    expect(result.stdout + result.stderr).not.toContain('phx_wrong')
  })

  it('takes nothing for checked where nobody listens', async () => {
    const { service } = workspace()
    const env = { ...service.env, VEXIL_BASE_URL: 'http://127.0.0.1:1' }
    const { code, stdout } = await vexil('doctor --json', { env })
    expect(code).toBe(1)
    expect(verdicts(stdout)).toEqual({
      versions: 'ok',
      settings: 'ok',
      ...unchecked('base URL', 'project', 'organization', 'key'),
      connection: 'failed',
      facts: 'ok',
      ...unchecked(...offered, ...permitted, 'clock', 'limits', 'time', 'profile'),
    })
    expect(checks(stdout)).toMatchObject({
      'base URL': 'not_checked: http://127.0.0.1:1 from VEXIL_BASE_URL; the service did not answer',
      connection: expect.stringMatching(
        /^failed: .*ECONNREFUSED.*\(`base_url` in vexil.yaml, VEXIL_BASE_URL, POSTHOG_HOST, --base-url\)$/,
      ),
    })
    const text = await vexil('doctor', { env })
    expect(text.stdout).toMatch(/\nFAILED {6}connection +GET /)
    expect(text.stdout).toMatch(/\nnot checked time +the service did not answer\n/)
  })

  it.each([
    ['500', 'failed with 500'],
    ['503', 'failed with 503'],
  ])('takes a service that answers with %s for no service', async (status, words) => {
    const { service } = workspace()
    service.faults(`GET /* status=${status}`)
    const { code, stdout } = await vexil('doctor --json')
    expect(code).toBe(1)
    expect(verdicts(stdout)).toMatchObject({ connection: 'failed', key: 'not_checked', time: 'not_checked' })
    expect(checks(stdout).connection).toContain(words)
  })

  it.each([
    ['VEXIL_API_KEY', 'key', /^failed: no key is given; set VEXIL_API_KEY/],
    ['VEXIL_BASE_URL', 'base URL', /^failed: no service is given; set `base_url` in vexil.yaml/],
  ])('says what is missing of %s, and asks nobody', async (variable, check, words) => {
    const { service } = workspace()
    const env = Object.fromEntries(Object.entries(service.env).filter(([name]) => name !== variable))
    const { result, requests } = await service.watch(() => vexil('doctor --json', { env }))
    expect({ code: result.code, requests }).toEqual({ code: 1, requests: [] })
    expect(checks(result.stdout)).toMatchObject({
      [check]: expect.stringMatching(words),
      connection: `not_checked: needs the ${check}`,
      time: `not_checked: needs the ${check}`,
    })
  })

  it.each([
    ['--base-url flags.example.com', 'base URL', 'failed: the base URL is not a URL'],
    ['--base-url http://flags.example.com', 'base URL', 'is plain http'],
    ['--profile hosted', 'profile', 'failed: "hosted" is not a profile'],
    ['--project @current', 'project', `failed: "@current" is whatever the key's user last opened`],
    ['--parallelism 0', 'connection', 'failed: parallelism is a whole number'],
  ])('files %s under %s', async (flags, check, words) => {
    const { code, stdout } = await vexil(`doctor --json ${flags}`)
    expect(code).toBe(1)
    expect(checks(stdout)[check]).toContain(words)
    const failed = Object.entries(verdicts(stdout)).filter(([, verdict]) => verdict === 'failed')
    expect(failed).toEqual([[check, 'failed']])
  })

  it('needs a project for flags, and does without an organization', async () => {
    const { service } = workspace()
    const { VEXIL_PROJECT_ID: _, ...projectless } = service.env
    const ofProject = asked
      .filter(({ scope }) => scope === 'project')
      .map(pluralTitle)
      .join(', ')
    const withoutProject = await vexil('doctor --json', { env: projectless })
    expect(withoutProject.code).toBe(1)
    expect(checks(withoutProject.stdout)).toMatchObject({
      project: `failed: none is set (VEXIL_PROJECT_ID, POSTHOG_PROJECT_ID, --project); needed for ${ofProject}`,
      flags: 'not_checked: no project is set',
      'event definitions': 'not_checked: no project is set',
      plugins: 'ok: readable, 0 in all',
    })
    const { VEXIL_ORGANIZATION_ID: __, ...organizationless } = service.env
    const withoutOrganization = await vexil('doctor --json', { env: organizationless })
    expect(withoutOrganization.code).toBe(0)
    expect(checks(withoutOrganization.stdout)).toMatchObject({
      organization: expect.stringMatching(/^note: none is set /),
      plugins: 'not_checked: no organization is set',
    })
  })

  it('says which project or organization there is none of', async () => {
    const project = await vexil('doctor --json --project 77')
    expect(project.code).toBe(1)
    expect(checks(project.stdout)).toMatchObject({
      project: expect.stringMatching(
        /^failed: 77 from --project; .*is the project right\? \(`project` in vexil.yaml, VEXIL_PROJECT_ID/,
      ),
      key: 'ok: from VEXIL_API_KEY',
      flags: 'not_checked: that project was not found',
      plugins: 'ok: readable, 0 in all',
    })
    const organization = await vexil('doctor --json --organization 01900000-0000-0000-0000-00000000ffff')
    expect(organization.code).toBe(0)
    expect(checks(organization.stdout)).toMatchObject({
      organization: expect.stringMatching(/^note: .*is the organization right\?/),
      plugins: 'not_checked: that organization was not found, or this service has no plugins',
    })
  })

  it('notes what a key may not read, where a plan can do without it', async () => {
    const { service } = workspace()
    service.faults('GET /plugins status=403', 'GET /event_definitions status=402')
    const { code, stdout } = await vexil('doctor')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nnote {8}event definitions +GET .* was refused with 402/)
    expect(stdout).toMatch(
      /\nnote {8}plugins +GET .* was refused with 403 .*; needed here: to read plugins\n/,
    )
    expect(stdout).toMatch(/\nnot checked organization .*; nothing of it could be read\n/)
  })

  it('fails where a key may not read flags', async () => {
    const { service } = workspace()
    service.faults('GET /feature_flags status=403')
    const { code, stdout } = await vexil('doctor --json')
    expect(code).toBe(1)
    expect(verdicts(stdout)).toMatchObject({ key: 'ok', connection: 'ok', project: 'ok', flags: 'failed' })
  })
})
