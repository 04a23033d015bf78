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
  it('is one when the request was delivered twice and the second one answered', async () => {
    service.faults('POST twice')
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain(`
  + plugin geoip was done already
      somebody made it at the same time; the second copy of this run, id 2, was deleted again
`)
    expect(code).toBe(0)
    expect(await live()).toEqual(['1 Ours'])
  })

  it('ends in 5 when the first one answered, and leaves the other one, which may be somebody else’s', async () => {
    network = async (handle, request, connection) => {
      if (!isPost(request)) return handle(request, connection)
      const again = request.clone()
      const answer = await handle(request, connection)
      await handle(again)
      return answer
    }
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain(
      'plugin geoip left alone: 2 objects have this name (ids 1, 2); delete those that are too many, or say which one with `id:`; plan again',
    )
    expect(code).toBe(5)
    expect(await live()).toEqual(['1 Ours', '2 Ours'])
    // What the run has made is on its record.
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await live()).toEqual(['2 Ours'])
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

  it('gives way to somebody who was faster, whatever they made', async () => {
    network = async (handle, request, connection) => {
      if (isPost(request)) await theirs()
      return handle(request, connection)
    }
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain('plugin geoip left alone: it exists with id 1 and is not as planned; plan again')
    expect(code).toBe(5)
    expect(await live()).toEqual(['1 Theirs'])
  })

  it('is nothing that an undo takes away, once ours was taken back: what stands there is somebody else’s', async () => {
    network = async (handle, request, connection) => {
      if (isPost(request)) await theirs()
      return handle(request, connection)
    }
    const { stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain('the second copy of this run, id 2, was deleted again')
    await service.send('PATCH', `${path()}1/`, { description: 'Ours' })
    expect(await vexil('undo last --auto-approve')).toMatchObject({
      code: 1,
      stderr: 'vexil: there is no run to undo: none of those on record here has changed anything\n',
    })
    expect(await live()).toEqual(['1 Ours'])
  })

  it.each([
    ['with our source files', [], 0],
    ['though our source files were refused', ['PATCH status=400'], 1],
  ])('is somebody else’s %s, and an undo leaves it', async (_, faults, expected) => {
    await writeFiles(folder.path, {
      'flags.yaml':
        'plugins: { geoip: { plugin_type: source, description: Theirs, source: { index.ts: "export {}" } } }\n',
    })
    network = async (handle, request, connection) => {
      if (isPost(request)) await theirs()
      return handle(request, connection)
    }
    service.faults(...faults)
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code, stdout).toBe(expected)
    service.faults()
    await vexil('undo last --auto-approve')
    expect(await live()).toEqual(['1 Theirs'])
  })

  it('is on record when ours cannot be looked at before it is taken back', async () => {
    network = async (handle, request, connection) => {
      if (isPost(request)) await theirs()
      return handle(request, connection)
    }
    service.faults('GET /plugins/2 status=403')
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain('(ids 1 and 2), and the one of this run, id 2, could not be looked at: GET ')
    expect(code).toBe(5)
    service.faults()
    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    expect(await live()).toEqual(['1 Theirs'])
  })

  it('waits for somebody who was slower to take theirs back', async () => {
    let looks = 0
    network = async (handle, request, connection) => {
      if (isPost(request)) looks = 0
      if (request.method === 'GET' && ++looks === 3) await service.send('DELETE', `${path()}2/`)
      const answer = await handle(request, connection)
      if (isPost(request)) await theirs()
      return answer
    }
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('plugin geoip created\n')
    expect(await live()).toEqual(['1 Ours'])
  })

  it('does not take back what somebody has changed since', async () => {
    network = async (handle, request, connection) => {
      if (!isPost(request)) return handle(request, connection)
      await theirs()
      const answer = await handle(request, connection)
      await service.send('PATCH', `${path()}2/`, { description: 'In use' })
      return answer
    }
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain(
      'it was made twice at the same time (ids 1 and 2), and somebody has changed the one of this run, id 2, since',
    )
    expect(code).toBe(5)
    expect(await live()).toEqual(['1 Theirs', '2 In use'])
  })

  it.each([
    [
      'cannot be deleted',
      'DELETE status=403',
      'and the one of this run, id 2, could not be deleted: DELETE ',
    ],
    [
      'cannot be looked up',
      'GET /plugins nth=3 times=99 status=403',
      'what else has its name could not be read',
    ],
    ['cannot be looked up for long', 'GET /plugins nth=3 times=99 status=500', 'could not be read: GET '],
  ])('ends in 5 when the second one %s', async (_, fault, said) => {
    service.faults('POST twice', fault)
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(stdout).toContain(said)
    expect(code).toBe(5)
    service.faults()
    expect(await live()).toEqual(['1 Ours', '2 Ours'])
  })

  it('is not begun where there are several by now', async () => {
    await vexil('plan --out plan.json')
    await theirs()
    await theirs()
    const { code, stdout } = await vexil('apply plan.json')
    expect(stdout).toContain('left alone: 2 objects have this name (ids 1, 2)')
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
})
