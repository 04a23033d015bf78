import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder, writeFiles } from '../support/folder.ts'

const files = {
  'note.txt': 'grüße\n',
  'deep/a.json': '{"a": 1}',
  'deep/.hidden.json': '{}',
  'deep/er/b.json': '{}',
  'odd/é.txt': '',
  'greeting.tftpl': '%{ for name in names ~}\nhello ${name}\n%{ endfor ~}\n',
  'number.tftpl': '${count + 1}',
  'nested.tftpl': '${templatefile("number.tftpl", { count = 1 })}',
  'marked.tftpl': '\ufeff${_own}',
  'null.tftpl': '${null}',
  'lost.tftpl': '${try(lost, 1)}%{ if false }${lost}%{ endif }',
}

/** What the value of a local comes to as the name of a flag, or the problem that it is. */
async function nameOf(expression: string, prepare?: (folder: string) => Promise<unknown>): Promise<unknown> {
  return inFolder({}, async directory => {
    const folder = join(directory, 'stacks', 'flags')
    const flag = { key: 'flag', active: false, name: `\${jsonencode(${expression})}` }
    await writeFiles(directory, { 'secret.txt': 'outside' })
    await writeFiles(folder, {
      ...files,
      'cdk.tf.json': JSON.stringify({ resource: { vexil_feature_flag: { flag } } }),
    })
    await prepare?.(folder)
    const { declarations, problems } = await loadStack({ folder, directory, variables: new Map(), env: {} })
    const [first] = problems
    return first
      ? problemLine({ ...first, source: undefined } as never)
      : JSON.parse(String(declarations.desired[0]?.fields.name))
  })
}

it.each([
  ['file("note.txt")', 'grüße\n'],
  ['file("./deep/../note.txt")', 'grüße\n'],
  ['file("${path.module}/note.txt")', 'grüße\n'],
  ['file("${path.root}/deep/a.json")', '{"a": 1}'],
  ['file("${path.cwd}/note.txt") == file("note.txt")', true],
  ['jsondecode(file("deep/a.json")).a', 1],
  ['filebase64("deep/a.json")', 'eyJhIjogMX0='],
  ['fileexists("note.txt")', true],
  ['fileexists("nothing.txt")', false],
  ['filemd5("note.txt") == md5(file("note.txt"))', true],
  ['filebase64sha256("note.txt") == base64sha256(file("note.txt"))', true],
  ['filesha512("note.txt") == sha512(file("note.txt"))', true],
  ['fileset("deep", "*.json")', ['.hidden.json', 'a.json']],
  ['fileset(".", "**/*.json")', ['cdk.tf.json', 'deep/.hidden.json', 'deep/a.json', 'deep/er/b.json']],
  ['fileset("deep", "{a,b}.json")', ['a.json']],
  ['fileset("nowhere", "*")', []],
  ['fileset("deep", "[^b].json")', ['a.json']],
  ['fileset("deep", "/a.json")', ['a.json']],
  ['fileset("deep", ".//")', []],
  ['fileset("deep", "**/")', ['.hidden.json', 'a.json', 'er/b.json']],
  ['fileset("deep", "a.json/**")', []],
  ['fileset("odd", "*")', ['é.txt']],
  ['templatefile("marked.tftpl", { _own = "x" })', 'x'],
  ['templatefile("greeting.tftpl", { names = ["a", "b"] })', 'hello a\nhello b\n'],
  ['templatefile("number.tftpl", { count = 41 })', 42],
  ['terraform.workspace', 'default'],
])('%s', async (expression, value) => {
  expect(await nameOf(expression)).toEqual(value)
})

