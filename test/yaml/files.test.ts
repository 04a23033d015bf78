import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { loadRepository, readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { load } from './a-repository.ts'

const flag = (key: string, more = '') => `${more}feature_flags: { ${key}: { active: true, filters: {} } }\n`
const settled = { 'vexil.yaml': 'version: 1' }
const code = `export const a = \`$\{b} $\{env:NOT_A_REFERENCE}\`\r\n`
const check = (directory: string) => readDeclared({ directory, env: {} })

describe('the files of a repository', () => {
  it('are all YAML files but settings, dot folders and node_modules', async () => {
    const directory = await folderOfTest({
      'vexil.yaml': 'version: 1',
      'a.yaml': flag('a'),
      'teams/b.yml': flag('b'),
      'teams/vexil.yaml': 'version: 1',
      '.github/c.yaml': 'on: push',
      '.d.yaml': 'x: 1',
      'node_modules/p/e.yaml': 'x: 1',
      'notes.txt': 'x: 1',
    })
    expect(await check(directory)).toMatchObject({
      files: ['vexil.yaml', 'a.yaml', 'teams/b.yml'],
      problems: [],
    })
  })

  it('are those that the settings name', async () => {
    const directory = await folderOfTest({
      'vexil.yaml': 'version: 1\nfiles: [flags/*.yaml, "one[1].yaml"]',
      'flags/a.yaml': flag('a'),
      'flags/deep/b.yaml': 'x: 1',
      'one1.yaml': flag('one'),
      'other.yaml': 'x: 1',
    })
    expect(await check(directory)).toMatchObject({
      files: ['vexil.yaml', 'flags/a.yaml', 'one1.yaml'],
      problems: [],
    })
  })

  it('may be missing altogether', async () => {
    expect((await load(settled)).problems).toEqual([
      {
        code: 'no-declarations',
        severity: 'warning',
        message: 'there are no files of declarations',
        hint: 'write a file such as flags/example.yaml; `vexil init` creates it for you',
      },
    ])
  })

  it('must be in a folder that exists', async () => {
    const directory = join(await folderOfTest({}), 'nowhere')
    const { problems, declarations } = await loadRepository({ directory, env: {} })
    expect(problems.map(problemLine)).toEqual([
      `the folder "${directory}" cannot be read (ENOENT); check the name of the folder`,
    ])
    expect(declarations).toEqual({ desired: [], ownedGrants: [] })
  })

  it('may be empty', async () => {
    expect(
      (await load({ 'a.yaml': '', 'b.yaml': '# later\n', 'c.yaml': 'feature_flags:\n' })).problems,
    ).toEqual([])
  })
})

describe('include', () => {
  const only = { 'vexil.yaml': 'version: 1\nfiles: [main.yaml]' }

  it('reads other files, each once', async () => {
    const directory = await folderOfTest({
      ...only,
      'main.yaml': flag('main', 'include: [teams/*.yaml, teams/a.yaml]\n'),
      'teams/a.yaml': flag('a', 'include: [../shared.yaml]\n'),
      'teams/b.yaml': flag('b', 'include: [../shared.yaml]\n'),
      'shared.yaml': flag('shared'),
    })
    expect(await check(directory)).toMatchObject({
      files: ['vexil.yaml', 'main.yaml', 'shared.yaml', 'teams/a.yaml', 'teams/b.yaml'],
      problems: [],
    })
  })

  it('may lead in circles, and back to the file itself', async () => {
    const directory = await folderOfTest({
      ...only,
      'main.yaml': flag('main', 'include: ["[am]*.yaml"]\n'),
      'a.yaml': flag('a', 'include: [main.yaml]\n'),
    })
    expect(await check(directory)).toMatchObject({
      files: ['vexil.yaml', 'a.yaml', 'main.yaml'],
      problems: [],
    })
  })

  it.each(['../out.yaml', '/etc/passwd', '**/../../../*', '{..,x}/*.yaml', 'C:/x.yaml', '..\\out.yaml'])(
    'refuses to leave the repository by %s',
    async pattern => {
      const { problems } = await load({ ...settled, 'a.yaml': `include: [${JSON.stringify(pattern)}]` })
      expect(problems.map(({ code }) => code)).toEqual(['outside-repository'])
    },
  )
})

describe('a link', () => {
  it('to a file outside is refused, however it is found', async () => {
    const outside = await folderOfTest({ 'secret.yaml': 'password: x', 'index.ts': 'secret' })
    const directory = await folderOfTest({
      ...settled,
      'a.yaml': 'include: [sub/*.yaml]\nplugins: { p: { source: { index.ts: { file: code.ts } } } }\n',
    })
    await mkdir(join(directory, 'sub'))
    await symlink(join(outside, 'secret.yaml'), join(directory, 'sub/link.yaml'))
    await symlink(join(outside, 'index.ts'), join(directory, 'code.ts'))
    const { problems, files } = await check(directory)
    expect(files).toEqual(['vexil.yaml', 'a.yaml'])
    expect(problems.map(problemLine)).toEqual([
      'a.yaml:1:11 "sub/link.yaml" leads out of the repository; copy the file into the repository',
      'a.yaml:2:45 plugin "p": "code.ts" leads out of the repository; copy the file into the repository',
      'sub/link.yaml:1:1 "sub/link.yaml" leads out of the repository; copy the file into the repository',
    ])
  })

  it('to settings outside is refused', async () => {
    const outside = await folderOfTest({ 'vexil.yaml': 'version: 1' })
    const directory = await folderOfTest({ 'a.yaml': flag('a') })
    await symlink(join(outside, 'vexil.yaml'), join(directory, 'vexil.yaml'))
    expect((await check(directory)).problems.map(problemLine)).toEqual([
      'vexil.yaml:1:1 this is a link that leads out of the repository; copy the file into the repository',
    ])
  })

  it('to a folder outside is not followed', async () => {
    const outside = await folderOfTest({ 'secret.yaml': 'password: x' })
    const directory = await folderOfTest({ 'a.yaml': flag('a') })
    await symlink(outside, join(directory, 'sub'))
    expect(await check(directory)).toMatchObject({ files: ['a.yaml'], problems: [] })
  })

  it('inside is the file that it leads to', async () => {
    const directory = await folderOfTest({ 'a.yaml': flag('a') })
    await symlink('a.yaml', join(directory, 'b.yaml'))
    await symlink('.', join(directory, 'again'))
    expect(await check(directory)).toMatchObject({ files: ['a.yaml'], problems: [] })
  })
})

describe('the source files of a plugin', () => {
  it('are read from beside the declaration, written out, or removed', async () => {
    const { declarations, problems } = await load({
      'plugins/p.yaml': `plugins:
  p:
    source:
      index.ts: { file: code/index.ts }
      inline.ts: "\`$\${x}\`"
      old.ts: null
`,
      'plugins/code/index.ts': code,
    })
    expect(problems).toEqual([])
    expect(declarations.desired).toEqual([
      {
        address: 'plugin.p',
        kind: 'plugin',
        identity: 'p',
        ensure: 'present',
        fields: {},
        files: {
          'index.ts': code,
          'inline.ts': `\`$\{x}\``,
          'old.ts': null,
        },
        source: { file: 'plugins/p.yaml', line: 2, column: 3 },
      },
    ])
  })

  it('must be files', async () => {
    const directory = await folderOfTest({
      ...settled,
      'a.yaml': 'plugins: { p: { source: { index.ts: { file: sub } } } }',
    })
    await mkdir(join(directory, 'sub'))
    await writeFile(join(directory, 'sub/x'), '')
    expect((await check(directory)).problems.map(problemLine)).toEqual([
      'a.yaml:1:45 plugin "p": "sub": this is not a file; write the path of a file',
    ])
  })
})
