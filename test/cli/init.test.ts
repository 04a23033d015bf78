import { chmod, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../../src/policies/written-policies.ts'
import { parseYaml } from '../../src/yaml/index.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write, read, list } = workspace

describe('vexil init', () => {
  it('writes what a repository starts with, which is valid and says what to do next', async () => {
    expect(await vexil('init')).toEqual({
      code: 0,
      stdout:
        'wrote vexil.yaml\nwrote flags/example.yaml\nwrote schemas/declarations.schema.json\nwrote schemas/settings.schema.json\nwrote .gitignore\n\nNext: vexil plan --sandbox\n',
      stderr: '',
    })
    expect(await list('.')).toEqual(['.gitignore', 'flags', 'schemas', 'vexil.yaml'])
    expect(await vexil('validate')).toEqual({
      code: 0,
      stdout: '2 files checked: no problems\n',
      stderr: '',
    })
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 2 })
  })

  it('takes the place of the service from the environment, and never the key', async () => {
    await vexil('init')
    const settings = await read('vexil.yaml')
    expect(settings).toContain(`base_url: "${service.url}"`)
    expect(settings).toContain('project: "1"')
    expect(settings).not.toContain(service.env.VEXIL_API_KEY)
  })

  it('keeps what is there, and changes nothing the second time', async () => {
    await write({ 'vexil.yaml': 'version: 1\n', '.gitignore': 'node_modules' })
    expect((await vexil('init')).stdout).toBe(
      'kept  vexil.yaml\nwrote flags/example.yaml\nwrote schemas/declarations.schema.json\nwrote schemas/settings.schema.json\nwrote .gitignore\n\nNext: vexil plan --sandbox\n',
    )
    expect(await read('vexil.yaml')).toBe('version: 1\n')
    expect(await read('.gitignore')).toBe('node_modules\n.vexil/\n')
    expect((await vexil('init')).stdout).toBe(
      'kept  vexil.yaml\nkept  flags/example.yaml\nkept  schemas/declarations.schema.json\nkept  schemas/settings.schema.json\nkept  .gitignore\n\nNext: vexil plan --sandbox\n',
    )
    expect(await read('.gitignore')).toBe('node_modules\n.vexil/\n')
  })

  it('keeps what belongs to people, readable or not', async () => {
    const { path } = workspace()
    await write({ 'vexil.yaml': 'version: 1\n' })
    await chmod(join(path, 'vexil.yaml'), 0)
    const { code, stdout } = await vexil('init')
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'kept  vexil.yaml'])
  })

  const leadsNowhere = (path: string) => symlink('nowhere/at/all', path)
  const aFolder = (path: string) => mkdir(path)

  it.each<[string, string, (path: string) => Promise<unknown>, string]>([
    ['a folder', 'vexil.yaml', aFolder, 'is a folder'],
    ['a folder', 'flags/example.yaml', aFolder, 'is a folder'],
    ['a folder', 'schemas/settings.schema.json', aFolder, 'is a folder'],
    ['a folder', '.gitignore', aFolder, 'is a folder'],
    ['a link that leads nowhere', 'vexil.yaml', leadsNowhere, 'already exists'],
    ['a link that leads nowhere', 'schemas/declarations.schema.json', leadsNowhere, 'already exists'],
    ['a link that leads nowhere', '.gitignore', leadsNowhere, 'already exists'],
  ])('writes nothing where %s is in the place of %s', async (_, name, put, words) => {
    const { path } = workspace()
    await mkdir(join(path, name, '..'), { recursive: true })
    await put(join(path, name))
    const before = await list('.')
    const { code, stderr } = await vexil('init')
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^vexil: ".*${name}" ${words}`))
    expect(await list('.')).toEqual(before)
  })

  it('makes the folder that it is given, and says how to get there', async () => {
    const { stdout } = await vexil(['init', 'my flags'])
    expect(stdout).toContain("\nNext: vexil plan -C 'my flags' --sandbox\n")
    expect(await list('my flags')).toEqual(['.gitignore', 'flags', 'schemas', 'vexil.yaml'])
  })

  it.each(['vexil.yaml', 'flags/example.yaml'])(
    'leads an editor from %s to its schema, which fits',
    async file => {
      await vexil('init')
      const text = await read(file)
      const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
      // A relative address counts from the file that it stands in.
      const schema = JSON.parse(await read(join(dirname(file), address)))
      const ajv = new Ajv2020({ allowUnionTypes: true, formats: { uri: true } })
      addFormats.default(ajv, ['date-time', 'date', 'uuid', 'email'])
      expect(ajv.validate(schema, parseYaml(text, file).value), ajv.errorsText()).toBe(true)
      expect(ajv.validate(schema, { unknown: 1 })).toBe(false)
    },
  )

  it('proposes policies that work once they are no comment any more', async () => {
    await vexil('init')
    const text = await read('vexil.yaml')
    const [block = ''] = /^# policies:\n(?:# {2}.*\n)+/m.exec(text) ?? []
    await write({ 'vexil.yaml': text.replace(block, block.replaceAll(/^# /gm, '')) })
    const { problems } = JSON.parse((await vexil('validate --json')).stdout)
    // The flag of the start has neither an owner nor a day; nothing is wrong with the settings.
    expect(problems).toMatchObject([
      { code: 'policy-expiry', severity: 'warning', source: { file: 'flags/example.yaml' } },
      { code: 'policy-owner', severity: 'error', source: { file: 'flags/example.yaml' } },
    ])
    const proposed = Array.from(block.matchAll(/^# {3}(\w+):/gm), ([, name]) => name)
    expect(proposed.filter(name => !settingNames.some(known => known === name))).toEqual([])
    expect(proposed.length).toBeGreaterThan(3)
  })

  it('brings the schemas of an older version up to date, and touches nothing else', async () => {
    await vexil('init')
    const schema = await read('schemas/settings.schema.json')
    await write({ 'schemas/settings.schema.json': '{}', 'flags/example.yaml': '# mine\n' })
    expect((await vexil('init')).stdout).toContain('wrote schemas/settings.schema.json\n')
    expect(await read('schemas/settings.schema.json')).toBe(schema)
    expect(await read('flags/example.yaml')).toBe('# mine\n')
  })
})
