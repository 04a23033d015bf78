import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../../src/core/policy.ts'
import { guardRules } from '../../src/model/guard-rules.ts'
import { problemLine } from '../../src/report/line-text.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { load } from './a-repository.ts'

const flag = { 'a.yaml': 'feature_flags: { a: { active: true, filters: {} } }' }
const { liveEdits, risk } = defaultPolicy
const policy = { ownership: { prune: 'never' }, limits: { delete: 5 }, liveEdits, allow: [], risk }
const names = { roles: {}, cohorts: {}, groupTypes: {} }
const plain = { connection: {}, policy, policies: [], liveTags: true, ...names }

describe('the settings of an environment', () => {
  const text = `version: 1
environments:
  staging:
    base_url: https://\${env:HOST}/
    project: 2
    organization: 01900000-0000-0000-0000-000000000001
    profile: posthog
    api_key_env: STAGING_KEY
    roles: { qa: 01900000-0000-0000-0000-0000000000CC }
    cohorts: { beta_testers: 7, qa: 8 }
    ownership: { prune: owned }
    limits: { rollout_step: 100 }
    parallelism: 2
  production:
    project: "1"
roles: { support: 01900000-0000-0000-0000-0000000000aa }
cohorts: { beta_testers: 42 }
group_types: { company: 0 }
ownership: { tag: managed-by-vexil }
limits: { delete: 7, rollout_step: 25 }
parallelism: 4
`
  const files = { 'vexil.yaml': text, ...flag }

  it('are its own over those of the repository', async () => {
    const { environment, problems } = await load(files, {
      environment: 'staging',
      env: { HOST: 'example.com' },
    })
    expect(problems).toEqual([])
    expect(environment).toEqual({
      name: 'staging',
      connection: {
        baseUrl: 'https://example.com/',
        project: '2',
        organization: '01900000-0000-0000-0000-000000000001',
        profile: 'posthog',
        parallelism: 2,
        apiKeyEnv: 'STAGING_KEY',
      },
      policy: {
        ownership: { tag: 'managed-by-vexil', prune: 'owned' },
        limits: { delete: 7, rolloutStep: 100 },
        liveEdits,
        allow: [],
        risk,
        groupTypes: { company: 0 },
        cohorts: { beta_testers: 7, qa: 8 },
      },
      roles: {
        support: '01900000-0000-0000-0000-0000000000aa',
        qa: '01900000-0000-0000-0000-0000000000cc',
      },
      policies: [],
      liveTags: true,
      cohorts: { beta_testers: 7, qa: 8 },
      groupTypes: { company: 0 },
    })
  })

  it('need no variables of another environment', async () => {
    const { environment, problems } = await load(files, { environment: 'production' })
    expect(problems).toEqual([])
    expect(environment).toEqual({
      name: 'production',
      connection: { project: '1', parallelism: 4 },
      policy: {
        ownership: { tag: 'managed-by-vexil', prune: 'never' },
        limits: { delete: 7, rolloutStep: 25 },
        liveEdits,
        allow: [],
        risk,
        groupTypes: { company: 0 },
        cohorts: { beta_testers: 42 },
      },
      roles: { support: '01900000-0000-0000-0000-0000000000aa' },
      policies: [],
      liveTags: true,
      cohorts: { beta_testers: 42 },
      groupTypes: { company: 0 },
    })
  })

  it('need their own', async () => {
    const { problems } = await load(files, { environment: 'staging' })
    expect(problems.map(problemLine)).toEqual([
      'vexil.yaml:4:15 the environment variable HOST is not set; set HOST, or write "$${env:HOST}" for literal text',
    ])
  })
})

describe('the guards that settings allow', () => {
  const settings = (own: string) =>
    `version: 1\nallow: [trail_unreadable, experiment]\nenvironments: { prod: { ${own} } }\n`

  it.each([
    ['hold for every environment', '', ['trail_unreadable', 'experiment']],
    ['give way to those of an environment', 'allow: [survey]', ['survey']],
    ['are none where an environment says so', 'allow: []', []],
  ])('%s', async (_, own, rules) => {
    const { environment, problems } = await load({ 'vexil.yaml': settings(own), ...flag })
    expect(problems).toEqual([])
    expect(environment?.policy.allow).toEqual(rules.map(rule => ({ rule })))
  })

  it.each([
    [
      'allow: [trail]',
      `vexil.yaml:2:9 element 1 of "allow" must be ${guardRules.slice(0, -1).join(', ')} or ${guardRules.at(-1)}, not "trail"`,
    ],
    [
      'allow: trail_unreadable',
      'vexil.yaml:2:8 "allow" must be a list, not "trail_unreadable"; write a list: [trail_unreadable]',
    ],
  ])('are checked: %s', async (line, said) => {
    const { problems } = await load({ 'vexil.yaml': `version: 1\n${line}\n`, ...flag })
    expect(problems.map(problemLine)).toEqual([said])
  })
})

