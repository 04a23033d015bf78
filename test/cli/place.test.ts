import { describe, expect, it } from 'vitest'
import { isWrite, organization, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write } = workspace

/** Two environments in the settings file, and a process environment that names nothing but the key. */
async function twoEnvironments() {
  const key = await writeTwoEnvironments(workspace(), 'ownership: { tag: ours, prune: never }\n')
  return (line: string, env: Record<string, string> = {}) =>
    service.watch(() => vexil(line, { env: { ...key, ...env } }))
}

const wins = 'VEXIL_PROJECT_ID=77 wins over project "1" of environment production in vexil.yaml\n'

describe('a variable that wins over the settings', () => {
  it.each([
    'plan --env production',
    'apply --env production --auto-approve',
    'drift --env production',
    'export --env production',
    'call feature_flag.list --env production',
    'doctor --env production',
    'undo last --env production --auto-approve',
    'claim --env production --auto-approve',
    'unclaim --env production --auto-approve',
  ])('is told of before anything else: %s', async line => {
    const run = await twoEnvironments()
    const { result } = await run(line, { VEXIL_PROJECT_ID: '77' })
    expect(result.stderr.startsWith(wins), result.stderr).toBe(true)
  })

  it.each([
    ['VEXIL_PROJECT_ID', '2', 'project "1"'],
    ['POSTHOG_PROJECT_ID', '2', 'project "1"'],
    ['VEXIL_ORGANIZATION_ID', '01900000-0000-0000-0000-000000000009', `organization "${organization}"`],
    ['POSTHOG_ORGANIZATION_ID', '01900000-0000-0000-0000-000000000009', `organization "${organization}"`],
    ['VEXIL_BASE_URL', 'http://127.0.0.1:1', 'base_url "URL"'],
    ['POSTHOG_HOST', 'http://127.0.0.1:1', 'base_url "URL"'],
  ])('%s is one, and nothing is written then', async (variable, value, written) => {
    const run = await twoEnvironments()
    const { result, requests } = await run('apply --env production --auto-approve', { [variable]: value })
    const flag = written.split(' ')[0]?.replace('_', '-')
    expect(result).toEqual({
      code: 3,
      stdout: '',
      stderr:
        `${variable}=${value} wins over ${written.replace('URL', service.url)} of environment production in vexil.yaml\n` +
        `vexil: refusing to write: --env production means another place than ${variable}; unset it, or choose the place with --${flag}\n`,
    })
    expect(requests).toEqual([])
  })

  it('is told of one line each', async () => {
    const run = await twoEnvironments()
    const { result } = await run('apply --env production --auto-approve', {
      VEXIL_PROJECT_ID: '2',
      POSTHOG_HOST: 'http://127.0.0.1:1',
      VEXIL_PROFILE: 'posthog',
    })
    expect(result).toMatchObject({ code: 3, stdout: '' })
    expect(result.stderr.split('\n')).toEqual([
      `POSTHOG_HOST=http://127.0.0.1:1 wins over base_url "${service.url}" of environment production in vexil.yaml`,
      'VEXIL_PROJECT_ID=2 wins over project "1" of environment production in vexil.yaml',
      'vexil: refusing to write: --env production means another place than POSTHOG_HOST, VEXIL_PROJECT_ID; unset them, or choose the place with --base-url, --project',
      '',
    ])
  })

  it.each([
    'undo last --env production --auto-approve',
    'claim --env production --auto-approve',
    'unclaim --env production --auto-approve',
    'call feature_flag.create --env production --body {"key":"fresh"}',
  ])('lets nothing be written into a place that nobody named: %s', async line => {
    const run = await twoEnvironments()
    await run('apply --env production --auto-approve')
    const { result, requests } = await run(line, { VEXIL_PROJECT_ID: '2' })
    expect(result).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('refusing to write'),
    })
    expect(requests).toEqual([])
  })

  it('shows nothing secret of an address', async () => {
    const run = await twoEnvironments()
    for (const url of ['https://me:secret@flags.example.com/?token=secret', 'me:secret@flags example']) {
      const { result } = await run('plan --env production', { VEXIL_BASE_URL: url })
      expect(result.stderr).toMatch(/^VEXIL_BASE_URL=\S.* wins over base_url /)
      expect(result.stdout + result.stderr).not.toContain('secret')
    }
  })
})

