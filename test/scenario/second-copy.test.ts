import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

interface Plugin {
  readonly id: number
  readonly name: string
  readonly description: string
}

type Handle = Service['sandbox']['fetch']

let service: Service
let folder: { path: string; remove(): Promise<void> }
/** What stands between the command and the service. */
let network: (handle: Handle, ...request: Parameters<Handle>) => ReturnType<Handle>

beforeEach(async () => {
  network = (handle, ...request) => handle(...request)
  service = await startService(
    {},
    handle =>
      (...request) =>
        network(handle, ...request),
  )
  folder = await folderWith({
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': 'plugins: { geoip: { plugin_type: source, description: Ours } }\n',
  })
})
afterEach(async () => {
  await service.close()
  await folder.remove()
})

const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
const path = () => `/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}/plugins/`
const theirs = () =>
  service.send('POST', path(), { plugin_type: 'source', name: 'geoip', description: 'Theirs' })
const isPost = ({ method }: Request) => method === 'POST'

async function live(): Promise<string[]> {
  const { results } = (await service.get(`${path()}?limit=100`)) as { results: Plugin[] }
  return results.map(({ id, description }) => `${id} ${description}`)
}

describe('the creation of something that can be there several times', () => {
  it.each([
    ['the second answer', 'twice', ['2 Ours'], '1 Ours'],
    ['the first answer', 'again', ['1 Ours'], '2 Ours'],
    ['the answer after somebody who was faster', 'theirs', ['2 Ours'], '1 Theirs'],
  ])('ends in 5 with two of them, and an undo takes away the one of %s', async (_, how, ours, other) => {
    network = async (handle, request, connection) => {
      if (!isPost(request)) return handle(request, connection)
      if (how === 'theirs') await theirs()
      if (how === 'twice') await handle(request.clone())
      const again = request.clone()
      const answer = await handle(request, connection)
      if (how === 'again') await handle(again)
      return answer
    }
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain(
      'plugin geoip not written: 2 objects have this name (ids 1, 2); delete the extra ones, or choose one with `id:`; plan again',
    )
    expect(code).toBe(5)
    expect(await live()).toEqual([...ours, other].sort())
    // What the run has made is on its record.
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await live()).toEqual([other])
  })

  it('deletes nothing when no answer says which one is ours', async () => {
    network = async (handle, request, connection) => {
      if (!isPost(request)) return handle(request, connection)
      await handle(request.clone())
      await handle(request)
      return connection?.reset() ?? Response.error()
    }
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain('2 objects have this name (ids 1, 2)')
    expect(code).toBe(5)
    expect(await live()).toEqual(['1 Ours', '2 Ours'])
  })

  it.each([['status=403'], ['status=500']])(
    'ends in 5 when what else has its name cannot be read: %s',
    async fault => {
      service.faults(`GET /plugins nth=3 times=99 ${fault}`)
      const { code, stdout } = await vexil('apply --auto-approve')
      expect(stdout).toContain('it was created, but other objects with its name could not be read: GET ')
      expect(code).toBe(5)
      service.faults()
      expect(await live()).toEqual(['1 Ours'])
    },
  )

  it('is not begun where there are several by now', async () => {
    await vexil('plan --out plan.json')
    await theirs()
    await theirs()
    const { code, stdout } = await vexil('apply plan.json')
    expect(stdout).toContain('not written: 2 objects have this name (ids 1, 2)')
    expect(code).toBe(5)
    expect(await live()).toEqual(['1 Theirs', '2 Theirs'])
  })
})

describe('a declaration that two objects answer to', () => {
  beforeEach(async () => {
    await theirs()
    await theirs()
  })

  it.each([
    ['plan', 0],
    ['plan --detailed-exitcode', 3],
    ['plan --fail-on-blocked', 3],
    ['apply --auto-approve', 3],
    ['drift', 6],
  ])('is told with both ids and is not passed over: %s ends in %i', async (line, code) => {
    const result = await vexil(line)
    expect(result.stdout).toContain('2 objects have this name (ids 1, 2)')
    expect(result.stdout).toContain('plugin geoip')
    expect(result.code).toBe(code)
    expect(await live()).toEqual(['1 Theirs', '2 Theirs'])
  })

  it('deletes neither where it is declared absent', async () => {
    await writeFiles(folder.path, { 'flags.yaml': 'plugins: { geoip: { ensure: absent } }\n' })
    const { code, stdout } = await vexil('apply --auto-approve --fail-on-blocked')
    expect([code, stdout]).toEqual([3, expect.stringContaining('2 objects have this name (ids 1, 2)')])
    expect(await live()).toEqual(['1 Theirs', '2 Theirs'])
  })
})