describe('the choice of an environment', () => {
  const two = 'version: 1\nenvironments: { staging: {}, production: {} }\n'

  it('falls on the only one', async () => {
    const { environment } = await load({ 'vexil.yaml': 'version: 1\nenvironments: { prod: {} }', ...flag })
    expect(environment).toEqual({ ...plain, name: 'prod' })
  })

  it('is not needed in a repository without environments', async () => {
    const { environment, declarations, problems } = await load({ 'vexil.yaml': 'version: 1', ...flag })
    expect({ environment, problems }).toEqual({
      environment: plain,
      problems: [],
    })
    expect(declarations.desired).toHaveLength(1)
  })

  it('is not needed without a settings file either', async () => {
    const { environment, files, problems } = await load(flag)
    expect({ environment, files, problems }).toEqual({
      environment: plain,
      files: ['a.yaml'],
      problems: [],
    })
  })

  it.each([
    [
      undefined,
      'there are 2 environments, and none is selected; select one with --env: staging or production',
    ],
    ['stagng', '"stagng" is not an environment; did you mean "staging"?'],
    ['moon', '"moon" is not an environment; there are: staging and production'],
  ])('must be settled: %s', async (environment, line) => {
    const loaded = await load(
      { 'vexil.yaml': two, ...flag },
      environment === undefined ? {} : { environment },
    )
    expect(loaded.problems.map(problemLine)).toEqual([line])
    expect(loaded.environment).toBeUndefined()
    expect(loaded.declarations).toEqual({ desired: [], ownedGrants: [] })
  })

  it('is not needed for checking', async () => {
    const directory = await folderOfTest({ 'vexil.yaml': two, ...flag })
    expect((await readDeclared({ directory, env: {} })).problems).toEqual([])
  })
})

describe('a problem in the settings', () => {
  it.each([
    ['environments: {}', ['vexil.yaml:1:1 "version" is missing; add "version:"']],
    ['version: 2', ['vexil.yaml:1:10 "version" must be 1, not 2']],
    [
      'version: 1\nenviroments: {}',
      ['vexil.yaml:2:1 "enviroments" is not a setting; did you mean "environments"?'],
    ],
    ['version: 1\nroles: { support: abc }', ['vexil.yaml:2:19 "support" must be a UUID, not "abc"']],
    ...[
      ['https://flags.example.com', '/api', ''],
      ['https://example.com/flags', '/api', '/'],
      ['https://eu.posthog.com', '/project', '/1'],
    ].map(([root, inside, rest]): [string, string[]] => [
      `version: 1\nenvironments: { a: { base_url: "${root}${inside}${rest}" } }`,
      [
        `vexil.yaml:2:32 "base_url" must end before "${inside}"; it is where the service begins: write ${root}`,
      ],
    ]),
    [
      'version: 1\nlimits: { rollout_step: 120 }',
      ['vexil.yaml:2:25 "rollout_step" must be 100 or less, not 120'],
    ],
    [
      'version: 1\nownership: { prune: everything }',
      ['vexil.yaml:2:21 "prune" must be never, owned or all, not "everything"'],
    ],
    [
      'version: 1\nenvironments: { a: { api_key: phx_secret } }',
      [
        'vexil.yaml:2:22 "api_key" is not a setting: never write keys into files; set VEXIL_API_KEY, or name another variable with "api_key_env"',
      ],
    ],
    [
      'version: 1\nenvironments: { a: { api_key_env: phx_secret } }',
      ['vexil.yaml:2:35 this is not the name of an environment variable; write the name, not the key'],
    ],
    [
      'version: 1\nenvironments: { a: { base_url: flags.example.com } }',
      ['vexil.yaml:2:32 "base_url" is not an address; write an address such as https://flags.example.com'],
    ],
    [
      'version: 1\nenvironments: { a: { base_url: "ftp://example.com" } }',
      [
        'vexil.yaml:2:32 "base_url" must start with https:// or http://; write an address such as https://flags.example.com',
      ],
    ],
    [
      'version: 1\nenvironments: { a: { base_url: "https://me:secret@example.com" } }',
      ['vexil.yaml:2:32 "base_url" must not contain a user or a password; the key goes into VEXIL_API_KEY'],
    ],
    [
      'version: 1\nfiles: [flags/*.yaml]',
      ['vexil.yaml:2:9 "flags/*.yaml" does not match any file; correct or remove the pattern'],
    ],
    [
      'version: 1\nfiles: [../**]',
      ['vexil.yaml:2:9 "../**" leads out of the repository; copy the file into the repository'],
    ],
    [
      'version: 1\n  roles: {}',
      [
        'vexil.yaml:2:8 invalid YAML: bad indentation of a mapping entry; align the line with the lines around it; quote text that contains ": "',
      ],
    ],
  ])('%j', async (text, lines) => {
    const { problems } = await load({ 'vexil.yaml': text, ...flag })
    expect(problems.map(problemLine)).toEqual(lines)
    expect(JSON.stringify(problems)).not.toContain('secret')
  })
})

