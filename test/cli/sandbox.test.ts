import { describe, expect, it } from 'vitest'
import { faultSettings, faultWords } from '../../src/sandbox/faults.ts'
import { parseFault, parseQuirk, quirkTable } from '../../src/sandbox/index.ts'
import { whileItRuns } from '../support/while-it-runs.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write } = workspace

describe('vexil sandbox', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints one line of JSON, serves, and ends well at %s',
    async signal => {
      const { code } = await whileItRuns(
        vexil,
        'sandbox --json --port 0 --empty',
        async ({ printed }) => {
          expect(printed.endsWith('\n')).toBe(true)
          const told = JSON.parse(printed)
          expect(told).toEqual({
            base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
            api_key: expect.any(String),
            organization: '01900000-0000-0000-0000-000000000001',
            project: 1,
            project_token: 'phc_sandbox_local_only_project_1',
            roles: [
              { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: expect.any(String) },
              { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: expect.any(String) },
            ],
            page: `${told.base_url}/`,
          })
          const answer = await vexil('call feature_flag.list', {
            env: {
              VEXIL_BASE_URL: told.base_url,
              VEXIL_API_KEY: told.api_key,
              VEXIL_PROJECT_ID: String(told.project),
            },
          })
          expect(answer.code, answer.stderr).toBe(0)
        },
        signal,
      )
      expect(code).toBe(0)
    },
  )

  it.each([
    ['', true],
    [' --api-key my-own-key', true],
    [' --host 0.0.0.0', true],
    [' --host 0.0.0.0 --api-key my-own-key', false],
    [' --no-page', false],
  ])('has a page, which needs no key, unless a key protects it from other machines:%s', async (more, has) => {
    await whileItRuns(vexil, `sandbox --json --port 0${more}`, async ({ printed }) => {
      const { base_url, page } = JSON.parse(printed)
      expect(page).toBe(has ? `${base_url}/` : undefined)
      for (const path of ['/', '/_sandbox/page'])
        expect((await fetch(`${base_url}${path}`)).status).toBe(has ? 200 : 404)
    })
  })

  it('prints what a shell has to export, the profile where it matters', async () => {
    await whileItRuns(
      vexil,
      'sandbox --port 0 --profile posthog --api-key my$own$key',
      async ({ printed }) => {
        expect(printed).toMatch(
          /^listening on http:\/\/127\.0\.0\.1:(\d+)\npage: http:\/\/127\.0\.0\.1:\1\/\n\nexport VEXIL_BASE_URL=http:\/\/127\.0\.0\.1:\1\n/,
        )
        expect(printed).toContain("\nexport VEXIL_API_KEY='my$own$key'\n")
        expect(printed).toContain('\nexport VEXIL_PROFILE=posthog\n')
        expect(printed).toContain('\nprojects: 1, 2\n')
        expect(printed).toContain('\nrole support: 01900000-0000-0000-0000-0000000000aa\n')
      },
    )
  })

  it('keeps everything in a folder over restarts', async () => {
    const line = 'sandbox --json --port 0 --empty --data kept'
    const ask = (printed: string, rest: string) =>
      vexil(['call', ...rest.split(' ')], {
        env: {
          VEXIL_BASE_URL: JSON.parse(printed).base_url,
          VEXIL_API_KEY: JSON.parse(printed).api_key,
          VEXIL_PROJECT_ID: '1',
        },
      })
    const first = await whileItRuns(vexil, line, async ({ printed }) => {
      expect((await ask(printed, 'feature_flag.create --body {"key":"kept"}')).code).toBe(0)
      const second = await vexil(line)
      expect({ code: second.code, ...JSON.parse(second.stdout) }).toMatchObject({ code: 1, errors: [{}] })
      expect(second.stderr).toMatch(/is in use by another sandbox; stop it or choose another folder\n$/)
    })
    const again = await whileItRuns(vexil, line, async ({ printed }) => {
      expect(JSON.parse((await ask(printed, 'feature_flag.list')).stdout).count).toBe(1)
    })
    expect([first.stderr, again.stderr]).toEqual([
      '',
      '"kept" already contains a world, so --empty is ignored; delete that folder to start afresh\n',
    ])
  })

  it('takes a world, quirks, scopes and faults', async () => {
    await write({
      'world.yaml':
        'organizations: [ { name: Mine, projects: [ { id: 7, name: Seven, feature_flags: [ { key: a }, { key: b } ] } ] } ]\n',
    })
    await whileItRuns(
      vexil,
      [
        ...'sandbox --json --port 0 --world world.yaml --quirk page_size_cap=1 --scope feature_flag:read --scope event_definition:read --fault'.split(
          ' ',
        ),
        'GET /event_definitions status=418',
      ],
      async ({ printed }) => {
        const { base_url, api_key } = JSON.parse(printed)
        const env = { VEXIL_BASE_URL: base_url, VEXIL_API_KEY: api_key, VEXIL_PROJECT_ID: '7' }
        const page = JSON.parse((await vexil('call feature_flag.list', { env })).stdout)
        expect(page).toMatchObject({ count: 2, results: [{ key: expect.any(String) }] })
        expect((await vexil('call event_definition.list', { env })).stderr).toContain('418')
        expect((await vexil('call feature_flag.allActivity', { env })).stderr).toContain(
          "API key missing required scope 'activity_log:read'",
        )
      },
    )
  })

  it.each([
    ['--port many', 64, 'vexil: a port is a whole number from 0 to 65535, not "many"\n'],
    ['--port 70000', 64, 'vexil: a port is a whole number from 0 to 65535, not "70000"\n'],
    ['--quirk tags=lost', 64, 'vexil: quirk "tags" requires one of "kept", "dropped", not "lost"\n'],
    ['--quirk tag=kept', 64, 'vexil: "tag" is not a quirk; did you mean "tags"?\n'],
    [
      '--fault truncat',
      64,
      'vexil: fault "truncat": "truncat" is not a part of a fault; did you mean "truncate"?\n',
    ],
    [
      '--scope feature_flags:read',
      64,
      'vexil: "feature_flags:read" is not a scope of a key; did you mean "feature_flag:read"?\n',
    ],
    ['--world no.yaml', 1, 'vexil: the world file "no.yaml" cannot be read (ENOENT)\n'],
    [
      '--world world.yaml',
      1,
      'vexil: the world file cannot be used\nworld.yaml:1:22 "organizations/0" must have required property \'name\'\nworld.yaml:1:24 "nmae" is not a member of "organizations/0"\n',
    ],
  ])('refuses %s', async (flags, code, stderr) => {
    await write({ 'world.yaml': 'organizations:     [ { nmae: Mine } ]\n' })
    const result = await vexil(`sandbox --port 0 ${flags}`)
    expect(result).toEqual({ code, stdout: '', stderr })
  })

  it.each([
    ['--world world.yaml --empty', "option '--empty' cannot be used with option '--world <file>'"],
    [
      '--profile hosted',
      "option '--profile <name>' argument 'hosted' is invalid. Allowed choices are documented, posthog",
    ],
  ])('refuses %s as wrong usage', async (flags, message) => {
    const { code, stderr } = await vexil(`sandbox --port 0 ${flags}`)
    expect(code).toBe(64)
    expect(stderr).toContain(`vexil: ${message}`)
  })

  it('says that a port is taken', async () => {
    const { port } = new URL(service.url)
    expect(await vexil(`sandbox --port ${port}`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `vexil: port ${port} of "127.0.0.1" is in use; use another port, or 0 for any\n`,
    })
  })

  it('says in its help how a fault is written, word by word', async () => {
    const { code, stdout } = await vexil('sandbox --help')
    expect(code).toBe(0)
    const words = [...Object.keys(faultSettings).map(name => `${name}=`), ...Object.keys(faultWords)]
    for (const word of words) expect(stdout, word).toMatch(new RegExp(`^ {2}${word}\\w* +\\S`, 'm'))
    const [, example] = /--fault "(.*)":/.exec(stdout) ?? []
    expect(parseFault(example ?? '')).toEqual({
      match: { method: 'PATCH', path: '/feature_flags/*', nth: 2 },
      effect: { type: 'reset_after' },
    })
  })

  it('lists its quirks, and takes each with each value that it lists', async () => {
    const { code, stdout } = await vexil('sandbox quirks')
    expect(code).toBe(0)
    const rows = stdout.split('\n').filter(line => /^\w/.test(line))
    expect(rows.map(row => row.split('=')[0])).toEqual(Object.keys(quirkTable))
    for (const row of rows) {
      const [name, values = ''] = row.split('=')
      const taken = values === 'N' ? ['7'] : values.split('|')
      for (const value of taken) expect(Object.keys(parseQuirk(`${name}=${value}`))).toEqual([name])
    }
  })
})
