import { describe, expect, it } from 'vitest'
import type { Flags } from '../../../src/cli/command-options.ts'
import {
  type ConnectionSettings,
  resolveConnection,
  storeAddress,
  webhookAddress,
} from '../../../src/cli/repository/connection.ts'
import { keyHost } from '../../support/key-host.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write } = workspace

const key = { VEXIL_API_KEY: 'some-key' }
const settle = (flags: Flags, env: Record<string, string>, settings: ConnectionSettings) =>
  resolveConnection(flags, keyHost(env), settings, workspace().path)

describe('a setting', () => {
  it.each([
    ['baseUrl', 'VEXIL_BASE_URL', 'POSTHOG_HOST', 'baseUrl'],
    ['project', 'VEXIL_PROJECT_ID', 'POSTHOG_PROJECT_ID', 'projectId'],
    ['organization', 'VEXIL_ORGANIZATION_ID', 'POSTHOG_ORGANIZATION_ID', 'organizationId'],
  ] as const)(
    '%s: the flag wins over %s, that over %s, that over the file',
    async (name, ours, theirs, settled) => {
      const base = { baseUrl: 'https://base.example.com' }
      const flag = { [name]: 'https://flag' }
      const [first, second] = [{ [ours]: 'https://ours' }, { [theirs]: 'https://theirs' }]
      const file = { ...base, [name]: 'https://file' }
      const value = async (flags: Flags, env: Record<string, string>) =>
        (await settle(flags, { ...key, ...env }, file))[settled]
      expect(await value(flag, { ...first, ...second })).toBe('https://flag')
      expect(await value({}, { ...first, ...second })).toBe('https://ours')
      expect(await value({}, second)).toBe('https://theirs')
      expect(await value({}, {})).toBe('https://file')
      expect(await value({}, { [ours]: '', ...second })).toBe('https://theirs')
    },
  )

  it.each([
    ['profile', { profile: 'posthog' }, {}, {}, 'posthog'],
    ['profile', { profile: 'documented' }, { VEXIL_PROFILE: 'posthog' }, {}, 'documented'],
    ['profile', {}, { VEXIL_PROFILE: 'posthog' }, { profile: 'documented' }, 'posthog'],
    ['profile', {}, {}, { profile: 'posthog' }, 'posthog'],
    ['profile', {}, {}, {}, 'auto'],
    ['parallelism', { parallelism: '2' }, { VEXIL_PARALLELISM: '3' }, { parallelism: 4 }, 2],
    ['parallelism', {}, { VEXIL_PARALLELISM: '3' }, { parallelism: 4 }, 3],
    ['parallelism', {}, {}, { parallelism: 4 }, 4],
    ['parallelism', {}, {}, {}, 8],
  ] as const)('%s from %j, %j and %j is %s', async (name, flags, env, settings, value) => {
    const settled = await settle(flags, { ...key, ...env }, { baseUrl: 'https://x.example.com', ...settings })
    expect(settled[name]).toBe(value)
  })

  it.each([
    ['--profile hosted', '"hosted" is not a profile; use "auto", "documented", "posthog" or "posthog-2026"'],
    ['--parallelism 0', 'parallelism is a whole number from 1 to 64, not "0"'],
    ['--parallelism many', 'parallelism is a whole number from 1 to 64, not "many"'],
  ])('is refused as wrong usage: %s', async (flag, message) => {
    expect(await vexil(`plan ${flag}`)).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })
})

describe('the key', () => {
  const from = async (env: Record<string, string>, settings: ConnectionSettings = {}) => {
    const { apiKey, keySource } = await settle({}, env, { baseUrl: 'https://x.example.com', ...settings })
    return `${apiKey} from ${keySource}`
  }
  const every = {
    VEXIL_API_KEY: 'ours-as-it-is',
    VEXIL_API_KEY_FILE: 'ours.txt',
    POSTHOG_API_KEY: 'theirs-as-it-is',
    POSTHOG_API_KEY_FILE: 'theirs.txt',
  }

  it('comes from the first of four variables, a file as good as a value', async () => {
    await write({ 'ours.txt': 'ours-in-file\n', 'theirs.txt': '\ttheirs-in-file \r\n' })
    const { VEXIL_API_KEY: _, ...second } = every
    const { VEXIL_API_KEY_FILE: __, ...third } = second
    const { POSTHOG_API_KEY: ___, ...fourth } = third
    expect(await from(every)).toBe('ours-as-it-is from VEXIL_API_KEY')
    expect(await from(second)).toBe('ours-in-file from VEXIL_API_KEY_FILE')
    expect(await from(third)).toBe('theirs-as-it-is from POSTHOG_API_KEY')
    expect(await from(fourth)).toBe('theirs-in-file from POSTHOG_API_KEY_FILE')
  })

  it('comes from where an environment takes it, and from nowhere else', async () => {
    await write({ 'staging.txt': 'staging-in-file' })
    const settings = { apiKeyEnv: 'STAGING_KEY' }
    expect(await from({ ...every, STAGING_KEY: 'staging-as-it-is' }, settings)).toBe(
      'staging-as-it-is from STAGING_KEY',
    )
    expect(await from({ ...every, STAGING_KEY_FILE: 'staging.txt' }, settings)).toBe(
      'staging-in-file from STAGING_KEY_FILE',
    )
    await expect(from(every, settings)).rejects.toThrow(
      'this environment takes its key from STAGING_KEY, which is not set (nor is STAGING_KEY_FILE)',
    )
  })

  it('is trimmed, and refused where a line break or anything odd is left, without being shown', async () => {
    expect(await from({ VEXIL_API_KEY: '  phx_abcd\n' })).toBe('phx_abcd from VEXIL_API_KEY')
    for (const odd of ['phx_abc\nphx_def', 'phx_abc\r\nX-Evil: 1', 'phx abc', 'phx_ä', 'phx\u200b_abc']) {
      await expect(from({ VEXIL_API_KEY: odd })).rejects.toThrow(
        /^the key from VEXIL_API_KEY contains characters that are not allowed in a key; was it cut or wrapped\?$/,
      )
    }
    await expect(from({ VEXIL_API_KEY: ' \n' })).rejects.toThrow('the key from VEXIL_API_KEY is empty')
    await expect(from({ VEXIL_API_KEY_FILE: 'no.txt' })).rejects.toThrow(
      'the key file "no.txt" cannot be read (ENOENT)',
    )
    await expect(from({})).rejects.toThrow('no key is given; set VEXIL_API_KEY')
  })

  it('is no flag of any command', async () => {
    const { code, stderr } = await vexil('plan --api-key phx_abc')
    expect(code).toBe(64)
    expect(stderr).not.toContain('phx_abc')
  })
})

