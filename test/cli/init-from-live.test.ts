import { describe, expect, it } from 'vitest'
import { flagsPath, organization, support, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write, read, list } = workspace

async function threeLiveFlags(): Promise<void> {
  const filters = { groups: [{ properties: [], rollout_percentage: 10 }] }
  for (const key of ['checkout', 'dark_mode', 'search'])
    await service.send('POST', `${flagsPath}/`, { key, name: key, active: true, filters })
  await service.send('POST', `${flagsPath}/1/role_access/`, { role_id: support })
}

/** Somebody at a terminal who answers questions in turn. */
function person(...answers: readonly string[]) {
  const questions: string[] = []
  const rest = [...answers]
  const ask = async (question: string) => {
    questions.push(question)
    return rest.shift() ?? ''
  }
  return { questions, ask }
}

const onlyKey = () => ({ VEXIL_API_KEY: service.env.VEXIL_API_KEY })

describe('vexil init --from-live', () => {
  it('asks for the place, checks it, writes what is live, plans, and says what to do next', async () => {
    await threeLiveFlags()
    const { ask, questions } = person(service.url, organization, ' 1 ')
    const before = await service.get(`${flagsPath}/`)
    const result = await vexil('init mine --from-live', { env: onlyKey(), host: { ask } })
    expect(questions.map(question => question.split(',')[0])).toEqual([
      'Address of the service',
      'Id of the organization',
      'Id of the project',
    ])
    expect(result).toMatchObject({ code: 0 })
    expect(await service.get(`${flagsPath}/`)).toEqual(before)
    const said = [
      'key ',
      'flags/feature_flags.yaml',
      '@ claims 3 flags: ',
      'wrote vexil.yaml',
      'Next: read the files',
    ]
    const places = said.map(words => result.stdout.indexOf(words))
    expect(places.filter(place => place < 0)).toEqual([])
    expect(result.stdout).toContain('0 to create, 0 to change, 3 to claim, 0 to delete, 0 blocked')
    expect(await list('mine')).toEqual(['.gitignore', 'flags', 'schemas', 'vexil.yaml'])
    const settings = await read('mine/vexil.yaml')
    for (const part of [service.url, organization, 'production:', 'project: "1"'])
      expect(settings).toContain(part)
    const again = await vexil('apply -C mine --auto-approve', { env: onlyKey() })
    expect(again.code).toBe(0)
    expect((await vexil('plan -C mine --detailed-exitcode', { env: onlyKey() })).code).toBe(0)
  })

  it('writes the key nowhere', async () => {
    await threeLiveFlags()
    await vexil('init --from-live', { env: service.env })
    const names = ['vexil.yaml', '.gitignore', ...(await list('flags')).map(name => `flags/${name}`)]
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) expect(await read(name)).not.toContain(service.env.VEXIL_API_KEY)
  })

  it('asks nothing where everything is said, and names the environment', async () => {
    await threeLiveFlags()
    const line = `init --from-live --env staging --base-url ${service.url} --project 1 --organization ${organization} --no-input`
    expect(await vexil(line, { env: onlyKey() })).toMatchObject({ code: 0 })
    expect(await read('vexil.yaml')).toContain('\n  staging:\n')
    expect(await read('flags/feature_flags.yaml')).toContain('checkout:')
  })

  it('prints one document with --json', async () => {
    await threeLiveFlags()
    const { code, stdout } = await vexil('init --from-live --json', { env: service.env })
    expect(code).toBe(0)
    const { files, next } = JSON.parse(stdout)
    expect(files).toContainEqual({ path: 'flags/feature_flags.yaml', state: 'wrote' })
    expect(next).toContain('vexil apply')
  })

  it.each([
    ['nobody is there', {}, ['--base-url (VEXIL_BASE_URL)', '--organization', '--project', 'VEXIL_API_KEY']],
    [
      'a pipeline runs it',
      { CI: 'true', VEXIL_BASE_URL: 'https://flags.example.com' },
      ['--organization', '--project', 'VEXIL_API_KEY'],
    ],
  ])('names what is missing where %s, and writes nothing', async (_, env, named) => {
    const { ask } = person('never asked')
    const { code, stderr } = await vexil('init --from-live', { env, host: 'CI' in env ? { ask } : {} })
    expect(code).toBe(64)
    for (const part of named) expect(stderr).toContain(part)
    if ('CI' in env) expect(stderr).not.toContain('--base-url')
    expect(await list('.')).toEqual([])
  })

  it.each([
    ['an empty answer', ['']],
    ['no project', ['https://flags.example.com', organization, ' ']],
  ])('writes nothing after %s', async (_, answers) => {
    const { code } = await vexil('init --from-live', { env: onlyKey(), host: person(...answers) })
    expect(code).toBe(64)
    expect(await list('.')).toEqual([])
  })

  it.each([
    ['doctor finds that the key is not taken', 'GET * status=401'],
    ['the list of flags is refused', 'GET /feature_flags status=403'],
    ['the list fails in the export', 'GET /feature_flags/*/role_access nth=2 status=400'],
  ])('leaves nothing where %s', async (_, fault) => {
    await threeLiveFlags()
    await write({ '.gitignore': 'node_modules\n', 'package.json': '{}\n' })
    service.faults(fault)
    const { code } = await vexil('init --from-live', { env: service.env })
    expect(code).not.toBe(0)
    expect(await list('.')).toEqual(['.gitignore', 'package.json'])
    expect(await read('.gitignore')).toBe('node_modules\n')
  })

  it.each([['vexil.yaml'], ['flags/mine.yaml']])('overwrites no %s', async file => {
    await threeLiveFlags()
    await write({ [file]: 'version: 1\n' })
    const before = await list('.')
    const { code, stderr } = await vexil('init --from-live', { env: service.env })
    expect(code).toBe(3)
    expect(stderr).toContain('already exists, and nothing is overwritten')
    expect(await list('.')).toEqual(before)
    expect(await read(file)).toBe('version: 1\n')
  })

  it('refuses an environment that no settings can name', async () => {
    expect(await vexil(['init', '--from-live', '-e', 'a: b'], { env: service.env })).toMatchObject({
      code: 64,
    })
    expect(await list('.')).toEqual([])
  })
})
