import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planJson } from '../support/plan-json.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write, records } = workspace
const mark = Buffer.from([0xef, 0xbb, 0xbf])

const flags =
  'feature_flags:\n  checkout: { active: true, filters: { groups: [ { rollout_percentage: 10 } ] } }\n'
const settings = 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n'
const stack = JSON.stringify({
  variable: { share: { type: 'number' } },
  provider: { vexil: [{}] },
  resource: {
    vexil_feature_flag: { a: { key: 'a', active: false, rollout_percentage: `${'$'}{var.share}` } },
  },
})
const manifest = JSON.stringify({
  version: '0.21.0',
  stacks: { shop: { name: 'shop', workingDirectory: 'stacks/shop', annotations: [], dependencies: [] } },
})
const state = JSON.stringify({
  version: 4,
  resources: [
    {
      ...{ mode: 'managed', type: 'posthog_feature_flag', name: 'a' },
      instances: [{ attributes: { id: 1, key: 'a', active: true, filters: '{"groups":[]}' } }],
    },
  ],
})
const body = '{"key": "made", "active": false}'
const schema = '{ "type": "object", "required": ["key"] }'

interface More {
  /** The file that gets a mark, where it is not the last one of `files`. */
  readonly file?: string
  readonly before?: readonly string[]
  /** Whether the command does something that it cannot do twice. */
  readonly isOnce?: true
  /** Standard input of the command is the file. */
  readonly isInput?: true
}

type Kind = readonly [files: Readonly<Record<string, string>>, command: string, more?: More]

const ofFlags = { 'flags.yaml': flags }
const ofStack = { 'out/stacks/shop/cdk.tf.json': stack }
const ofTerraform = { 'plan.json': planJson() }
const once = { isOnce: true } as const
const input = { isInput: true } as const
const saved = { file: 'plan.json', before: ['plan --out plan.json'] }

const kinds: Readonly<Record<string, Kind>> = {
  declarations: [ofFlags, 'plan --json'],
  settings: [{ ...ofFlags, 'vexil.yaml': settings }, 'plan --json'],
  'a schema of a policy': [
    {
      ...ofFlags,
      'vexil.yaml': 'version: 1\npolicies: { schemas: { feature_flags: flag.schema.json } }\n',
      'flag.schema.json': schema,
    },
    'validate --json',
  ],
  'a manifest of a plugin': [
    {
      'plugins.yaml':
        'plugins:\n  geo:\n    plugin_type: source\n    source: { plugin.json: { file: geo/plugin.json }, index.ts: { file: geo/index.ts } }\n',
      'geo/index.ts': 'export {}\n',
      'geo/plugin.json': '{"name": "geo"}',
    },
    'validate --json',
  ],
  'a plan': [ofFlags, 'show plan.json --json', saved],
  'a plan that was reviewed': [ofFlags, 'plan --reviewed plan.json --json', saved],
  'a plan of Terraform': [ofTerraform, 'plan --plan-json plan.json --json'],
  'a plan of Terraform that is shown': [ofTerraform, 'show --terraform-plan plan.json --json'],
  'a state of Terraform': [
    { 'terraform.tfstate': state },
    'export --from-state terraform.tfstate -d taken',
    once,
  ],
  'a stack': [ofStack, 'plan --stack out/stacks/shop --var share=5 --json'],
  'variables of a stack': [
    { ...ofStack, 'out/stacks/shop/terraform.tfvars.json': '{"share": 5}' },
    'plan --stack out/stacks/shop --json',
  ],
  'the manifest of stacks': [
    { ...ofStack, 'out/manifest.json': manifest },
    'plan --stack out --var share=5 --json',
  ],
  'the settings of an app': [
    { ...ofStack, 'out/manifest.json': manifest, 'cdktf.json': '{"output": "out"}' },
    'plan --stack shop --var share=5 --json',
  ],
  'a record of a run': [
    ofFlags,
    'history run.json --json',
    { ...once, file: 'run.json', before: ['apply --auto-approve'] },
  ],
  'tests beside flags': [
    {
      ...ofFlags,
      'tests.yaml':
        'persons: { ada: { distinct_id: ada } }\ntests:\n  checkout: [ { person: ada, expect: false } ]\n',
    },
    'test --json',
  ],
  'types of keys': [
    ofFlags,
    'keys --ts --out keys.ts --check',
    { file: 'keys.ts', before: ['keys --ts --out keys.ts'] },
  ],
  'a state on standard input': [
    { 'terraform.tfstate': state },
    'export --from-state - -d taken',
    { ...once, ...input },
  ],
  'a body on standard input': [
    { 'body.json': body },
    'call feature_flag.create --body -',
    { ...once, ...input },
  ],
  'declarations on standard input': [ofFlags, 'fmt -', input],
  'a body': [{ 'body.json': body }, 'call feature_flag.create --body @body.json', once],
}

