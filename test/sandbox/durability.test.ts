import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, emptyWorld, sampleWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { aFlag, doorOf, flags, openDoor, plugins, release, worldWith } from './door.ts'

let data: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sandbox-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

const file = () => join(data, 'sandbox.jsonl')

describe('a sandbox with a folder', () => {
  it('is the same after a restart, and goes on counting', async () => {
    const before = await openDoor({ data })
    await aFlag(before, { tags: ['beta'], filters: { groups: [{ rollout_percentage: 5 }], b: 1, aa: 2 } })
    await aFlag(before, { key: 'gone' })
    await before.post(`${flags}/1/role_access`, { role_id: release })
    await before.patch(`${flags}/2`, { deleted: true })
    await before.post(plugins, { plugin_type: 'source', name: 'Clock' })
    await before.patch(`${plugins}/1/update_source`, { 'index.ts': 'one' })
    await before.remove(`${flags}/1/role_access/1`)
    const paths = [
      flags,
      `${flags}/1`,
      `${flags}/2`,
      `${flags}/activity`,
      `${flags}/1/role_access`,
      plugins,
      `${plugins}/1/source`,
    ]
    const read = async (door: typeof before) =>
      Promise.all(paths.map(async path => (await door.get(path)).body))
    const written = await read(before)
    await before.sandbox.close()

    const after = await openDoor({ data, empty: false, seed: sampleWorld })
    expect(await read(after)).toEqual(written)
    expect(await aFlag(after, { key: 'next' })).toMatchObject({ id: 3, usage_dashboard: 3 })
    await after.sandbox.close()
  })

  it('starts again when a first world was never written to its end', async () => {
    await writeFile(`${file()}.new`, '{"format":2}\n[["flag",1,{"id":1,"half"')
    const door = await openDoor({ data })
    expect((await door.get(flags)).body.count).toBe(0)
    await door.sandbox.close()
  })

  it('ignores a transaction that was never written to its end, and continues after the one before', async () => {
    const before = await openDoor({ data })
    await aFlag(before, { key: 'first' })
    await before.sandbox.close()
    await appendFile(file(), '[["flag",2,{"id":2,"key":"hälf"')
    for (const key of ['second', 'third']) {
      const door = await openDoor({ data })
      await aFlag(door, { key })
      await door.sandbox.close()
    }
    const after = await openDoor({ data })
    const { results } = (await after.get(flags)).body
    expect(results.map((flag: { key: string }) => flag.key)).toEqual(['third', 'second', 'first'])
    await after.sandbox.close()
  })

  it('keeps its file small, however often a flag changes', async () => {
    const before = await openDoor({ data })
    await aFlag(before)
    for (let change = 0; change < 40; change++)
      await before.post(`${flags}/1/role_access`, { role_id: release }).then(async ({ body }) => {
        await before.remove(`${flags}/1/role_access/${body.id}`)
      })
    const content = before.sandbox.content()
    await before.sandbox.close()
    const lines = async () => (await readFile(file(), 'utf8')).split('\n').length
    const written = await lines()
    const after = await openDoor({ data })
    expect(after.sandbox.content()).toBe(content)
    expect(await lines()).toBeLessThan(written / 2)
    await after.sandbox.close()
  })

  it('reports a folder that is in use, that is no folder, or that another version wrote', async () => {
    const door = await openDoor({ data })
    const inUse = `"${data}" is in use by another sandbox; stop it or choose another folder`
    await expect(openDoor({ data })).rejects.toThrow(inUse)
    await door.sandbox.close()
    await writeFile(file(), '{"format":99}\n')
    await expect(openDoor({ data })).rejects.toThrow(
      `"${data}" was written by another version of the sandbox`,
    )
    await expect(openDoor({ data: '/dev/null/nothing' })).rejects.toThrow(
      '"/dev/null/nothing" cannot store the sandbox',
    )
  })

  it('stores nothing, and fails, if another machine writes to its file', async () => {
    const errors: unknown[] = []
    const door = await openDoor({ data, onError: error => errors.push(error) })
    const other = '[["flag",7,null]]\n'
    await appendFile(file(), other)
    expect(await door.post(flags, { key: 'lost' })).toMatchObject({ status: 500 })
    expect((await door.get(flags)).body.count).toBe(0)
    expect(String(errors[0])).toContain('is in use by another sandbox')
    expect((await readFile(file(), 'utf8')).endsWith(other)).toBe(true)
    await door.sandbox.close()
  })

  it('needs a project in its first organization', async () => {
    const seed = { organizations: [{ name: 'Bare' }, ...emptyWorld.organizations] }
    const open = () => createSandbox({ runtime: testRuntime(), seed, data })
    await expect(open()).rejects.toThrow('the first organization of the world has no project')
    // Nothing was written, and the folder was let go of.
    await expect(open()).rejects.toThrow('the first organization of the world has no project')
  })

  it('belongs to the same user and organization after a restart, whatever their ids', async () => {
    const seed: WorldFile = {
      users: [
        { id: 9, email: 'nine@example.com' },
        { id: 2, email: 'two@example.com' },
      ],
      organizations: [
        { name: 'First', id: 'f0000000-0000-0000-0000-000000000000', projects: [{ id: 5, name: 'P' }] },
        { name: 'Second', id: '00000000-0000-0000-0000-000000000000', projects: [{ id: 1, name: 'Q' }] },
      ],
    }
    for (const key of ['before', 'after']) {
      const door = await openDoor({ data, seed })
      expect(door.sandbox.summary).toMatchObject({
        organization: 'f0000000-0000-0000-0000-000000000000',
        project: 5,
      })
      const { body } = await door.post('/api/projects/@current/feature_flags', { key })
      expect(body.created_by.email).toBe('nine@example.com')
      await door.sandbox.close()
    }
  })

  it('writes requests that come together in the order in which they came', async () => {
    const before = await openDoor({ data, seed: worldWith({}) })
    await Promise.all(Array.from({ length: 50 }, (_, index) => aFlag(before, { key: `flag-${index}` })))
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => before.patch(`${flags}/1`, { name: `name ${index}` })),
    )
    await before.sandbox.close()
    const after = doorOf(await createSandbox({ runtime: testRuntime(), data }))
    expect((await after.get(flags)).body.count).toBe(50)
    expect((await after.get(`${flags}/1`)).body.name).toBe('name 49')
    await after.sandbox.close()
  })
})