it.each([
  ['file("../../secret.txt")', 'file(): "../../secret.txt" is outside the folder of the stack'],
  ['file("/etc/hostname")', 'file(): "/etc/hostname" is outside the folder of the stack'],
  ['file("../../nothing.txt")', 'file(): "../../nothing.txt" is outside the folder of the stack'],
  ['fileexists("../../nothing.txt")', 'fileexists(): "../../nothing.txt" is outside the folder of the stack'],
  ['fileset(".", "../*")', 'fileset(): "../*" is outside the folder of the stack'],
  ['fileset("..", "*")', 'fileset(): ".." is outside the folder of the stack'],
  ['file("deep")', 'file(): "deep" is not a file'],
  ['fileexists("deep")', 'fileexists(): "deep" is not a file'],
  ['file("nothing.txt")', 'file(): the file "nothing.txt" does not exist in the folder of the stack'],
  ['templatefile("number.tftpl", {})', 'templatefile(): the template asks for count, which it is not given'],
  ['templatefile("lost.tftpl", {})', 'templatefile(): the template asks for lost, which it is not given'],
  ['templatefile("null.tftpl", {})', 'templatefile(): the template comes to null'],
  [
    'fileset("deep", "[!b].json")',
    'fileset(): Vexil does not support the pattern "[!b].json"; use *, ?, [...], [^...] and {...} without nesting, and ** between slashes',
  ],
  [
    'fileset("deep", "{a,{b,c}}.json")',
    'fileset(): Vexil does not support the pattern "{a,{b,c}}.json"; use *, ?, [...], [^...] and {...} without nesting, and ** between slashes',
  ],
  ['fileset("deep", "[")', 'fileset(): "[" is not a valid pattern'],
  ['fileset(".", "{deep/a,note}.*")', 'fileset(): "{deep/a,note}.*" is not a valid pattern'],
  [
    'fileset("deep", "**.json")',
    'fileset(): Vexil does not support the pattern "**.json"; use *, ?, [...], [^...] and {...} without nesting, and ** between slashes',
  ],
  ...[
    '*.{json}',
    '{[ab]}.json',
    '{x}/*.json',
    '(a).json',
    '[[:alpha:]].json',
    '{a..c}.json',
    '[a-].json',
  ].map(pattern => [
    `fileset("deep", "${pattern}")`,
    `fileset(): Vexil does not support the pattern "${pattern}"; use *, ?, [...], [^...] and {...} without nesting, and ** between slashes`,
  ]),
  ['fileset("note.txt", "*")', 'fileset(): the pattern is in "note.txt", which is a file; write a folder'],
  [
    'fileset("d*", "*")',
    'fileset(): the folder "d*" has characters of patterns in its name; use a name without characters of patterns',
  ],
  ['fileset("odd", "*.txt")', 'fileset(): Terraform may not match the name "é.txt" with "*.txt"'],
  ['templatefile("number.tftpl", "x")', 'templatefile(): its variables are a text and not a map'],
  ['templatefile("nested.tftpl", {})', 'templatefile(): a template within a template'],
])('%s is refused', async (expression, words) => {
  expect(await nameOf(expression)).toContain(`vexil_feature_flag.flag.name: function ${words}`)
})

it('a symbolic link out of the folder is refused, and one inside is followed', async () => {
  const link = (target: string) => (folder: string) => symlink(target, join(folder, 'link.txt'))
  expect(await nameOf('file("link.txt")', link('../../secret.txt'))).toContain(
    '"link.txt" is outside the folder of the stack',
  )
  expect(await nameOf('file("link.txt")', link('note.txt'))).toBe('grüße\n')
  expect(await nameOf('fileset(".", "link*")', link('note.txt'))).toEqual(['link.txt'])
})

describe('fileset, as in Terraform,', () => {
  const among = (links: Readonly<Record<string, string>>) => async (folder: string) => {
    for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, 'deep', name))
  }

  it('goes through links to folders', async () => {
    expect(await nameOf('fileset("deep", "way/*")', among({ way: 'er' }))).toEqual(['way/b.json'])
    expect(await nameOf('fileset("deep", "**/b.json")', among({ way: 'er' }))).toEqual([
      'er/b.json',
      'way/b.json',
    ])
  })

  it.each([
    [{ out: '../../../secret.txt' }, '*', '"deep/out" is outside the folder of the stack'],
    [{ out: '../../..' }, 'out/*', '"deep/out" is outside the folder of the stack'],
    [
      { gone: 'nowhere' },
      'g*',
      'vexil_feature_flag.flag.name: function fileset(): the file "deep/gone" does not exist in the folder of the stack; let the app copy the file: new TerraformAsset(...)',
    ],
    [{ up: '..' }, '**', '"deep/up/deep" is a link to a folder that contains it'],
  ])('never passes over %o with %s', async (links, pattern, words) => {
    expect(await nameOf(`fileset("deep", "${pattern}")`, among(links))).toContain(words)
  })

  it('leaves alone links that a pattern does not mean', async () => {
    const links = { out: '../../../secret.txt', away: '../../..', gone: 'nowhere', up: '..' }
    expect(await nameOf('fileset("deep", "*.json")', among(links))).toEqual(['.hidden.json', 'a.json'])
  })
})