const markedFile = ([files, , { file } = {}]: Kind) => file ?? Object.keys(files).at(-1) ?? ''

/** What a command says, without what differs from one time to the next. */
function timeless(text: string): string {
  return text
    .replace(/"?\d{4}-\d\d-\d\dT[\d:.]+Z"?|\d{8}T\d+Z-\w+/g, 'TIME')
    .replace(/"(digest|created_at|commit)": "[^"]*"/g, '')
}

async function said(kind: Kind, change: (bytes: Buffer) => Buffer = bytes => bytes) {
  const [files, command, { before = [], isInput } = {}] = kind
  const file = markedFile(kind)
  const { path } = workspace()
  await write(files)
  for (const line of before) expect((await vexil(line)).code).toBe(0)
  const named = join(path, file)
  if (file === 'run.json') await rename(join(path, '.vexil/runs', `${(await records())[0]}`), named)
  const bytes = change(await readFile(named))
  await writeFile(named, bytes)
  const { code, stdout, stderr } = await vexil(command, isInput ? { stdin: bytes } : {})
  return { code, stdout: timeless(stdout), stderr: timeless(stderr) }
}

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  it('is read as if without the mark of the byte order', async () => {
    const plain = kind[2]?.isOnce ? undefined : await said(kind)
    const marked = await said(kind, bytes => Buffer.concat([mark, bytes]))
    expect(marked.code, marked.stderr).toBe(0)
    expect(marked).toEqual(plain ?? marked)
  })

  it('is refused in UTF-16, and not read as nothing', async () => {
    const answer = await said(kind, bytes => Buffer.from(`\ufeff${bytes}`, 'utf16le'))
    expect(answer.code).not.toBe(0)
    const told = `${answer.stdout}${answer.stderr}`
    expect(told).toContain('UTF-16')
    expect(told).toContain(kind[2]?.isInput ? 'standard input' : basename(markedFile(kind)))
  })
})

describe('a file of the key', () => {
  it('is refused in UTF-16 by that, and not shown', async () => {
    const { path } = workspace()
    await write({ 'flags.yaml': flags })
    const { VEXIL_API_KEY: key = '', ...env } = service.env
    await writeFile(join(path, 'key'), Buffer.from(`\ufeff${key}`, 'utf16le'))
    const { code, stderr } = await vexil('plan', { env: { ...env, VEXIL_API_KEY_FILE: 'key' } })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'vexil: the key file "key" is UTF-16, which PowerShell 5 writes; save it as UTF-8\n',
    })
  })
})

describe('an earlier file that a command writes anew', () => {
  it.each([
    ['plan.json', 'plan --out plan.json'],
    ['drift.prom', 'drift --metrics drift.prom'],
  ])('is one with a mark as well, and in UTF-16 stays as it is: %s', async (file, line) => {
    const { path } = workspace()
    await write({ 'flags.yaml': flags })
    const { code } = await vexil(line)
    const text = await readFile(join(path, file), 'utf8')
    await writeFile(join(path, file), `\ufeff${text}`)
    expect((await vexil(line)).code).toBe(code)
    const other = Buffer.from(`\ufeff${text}`, 'utf16le')
    await writeFile(join(path, file), other)
    const { stderr } = await vexil(line)
    expect(stderr).toContain('it contains something other than')
    expect(await readFile(join(path, file))).toEqual(other)
  })
})