describe('the address', () => {
  it.each([
    ['a flag', ' --base-url', ''],
    ['VEXIL_BASE_URL', '', 'VEXIL_BASE_URL'],
    ['POSTHOG_HOST', '', 'POSTHOG_HOST'],
  ])('is refused with a path of the interface, as in the settings: from %s', async (_, flag, variable) => {
    for (const root of [service.url, `${service.url}/behind`]) {
      const url = `${root}/api`
      const env = { ...service.env, VEXIL_BASE_URL: undefined, ...(variable ? { [variable]: url } : {}) }
      expect(await vexil(`plan${flag}${flag && ` ${url}`}`, { env })).toEqual({
        code: 1,
        stdout: '',
        stderr: `vexil: the base URL must end before "/api"; it is where the service begins: write ${root} (\`base_url\` in vexil.yaml, VEXIL_BASE_URL, POSTHOG_HOST, --base-url)\n`,
      })
    }
  })

  it('may end in a slash', async () => {
    expect((await vexil(`plan --base-url ${service.url}/`)).code).toBe(0)
  })
})

describe('the address of the store', () => {
  const store = 'postgres://ada@db.example.com:5432/vexil'
  const ours = 'postgresql://ada:the-password@other.example.com/vexil'

  it('comes from VEXIL_STORE or else from the settings', () => {
    expect(storeAddress({ VEXIL_STORE: ours }, { store })).toBe(ours)
    expect(storeAddress({ VEXIL_STORE: '' }, { store })).toBe(store)
    expect(storeAddress({}, {})).toBeUndefined()
  })

  it.each(['mysql://ada:the-password@db', 'the-password'])('is refused without being shown: %s', given => {
    expect(() => storeAddress({ VEXIL_STORE: given }, {})).toThrow(
      /^VEXIL_STORE must be the address of a PostgreSQL database, such as postgres:\/\/user@host:5432\/name$/,
    )
  })

  it('has a password that no message shows, in any spelling', async () => {
    const env = {
      ...service.env,
      VEXIL_STORE: 'postgres://ada:the%2Dpassword@db?password=as-a-parameter',
      PGPASSWORD: 'of-libpq-itself',
    }
    const secrets = ['the%2Dpassword', 'the-password', 'as-a-parameter', 'of-libpq-itself']
    for (const secret of secrets) {
      const { stderr } = await vexil(['plan', '--profile', secret], { env })
      expect(stderr).toContain('vexil: "[redacted]" is not a profile')
    }
  })
})

describe('the address of the webhook', () => {
  const notify = { urlEnv: 'HOOK' }
  const url = 'https://hooks.slack.com/services/T/B/secret'

  it('comes from the variable that the settings name', () => {
    expect(webhookAddress(keyHost({ HOOK: url }), { notify })).toBe(url)
    expect(webhookAddress(keyHost({ HOOK: url }), {})).toBeUndefined()
    expect(() => webhookAddress(keyHost({}), { notify })).toThrow(
      '"notify" takes its address from HOOK, which is not set',
    )
    expect(() => webhookAddress(keyHost({ HOOK: 'ftp://secret' }), { notify })).toThrow(
      /^HOOK must be the address of a webhook, such as https:\/\/example.com\/hook$/,
    )
  })

  it('is shown nowhere', async () => {
    await write({
      'vexil.yaml': 'version: 1\nnotify: { url_env: HOOK }\n',
      'flags.yaml': 'feature_flags: {}',
    })
    const { stderr } = await vexil(['plan', '--target', `feature_flag.${url}`], {
      env: { ...service.env, HOOK: url },
    })
    expect(stderr).toContain('[redacted]')
    expect(stderr).not.toContain('secret')
  })
})
