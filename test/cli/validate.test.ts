import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\n',
  'flags/a.yaml': 'feature_flags:\n  one:\n    tgas: []\n    active: false\n    filters: {}\n',
  'flags/b.yaml': 'feature_flags:\n  two:\n    active: "yes"\n    filters: {}\n    role_access: [nobody]\n',
})
const { vexil, service, write } = workspace

describe('vexil validate', () => {
  it('tells every problem of every file with its line, without asking the service', async () => {
    const { result, requests } = await service.watch(() => vexil('validate', { env: {} }))
    expect(requests).toEqual([])
    expect(result).toMatchObject({ code: 1, stdout: '3 files checked: 3 errors\n' })
    const places = result.stderr.split('\n').filter(line => line.startsWith('flags/'))
    expect(places).toEqual([
      'flags/a.yaml:3:5 feature_flag "one": "tgas" is not a field of a flag; did you mean "tags"?',
      expect.stringMatching(/^flags\/b\.yaml:3:13 feature_flag "two": /),
      expect.stringMatching(/^flags\/b\.yaml:5:19 feature_flag "two": .*"nobody"/),
    ])
    expect(result.stderr).toContain('> 3 |     tgas: []\n    |     ^')
  })

  it('refuses an environment that is not there', async () => {
    await write({ 'vexil.yaml': 'version: 1\nenvironments: { production: { project: "1" } }\n' })
    const { code, stderr } = await vexil('validate --env prodution')
    expect(code).toBe(1)
    expect(stderr).toContain('did you mean "production"?')
  })

  it('gives them as data with --json', async () => {
    const { code, stdout, stderr } = await vexil('validate --json')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const { files, problems } = JSON.parse(stdout)
    expect(files).toEqual(['vexil.yaml', 'flags/a.yaml', 'flags/b.yaml'])
    expect(problems).toHaveLength(3)
    expect(problems[0]).toMatchObject({
      code: 'unknown-key',
      severity: 'error',
      address: 'feature_flag.one',
      source: { file: 'flags/a.yaml', line: 3, column: 5 },
    })
  })

  it.each(['validate', 'validate --json', 'plan'])(
    'annotates the lines of a pull request for %s in GitHub Actions',
    async command => {
      await write({
        'sub/vexil.yaml': 'version: 1\n',
        'sub/a,b.yaml': 'feature_flags: { one: { tgas: [], active: false, filters: {} } }\n',
      })
      const env = { ...service.env, GITHUB_ACTIONS: 'true' }
      const { stderr } = await vexil(`${command} -C sub`, { env })
      expect(stderr.split('\n').filter(line => line.startsWith('::'))).toEqual([
        '::error file=sub/a%2Cb.yaml,line=1,col=25::feature_flag "one": "tgas" is not a field of a flag; did you mean "tags"?',
      ])
      const elsewhere = await vexil(`${command} -C sub`)
      expect(elsewhere.stderr).not.toContain('::error')
    },
  )

  it('warns of what is allowed and may be meant otherwise, and ends well', async () => {
    await write({
      'sub/vexil.yaml': 'version: 1\n',
      'sub/flags.yaml': 'feature_flags: { open: { name: Open } }\n',
    })
    const { code, stdout, stderr } = await vexil('validate -C sub')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 files checked: 1 warning\n' })
    expect(stderr).toMatch(/^flags.yaml:1:18 warning: feature_flag "open": /)
  })

  it('stops a plan before it asks the service', async () => {
    const { result, requests } = await service.watch(() => vexil('plan'))
    expect(requests).toEqual([])
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/\nvexil: 3 errors\n$/)
  })

  it('says that a folder is not there', async () => {
    for (const command of ['validate', 'plan', 'export', 'call event.list'].map(
      each => `${each} -C nowhere`,
    )) {
      const { code, stderr } = await vexil(command)
      expect(code, command).toBe(1)
      expect(stderr).toMatch(/the folder ".*nowhere" cannot be read \(ENOENT\); check the name of the folder/)
    }
  })
})

describe('warnings', () => {
  const odd =
    'feature_flags: { open: { name: Open }, odd: { active: true, filters: { groups: [], zigzag: 1 } } }\n'

  it('are counted by a plan, in one line that says where they are', async () => {
    await write({ 'my sub/vexil.yaml': 'version: 1\n', 'my sub/flags.yaml': odd })
    const inside = { code: 0, stderr: "2 warnings: vexil validate -C 'my sub' shows them\n" }
    expect(await vexil(['plan', '-C', 'my sub'])).toMatchObject(inside)
    expect(await vexil(['drift', '-C', 'my sub'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(inside.stderr),
    })
    expect((await vexil(['apply', '-C', 'my sub', '--auto-approve'])).stderr).toContain(inside.stderr)
    await write({ 'my sub/flags.yaml': 'feature_flags: { open: { name: Open } }\n' })
    expect((await vexil(['plan', '-C', 'my sub'])).stderr).toBe(
      "1 warning: vexil validate -C 'my sub' shows it\n",
    )
  })
})

describe('a percentage that is misspelt', () => {
  it('stops a plan that would release to everybody', async () => {
    const filters = '{ groups: [{ rollout_percentge: 5 }] }'
    await write({
      'sub/vexil.yaml': 'version: 1\n',
      'sub/flags.yaml': `feature_flags: { new: { active: true, filters: ${filters} } }\n`,
    })
    for (const command of ['plan -C sub', 'apply -C sub --auto-approve', 'drift -C sub']) {
      const { result, requests } = await service.watch(() => vexil(command))
      expect({ code: result.code, requests }, command).toEqual({ code: 1, requests: [] })
      expect(result.stderr).toContain('did you mean "rollout_percentage"?')
    }
  })
})

describe('a folder without vexil.yaml', () => {
  it('is said to be one first, and its other files are not complained about', async () => {
    const { path } = workspace()
    await write({ 'sub/docker-compose.yml': 'services: {}\n', 'sub/other.yaml': 'a: 1\nb: [\n' })
    const words = `there is no vexil.yaml in "${path}/sub"; run \`vexil init\` to begin here, or name another folder with -C\n\n`
    expect(await vexil('validate -C sub')).toEqual({
      code: 1,
      stdout: '0 files checked: 1 error\n',
      stderr: words,
    })
    expect(await vexil('plan -C sub')).toEqual({ code: 1, stdout: '', stderr: `${words}vexil: 1 error\n` })
  })

  it('is said to be one before the problems that it has', async () => {
    await write({ 'sub/flags.yaml': 'feature_flags: { one: { tgas: [], active: false, filters: {} } }\n' })
    for (const command of ['plan -C sub', 'validate -C sub']) {
      const { code, stderr } = await vexil(command)
      expect(code, command).toBe(1)
      expect(stderr).toMatch(/^warning: there is no vexil\.yaml in "[^\n]+\n\nflags\.yaml:1:25 /)
    }
  })

  it('is no obstacle to what needs no declarations', async () => {
    await write({ 'sub/other.yaml': 'a: 1\n' })
    expect(await vexil('call feature_flag.list -C sub')).toMatchObject({ code: 0 })
    expect(await vexil('export -C sub -d sub/live')).toMatchObject({ code: 0 })
  })
})
