import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': 'feature_flags: { checkout: { active: false, filters: {} } }\n',
})

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A service that answers to everything with what is given for the path and query. */
async function answering(answer: (url: URL) => string): Promise<Record<string, string>> {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(answer(new URL(request.url ?? '/', 'http://x')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    VEXIL_BASE_URL: `http://127.0.0.1:${port}`,
    VEXIL_API_KEY: 'phx_some_key',
    VEXIL_PROJECT_ID: '1',
    VEXIL_ORGANIZATION_ID: '01900000-0000-0000-0000-000000000001',
  }
}

const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`
const page = (row: string, more = '"count":1,"next":null') => `{${more},"previous":null,"results":[${row}]}`

describe.each([2_000, 100_000])('an answer that is nested %d deep', depth => {
  it.each([
    ...['plan', 'plan --json', 'drift', 'export', 'apply --auto-approve', 'call feature_flag.list'],
    ...['call feature_flag.list --all', 'call feature_flag.read id=1'],
  ])('ends %s in one line', async line => {
    const flag = `{"id":1,"key":"checkout","name":"","active":true,"deleted":false,"filters":${nested(depth)}}`
    const env = await answering(url => (url.pathname.includes('/feature_flags/1') ? flag : page(flag)))
    const { code, stderr } = await workspace().vexil(line, { env })
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/is nested deeper than 200 levels and cannot be used$/),
    ])
  })
})

describe('a list without an end', () => {
  it('is refused where it has always one more row', async () => {
    const env = await answering(url => {
      const from = Number(url.searchParams.get('offset') ?? 0)
      const more = `"count":${from + 2},"next":"?limit=1&offset=${from + 1}"`
      return page(`{"id":${from + 1},"key":"f${from}","deleted":false,"filters":{}}`, more)
    })
    const { code, stderr } = await workspace().vexil('call feature_flag.list --all', { env })
    expect(code).toBe(1)
    expect(stderr).toContain('has 1005 rows and goes on; is its list endless?')
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('a declaration that is nested too deep', () => {
  it.each([2_000, 100_000])('%d levels is a problem with its place', async depth => {
    const { vexil, write } = workspace()
    for (const text of [nested(depth), `${'['.repeat(depth)}${']'.repeat(depth)}`]) {
      await write({ 'flags.yaml': `feature_flags: { checkout: { filters: ${text} } }\n` })
      const { code, stdout, stderr } = await vexil('validate')
      expect(code).toBe(1)
      expect(stdout + stderr).not.toContain('call stack')
      expect(stderr).toMatch(
        /^flags\.yaml:1:\d+ values are nested more than 200 levels deep; use fewer levels\n/,
      )
    }
  })
})

describe('an answer that is larger than a page can be', () => {
  it.each(['export'])('ends %s in one line', async line => {
    const env = await answering(() => page('1,'.repeat(17_000_000).slice(0, -1)))
    const { code, stderr } = await workspace().vexil(line, { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^vexil: the answer to GET .* is larger than 32 MB and was not read; ask for less at once\n$/,
    )
  })
})

describe('a file that takes long to read if each part is compared with all others', () => {
  const much = 1_000_000
  const returns = '\r'.repeat(much)
  const files = {
    'settings/vexil.yaml': `version: 1\r${returns}`,
    'quoted/vexil.yaml': `version: 1\nroles: "${returns}"\n`,
    'stack/cdk.tf.json': `{"resource":${returns}{"vexil_feature_flag":{"a":{"key":3}}`,
    'quotes.yaml': `projects: ${'"'.repeat(much / 4)}`,
    'tags.yaml': `projects: ${'!a '.repeat(much / 8)}`,
    'tag.yaml': `projects: ${'!'.repeat(much)}`,
  }

  it.each([
    ['validate -C settings', '1 file checked: 1 warning\n'],
    ['validate -C quoted', '1 file checked: 1 error, 1 warning\n'],
    ['validate --stack stack', '2 files checked: 1 error\n'],
    [
      'sandbox --port 0 --world quotes.yaml',
      'quotes.yaml:1:13 unexpected double-quoted-scalar at node end\n',
    ],
    ['sandbox --port 0 --world tags.yaml', 'tags.yaml:1:14 a node can have at most one tag\n'],
    ['sandbox --port 0 --world tag.yaml', /tag\.yaml:1:11 .{200}\n/],
  ])(
    '%s comes to its end',
    async (line, words) => {
      const { vexil, write } = workspace()
      await write(files)
      const { stdout, stderr } = await vexil(line)
      if (typeof words === 'string') expect(stdout + stderr).toContain(words)
      else expect(stdout + stderr).toMatch(words)
      expect(stderr.length).toBeLessThan(5000)
    },
    60_000,
  )
})

describe('a folder of anybody', () => {
  it('is not searched through for declarations where it has no settings', async () => {
    const { vexil, path, service } = workspace()
    for (let folder = 0; folder < 51; folder++) {
      mkdirSync(join(path, `home/${folder}`), { recursive: true })
      for (let file = 0; file < 100; file++) writeFileSync(join(path, `home/${folder}/${file}.yaml`), '')
    }
    for (const command of ['pull', 'drift', 'plan', 'validate']) {
      const { requests, result } = await service.watch(() => vexil(`${command} -C home`))
      expect([result.code, requests], command).toEqual([1, []])
      expect(result.stderr).toContain(
        'has more than 5000 entries; run `vexil init` to begin here, or name another folder with -C\n',
      )
    }
    writeFileSync(join(path, 'home/vexil.yaml'), 'version: 1\n')
    expect((await vexil('validate -C home')).stdout).toContain('5101 files checked')
  })
})

describe('a pipe among the files of declarations', () => {
  const settings = 'version: 1\n'
  const flags = 'feature_flags: { checkout: { active: false, filters: {} } }\n'
  const workspace = useWorkspace({
    'vexil.yaml': settings,
    'flags/a.yaml': flags,
    'some/vexil.yaml': `${settings}files: ["flags/*.yaml"]\n`,
    'some/flags/a.yaml': flags,
    'bare/vexil.yaml': settings,
    'bare/flags/keep.txt': '',
  })

  it.skipIf(process.platform === 'win32').each([
    ['.', 'flags/z.yaml'],
    ['some', 'flags/z.yaml'],
    ['bare', 'flags/z.yml'],
  ])('is told and not waited for: in %s', async (folder, name) => {
    const { vexil, path } = workspace()
    execFileSync('mkfifo', [join(path, folder, name)])
    const { code, stderr } = await vexil(`validate -C ${folder}`)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${name}:1:1 this is not a file; `),
    })
  })
})

