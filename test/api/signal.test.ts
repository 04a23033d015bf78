import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aClient, all, failureOf } from './support/client.ts'
import { aListServer } from './support/list-server.ts'
import { aServer, json } from './support/server.ts'

const rows = Array.from({ length: 40 }, (_, id) => ({ id }))

describe('a signal', () => {
  it('may be shared by any number of calls and lists, and is let go of at their end', async () => {
    const warnings: string[] = []
    const onWarning = (warning: Error) => warnings.push(warning.name)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const server = await aListServer(() => ({ rows, cap: 10 }))
    const client = aClient({ baseUrl: server.url, parallelism: 16 })
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 30 }, () => client.event.list({ signal })))
    await Promise.all(Array.from({ length: 30 }, () => all(client.list('event', { signal }))))
    await setImmediate()
    expect([warnings, getEventListeners(signal, 'abort')]).toEqual([[], []])
  })

  it('ends a list between two pages, with its reason', async () => {
    const controller = new AbortController()
    const server = await aListServer(() => ({ rows, cap: 10 }))
    const client = aClient({ baseUrl: server.url })
    const list = client.list('feature_flag', { signal: controller.signal })
    const read = async () => {
      for await (const { id } of list) if (id === 9) controller.abort(new Error('enough'))
    }
    expect(await failureOf(read())).toEqual(new Error('enough'))
    expect(list.inventory).toMatchObject({ seen: 10, complete: false })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('that is aborted already sends nothing', async () => {
    const server = await aServer((_, response) => json(response, 200, { results: [] }))
    const client = aClient({ baseUrl: server.url })
    const signal = AbortSignal.abort(new Error('enough'))
    expect(await failureOf(client.plugin.create({ body: { name: 'a' }, signal }))).toEqual(
      new Error('enough'),
    )
    expect(await failureOf(all(client.list('plugin', { signal })))).toEqual(new Error('enough'))
    expect([server.received, client.requestCount]).toEqual([[], 0])
  })

  it('ends a write that is under way', async () => {
    const controller = new AbortController()
    const server = await aServer(() => controller.abort(new Error('enough')))
    const client = aClient({ baseUrl: server.url })
    const call = client.plugin.create({ body: { name: 'a' }, signal: controller.signal })
    expect(await failureOf(call)).toEqual(new Error('enough'))
    expect(server.received).toHaveLength(1)
  })
})

describe('a list that fails', () => {
  it('throws what its page failed with, when the turn of that page comes', async () => {
    const server = await aServer((request, response) => {
      const offset = Number(new URL(request.url, 'http://x').searchParams.get('offset') ?? 0)
      if (offset === 2) json(response, 400, { code: 'bad' })
      else json(response, 200, { count: 4, results: [{ id: offset }] })
    })
    const list = aClient({ baseUrl: server.url }).list('feature_flag')
    const ids: unknown[] = []
    const read = async () => {
      for await (const { id } of list) ids.push(id)
    }
    expect(await failureOf(read())).toMatchObject({ name: 'ServiceError', status: 400, code: 'bad' })
    expect(ids).toEqual([0, 1])
    expect(list.inventory).toEqual({ seen: 2, count: 4, stable: true, complete: false })
  })
})
