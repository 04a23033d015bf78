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
const schema = '{ "type": "object", "required": ["key"] }'

interface Kind {
  readonly files: Readonly<Record<string, string>>
  /** The one that gets a mark; what commands have written where `files` lacks it. */
  readonly file: string
  readonly before?: readonly string[]
  readonly command: string
  /** Whether the command does something that it cannot do twice. */
  readonly isOnce?: true
  /** Standard input of the command is the file. */
  readonly isInput?: true
}

const kinds: Readonly<Record<string, Kind>> = {
  declarations: { files: { 'flags.yaml': flags }, file: 'flags.yaml', command: 'plan --json' },
  settings: {
    files: { 'vexil.yaml': settings, 'flags.yaml': flags },
    file: 'vexil.yaml',
    command: 'plan --json',
  },
  'a schema of a policy': {
    files: {
      'vexil.yaml': 'version: 1\npolicies: { schemas: { feature_flags: flag.schema.json } }\n',
      'flag.schema.json': schema,
      'flags.yaml': flags,
    },
    file: 'flag.schema.json',
    command: 'validate --json',
  },
  'a manifest of a plugin': {
    files: {
      'plugins.yaml':
        'plugins:\n  geo:\n    plugin_type: source\n    source: { plugin.json: { file: geo/plugin.json }, index.ts: { file: geo/index.ts } }\n',
      'geo/plugin.json': '{"name": "geo"}',
      'geo/index.ts': 'export {}\n',
    },
    file: 'geo/plugin.json',
    command: 'validate --json',
  },
  'a plan': {
    files: { 'flags.yaml': flags },
    file: 'plan.json',
    before: ['plan --out plan.json'],
    command: 'show plan.json --json',
  },
  'a plan that was reviewed': {
    files: { 'flags.yaml': flags },
    file: 'plan.json',
    before: ['plan --out plan.json'],
    command: 'plan --reviewed plan.json --json',
  },
  'a plan of Terraform': {
    files: { 'plan.json': planJson() },
    file: 'plan.json',
    command: 'plan --plan-json plan.json --json',
  },
  'a plan of Terraform that is shown': {
    files: { 'plan.json': planJson() },
    file: 'plan.json',
    command: 'show --terraform-plan plan.json --json',
  },
  'a state of Terraform': {
    files: { 'terraform.tfstate': state },
    file: 'terraform.tfstate',
    command: 'export --from-state terraform.tfstate -d taken',
    isOnce: true,
  },
  'a stack': {
    files: { 'out/stacks/shop/cdk.tf.json': stack },
    file: 'out/stacks/shop/cdk.tf.json',
    command: 'plan --stack out/stacks/shop --var share=5 --json',
  },
  'variables of a stack': {
    files: { 'out/stacks/shop/cdk.tf.json': stack, 'out/stacks/shop/terraform.tfvars.json': '{"share": 5}' },
    file: 'out/stacks/shop/terraform.tfvars.json',
    command: 'plan --stack out/stacks/shop --json',
  },
  'the manifest of stacks': {
    files: { 'out/stacks/shop/cdk.tf.json': stack, 'out/manifest.json': manifest },
    file: 'out/manifest.json',
    command: 'plan --stack out --var share=5 --json',
  },
  'the settings of an app': {
    files: {
      'out/stacks/shop/cdk.tf.json': stack,
      'out/manifest.json': manifest,
      'cdktf.json': '{"output": "out"}',
    },
    file: 'cdktf.json',
    command: 'plan --stack shop --var share=5 --json',
  },
  'a record of a run': {
    files: { 'flags.yaml': flags },
    file: 'run.json',
    before: ['apply --auto-approve'],
    command: 'history run.json --json',
    isOnce: true,
  },
  'tests beside flags': {
    files: {
      'flags.yaml': flags,
      'tests.yaml':
        'persons: { ada: { distinct_id: ada } }\ntests:\n  checkout: [ { person: ada, expect: false } ]\n',
    },
    file: 'tests.yaml',
    command: 'test --json',
  },
  'types of keys': {
    files: { 'flags.yaml': flags },
    file: 'keys.ts',
    before: ['keys --ts --out keys.ts'],
    command: 'keys --ts --out keys.ts --check',
  },
  'a state on standard input': {
    files: { 'terraform.tfstate': state },
    file: 'terraform.tfstate',
    command: 'export --from-state - -d taken',
    isOnce: true,
    isInput: true,
  },
  'a body on standard input': {
    files: { 'body.json': '{"key": "made", "active": false}' },
    file: 'body.json',
    command: 'call feature_flag.create --body -',
    isOnce: true,
    isInput: true,
  },
  'declarations on standard input': {
    files: { 'flags.yaml': flags },
    file: 'flags.yaml',
    command: 'fmt -',
    isInput: true,
  },
  'a body': {
    files: { 'body.json': '{"key": "made", "active": false}' },
    file: 'body.json',
    command: 'call feature_flag.create --body @body.json',
    isOnce: true,
  },
}

/** What a command says, without what differs from one time to the next. */
function timeless(text: string): string {
  return text
    .replace(/"?\d{4}-\d\d-\d\dT[\d:.]+Z"?|\d{8}T\d+Z-\w+/g, 'TIME')
    .replace(/"(digest|created_at|commit)": "[^"]*"/g, '')
}

async function said(kind: Kind, change: (bytes: Buffer) => Buffer = bytes => bytes) {
  const { files, file, before = [], command, isInput } = kind
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
    const plain = kind.isOnce ? undefined : await said(kind)
    const marked = await said(kind, bytes => Buffer.concat([mark, bytes]))
    expect(marked.code, marked.stderr).toBe(0)
    expect(marked).toEqual(plain ?? marked)
  })

  it('is refused in UTF-16, and not read as nothing', async () => {
    const answer = await said(kind, bytes => Buffer.from(`\ufeff${bytes}`, 'utf16le'))
    expect(answer.code).not.toBe(0)
    const told = `${answer.stdout}${answer.stderr}`
    expect(told).toContain('UTF-16')
    expect(told).toContain(kind.isInput ? 'standard input' : basename(kind.file))
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
      stderr: 'vexil: the key file "key" is UTF-16, as PowerShell 5 writes it; save it as UTF-8\n',
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
    expect(stderr).toContain('it holds something else than')
    expect(await readFile(join(path, file))).toEqual(other)
  })
})