describe('the settings of a fleet', () => {
  const store = 'postgres://ada@db.example.com:5432/vexil'
  const text = `version: 1
store: ${store}
notify: { url_env: HOOK, on: [failed, drift], format: slack }
revision: main
pace: { per_minute: 480, per_hour: 4800 }
api_key_command: [vault, get, all]
environments:
  staging: { revision: release/2026, pace: { per_minute: 60 }, api_key_env: STAGING_KEY }
  production: { api_key_command: [vault, get, production] }
`

  it('are those of an environment over those of all', async () => {
    const { settings, problems } = await load({ 'vexil.yaml': text, ...flag }, { environment: 'staging' })
    expect(problems).toEqual([])
    const { environments, store: address, notify } = settings
    expect({ address, notify }).toEqual({
      address: store,
      notify: { urlEnv: 'HOOK', on: ['drift', 'failed'], format: 'slack' },
    })
    expect(environments.map(({ connection, revision, pace }) => ({ connection, revision, pace }))).toEqual([
      {
        connection: { apiKeyEnv: 'STAGING_KEY' },
        revision: 'release/2026',
        pace: { perMinute: 60, perHour: 4800 },
      },
      {
        connection: { apiKeyCommand: ['vault', 'get', 'production'] },
        revision: 'main',
        pace: { perMinute: 480, perHour: 4800 },
      },
    ])
  })

  it('send every state without a choice', async () => {
    const { settings } = await load({ 'vexil.yaml': 'version: 1\nnotify: { url_env: HOOK }', ...flag })
    expect(settings.notify).toEqual({ urlEnv: 'HOOK', on: ['drift', 'conflict', 'failed'] })
  })

  it('may stand in a file of environments', async () => {
    const csv = 'name,revision,pace,api_key_command\na,v1.2.3,"{""per_hour"": 9}","[""get"", ""key""]"\n'
    const files = { 'vexil.yaml': 'version: 1\nenvironments_from: e.csv', 'e.csv': csv, ...flag }
    const { environment, problems } = await load(files, { environment: 'a' })
    expect(problems).toEqual([])
    expect(environment).toEqual({
      ...plain,
      name: 'a',
      connection: { apiKeyCommand: ['get', 'key'] },
      revision: 'v1.2.3',
      pace: { perHour: 9 },
    })
  })

  const remedy = 'put the password into PGPASSWORD or a .pgpass file, or the whole address into VEXIL_STORE'
  it.each([
    ['store: "postgres://ada:secret@db/vexil"', `2:8 "store" must not contain a password; ${remedy}`],
    ['store: "postgresql:///vexil?password=secret"', `2:8 "store" must not contain a password; ${remedy}`],
    [
      'store: "mysql://ada:secret@db"',
      '2:8 "store" must be the address of a PostgreSQL database; write an address such as postgres://user@host:5432/name',
    ],
    [
      'notify: { url_env: https://hooks.slack.com/services/secret }',
      '2:20 this is not the name of an environment variable; write the name, not the address',
    ],
    [
      'notify: { url_env: HOOK, url: https://hooks.slack.com/services/secret }',
      '2:26 "url" is not a setting: the address of a webhook is a secret; put it into an environment variable, and name that variable with "url_env"',
    ],
    ['notify: { url_env: HOOK, on: [] }', '2:30 "on" must not be empty; fill it in, or remove it'],
    [
      'notify: { url_env: HOOK, on: [fail] }',
      '2:31 element 1 of "on" must be drift, conflict or failed, not "fail"; did you mean "failed"?',
    ],
    [
      'revision: --upload-pack',
      '2:11 "revision" must be a branch, tag or commit such as "main", not "--upload-pack"',
    ],
    [
      'revision: main..other',
      '2:11 "revision" must be a branch, tag or commit such as "main", not "main..other"',
    ],
    ['revision: HEAD~1', '2:11 "revision" must be a branch, tag or commit such as "main", not "HEAD~1"'],
    ['pace: { per_minute: 0 }', '2:21 "per_minute" must be 1 or more, not 0'],
    ['pace: { per_hour: 1.5 }', '2:19 "per_hour" must be a whole number, not 1.5'],
    ['api_key_command: vault', '2:18 "api_key_command" must be a list, not "vault"; write a list: [vault]'],
    ['api_key_command: []', '2:18 "api_key_command" must not be empty; fill it in, or remove it'],
    [
      'api_key_command: [""]',
      '2:19 element 1 of "api_key_command" must not be empty; fill it in, or remove it',
    ],
    [
      'environments: { a: { api_key_env: A_KEY, api_key_command: [get] } }',
      '2:59 this environment has "api_key_env" and "api_key_command"; remove one of them',
    ],
  ])('are checked: %s', async (line, message) => {
    const { problems } = await load({ 'vexil.yaml': `version: 1\n${line}\n`, ...flag })
    expect(problems.map(problemLine)).toEqual([`vexil.yaml:${message}`])
  })
})