describe('a sandbox that is killed', () => {
  let child: ChildProcess | undefined
  afterEach(() => child?.kill('SIGKILL'))

  async function start() {
    child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'keeper.ts'), data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line)
    throw new Error('the sandbox ended before it listened')
  }

  async function kill() {
    const ended = once(child!, 'exit')
    child!.kill('SIGKILL')
    await ended
  }

  it('keeps everything that it has answered for, and each request whole', async () => {
    const { base_url, api_key } = await start()
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }
    const answered: string[] = []
    const create = async (key: string) => {
      const body = JSON.stringify({ key, tags: ['kept'] })
      const response = await fetch(`${base_url}${flags}/`, { method: 'POST', headers, body })
      await response.text()
      if (response.status === 201) answered.push(key)
      if (answered.length === 40) await kill()
    }
    const worker = async (name: number) => {
      for (let count = 0; count < 100; count++) await create(`flag-${name}-${count}`)
    }
    const workers = await Promise.allSettled([worker(1), worker(2), worker(3), worker(4)])
    expect(workers.map(({ status }) => status)).toContain('rejected')

    const door = await openDoor({ data })
    const { results } = (await door.get(`${flags}?limit=1000`)).body
    expect(results.map((flag: { key: string }) => flag.key)).toEqual(expect.arrayContaining(answered))
    // A flag, its dashboard and its line of activity were one write, and no id was given away twice.
    const activity = (await door.get(`${flags}/activity?limit=1000`)).body
    expect(activity.total_count).toBe(results.length)
    expect(
      results.map((flag: { id: number; usage_dashboard: number }) => flag.usage_dashboard - flag.id),
    ).toEqual(results.map(() => 0))
    expect(await aFlag(door, { key: 'after' })).toMatchObject({ id: results.length + 1 })
    await door.sandbox.close()
  })
})