describe('a variable that says the same as the settings', () => {
  it('is no news, however it is spelled', async () => {
    const run = await twoEnvironments()
    const same = {
      VEXIL_BASE_URL: `${service.url}/`,
      VEXIL_PROJECT_ID: '1',
      VEXIL_ORGANIZATION_ID: organization.toUpperCase(),
      VEXIL_PROFILE: '',
    }
    const { result } = await run('apply --env production --auto-approve', same)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain('3 changes applied.')
  })

  it('is no news either where the settings are silent', async () => {
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a place that is named on the command line', () => {
  it.each(['production', 'staging'])('is written to, whatever a variable and %s say', async environment => {
    const run = await twoEnvironments()
    const line = `apply --env ${environment} --project 1 --auto-approve`
    const { result, requests } = await run(line, { VEXIL_PROJECT_ID: '77' })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain(`plan for ${environment} (project 1 from --project, `)
    expect(requests.filter(isWrite)).toHaveLength(3)
  })

  it('may be the same as that of the variable', async () => {
    const run = await twoEnvironments()
    const line = 'call feature_flag.create --env production --body {"key":"fresh"} --project 1'
    expect((await run(line, { VEXIL_PROJECT_ID: '1' })).result).toMatchObject({ code: 0, stderr: '' })
    const elsewhere = await run(`${line} --base-url ${service.url}`, { VEXIL_BASE_URL: 'http://127.0.0.1:1' })
    expect(elsewhere.requests.filter(isWrite)).toHaveLength(1)
  })

  it('is named by a saved plan too, which is applied only there', async () => {
    const run = await twoEnvironments()
    const elsewhere = { VEXIL_PROJECT_ID: '77' }
    await run('plan --env production --out plan.json')
    expect((await run('apply plan.json --env production', elsewhere)).result).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('it was made for'),
    })
    expect((await run('apply plan.json --env production')).result).toMatchObject({ code: 0, stderr: '' })
  })

  it('is not what a saved plan was made for under a variable, until a flag says so', async () => {
    const run = await twoEnvironments()
    // The same service by another name.
    const url = service.url.replace('127.0.0.1', 'localhost')
    await run('plan --env production --out plan.json', { VEXIL_BASE_URL: url })
    const refused = await run('apply plan.json --env production', { VEXIL_BASE_URL: url })
    expect(refused.result).toMatchObject({ code: 3, stderr: expect.stringContaining('refusing to write') })
    expect(refused.requests).toEqual([])
    const meant = await run(`apply plan.json --env production --base-url ${url}`, { VEXIL_BASE_URL: url })
    expect(meant.result).toMatchObject({ code: 0 })
    expect(meant.requests.filter(isWrite)).not.toEqual([])
  })
})

describe('without --env', () => {
  it('a variable wins over the only environment, and says so', async () => {
    await write({
      'vexil.yaml': `version: 1
roles: { support: 01900000-0000-0000-0000-0000000000aa }
environments: { production: { project: "2" } }
`,
    })
    const { code, stdout, stderr } = await vexil('apply --auto-approve')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'VEXIL_PROJECT_ID=1 wins over project "2" of environment production in vexil.yaml\n',
    })
    expect(stdout.split('\n')[0]).toBe(
      `MEDIUM risk: plan for production (project 1 from VEXIL_PROJECT_ID, ${service.url})`,
    )
  })
})

describe('the first line of a plan', () => {
  it.each([
    ['plan --env production', {}, 'project 1 from vexil.yaml'],
    ['plan --env production --project 1', {}, 'project 1 from --project'],
    ['plan --env production', { VEXIL_PROJECT_ID: '1' }, 'project 1 from VEXIL_PROJECT_ID'],
    ['plan --env production', { POSTHOG_PROJECT_ID: '1' }, 'project 1 from POSTHOG_PROJECT_ID'],
  ])('%s with %j says where the project is from', async (line, env, place) => {
    const run = await twoEnvironments()
    const { result } = await run(line, env)
    expect(result.stdout.split('\n')[0]).toBe(`MEDIUM risk: plan for production (${place}, ${service.url})`)
  })

  it('is followed, at the end, by an apply that names the place where a variable would be refused', async () => {
    const run = await twoEnvironments()
    const door = service.url.replace('127.0.0.1', 'localhost')
    const env = { VEXIL_BASE_URL: door }
    const next = async (flags: string) =>
      (await run(`plan --env production${flags}`, env)).result.stdout.trim().split('Next: ').at(-1)
    expect(await next('')).toBe(`vexil apply --env production --base-url ${door}`)
    const saved = `vexil apply plan.json --env production --base-url ${door}   (valid`
    expect((await next(' --out plan.json'))?.startsWith(saved)).toBe(true)
    const { result } = await run(`apply --env production --base-url ${door} --auto-approve`, env)
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })
})