describe('what is no file', () => {
  const sorts: Readonly<Record<string, (path: string) => void>> = {
    'a symbolic link to a device': path => symlinkSync('/dev/zero', path),
    'a pipe that nobody writes to': path => void execFileSync('mkfifo', [path]),
    'a symbolic link to a pipe': path => {
      execFileSync('mkfifo', [`${path}.pipe`])
      symlinkSync(`${path}.pipe`, path)
    },
  }
  const flags = 'feature_flags: { checkout: { active: false, filters: {} } }\n'
  const files = {
    'vexil.yaml': 'version: 1\nfiles: [flags.yaml]\n',
    'listed/vexil.yaml': 'version: 1\nfiles: [flags.yaml, more.yaml]\n',
    'listed/flags.yaml': flags,
    'bare/flags.yaml': flags,
    'plugin/vexil.yaml': 'version: 1\n',
    'plugin/plugins.yaml':
      'plugins: { geo: { plugin_type: source, source: { index.ts: { file: index.ts } } } }\n',
  }
  const noFile = (what: string) => `${what} is a pipe or a device, not a file`
  // A file of a repository may be a link to another one of it, so where a link leads is looked at first.
  const inRepository = (name: string) =>
    new RegExp(
      `"?${name}"?(:1:1|:)? (this is a link that leads out of the repository; copy the file|leads out of the repository; copy the file|this is not a file; write the path of a file)`,
    )
  const uses: readonly (readonly [string, string, string, string | RegExp])[] = [
    ['declarations', 'listed/more.yaml', 'validate -C listed', inRepository('more.yaml')],
    ['settings', 'bare/vexil.yaml', 'validate -C bare', inRepository('vexil.yaml')],
    ['a plan', 'saved.json', 'apply saved.json', noFile('the plan "saved.json"')],
    ['a plan that is shown', 'saved.json', 'show saved.json', noFile('the plan "saved.json"')],
    ['a key', 'key.txt', 'plan', 'is a pipe'],
    [
      'a body',
      'body.json',
      'call feature_flag.create --body @body.json',
      noFile('the body file "body.json"'),
    ],
    ['a world', 'world.yaml', 'sandbox --port 0 --world world.yaml', noFile('the world file "world.yaml"')],
    [
      'a run',
      'run.json',
      'undo run.json',
      /^vexil: "run\.json" is not a run: it is a pipe or a device, not a file\n$/,
    ],
    ['the source of a plugin', 'plugin/index.ts', 'validate -C plugin', inRepository('index.ts')],
  ]
  for (const [sort, make] of Object.entries(sorts)) {
    it.each(uses)(`is not waited for where it stands for %s: ${sort}`, async (use, name, line, words) => {
      const { vexil, path, write, service } = workspace()
      await write(files)
      const target = join(path, name)
      execFileSync('rm', ['-f', target])
      make(target)
      const env = use === 'a key' ? { VEXIL_API_KEY: '', VEXIL_API_KEY_FILE: name } : {}
      const { code, stdout, stderr } = await vexil(line, { env: { ...service.env, ...env } })
      expect(code).toBe(1)
      expect(stdout + stderr).toMatch(words)
      expect(stdout + stderr).not.toMatch(/call stack|Error:|undefined/)
      expect((stdout + stderr).length).toBeLessThan(600)
    })
  }
})
