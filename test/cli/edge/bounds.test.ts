import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { useBench } from '../bench.ts'

const bench = useBench({
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
    const { code, stderr } = await bench().vexil(line, { env })
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/is nested deeper than 200 levels and cannot be used$/),
    ])
  })
})

describe('a list without an end', () => {
  it.each([
    [
      'has always one more row',
      'has 1005 rows and goes on; is its list endless?',
      (from: number) => `"count":${from + 2},"next":"?limit=1&offset=${from + 1}"`,
    ],
    [
      'counts nothing and always has a next page',
      'goes on; is its list endless?',
      (from: number) => `"count":null,"next":"?limit=1&offset=${from + 1}"`,
    ],
    [
      'says that there are a billion',
      'goes on; is its list endless?',
      (from: number) => `"count":1000000000,"next":"?limit=1&offset=${from + 1}"`,
    ],
  ])(
    'is refused where it %s',
    async (_, said, more) => {
      const env = await answering(url => {
        const from = Number(url.searchParams.get('offset') ?? 0)
        return page(`{"id":${from + 1},"key":"f${from}","deleted":false,"filters":{}}`, more(from))
      })
      const { code, stderr } = await bench().vexil('call feature_flag.list --all', { env })
      expect(code).toBe(1)
      expect(stderr).toContain(said)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
    60_000,
  )
})

describe('a declaration that is nested too deep', () => {
  it.each([2_000, 100_000])('%d levels is a mistake with its place', async depth => {
    const { vexil, write } = bench()
    for (const text of [nested(depth), `${'['.repeat(depth)}${']'.repeat(depth)}`]) {
      await write({ 'flags.yaml': `feature_flags: { checkout: { filters: ${text} } }\n` })
      const { code, stdout, stderr } = await vexil('validate')
      expect(code).toBe(1)
      expect(stdout + stderr).not.toContain('call stack')
      expect(stdout + stderr).toMatch(/flags\.yaml:\d+:\d+ /)
    }
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
  const uses: readonly (readonly [string, string, string, Record<string, string>])[] = [
    ['declarations', 'more.yaml', 'validate', {}],
    ['settings', 'vexil.yaml', 'validate', {}],
    ['a plan', 'saved.json', 'apply saved.json', {}],
    ['a plan that is shown', 'saved.json', 'show saved.json', {}],
    ['a key', 'key.txt', 'plan', { VEXIL_API_KEY: '', VEXIL_API_KEY_FILE: 'key.txt' }],
    ['a body', 'body.json', 'call feature_flag.create --body @body.json', {}],
    ['a world', 'world.yaml', 'sandbox --port 0 --world world.yaml', {}],
    ['a run', 'run.json', 'undo run.json', {}],
    ['the source of a plugin', 'index.ts', 'validate -C plugin', {}],
  ]
  for (const [sort, make] of Object.entries(sorts)) {
    it.each(uses)(`is not waited for where it stands for %s: ${sort}`, async (_, name, line, env) => {
      const { vexil, path, write, service } = bench()
      await write({
        'vexil.yaml': 'version: 1\nfiles: [flags.yaml, more.yaml]\n',
        'plugin/vexil.yaml': 'version: 1\n',
        'plugin/plugins.yaml':
          'plugins: { geo: { plugin_type: source, source: { index.ts: { file: index.ts } } } }\n',
      })
      const target = join(path, name === 'index.ts' ? 'plugin/index.ts' : name)
      execFileSync('rm', ['-f', target])
      make(target)
      const { code, stdout, stderr } = await vexil(line, { env: { ...service.env, ...env } })
      expect(code).toBe(1)
      expect(stdout + stderr).not.toMatch(/call stack|Error:|undefined/)
      expect((stdout + stderr).length).toBeLessThan(600)
    })
  }
})
