import { describe, expect, it } from 'vitest'
import { type Door, expectError, openDoor, plugins, sampleOrganization, worldWith } from './door.ts'

async function aPlugin(door: Door, body: Record<string, unknown> = {}) {
  const answer = await door.post(plugins, { name: 'Clock', plugin_type: 'source', ...body })
  expect(answer.status).toBe(201)
  return answer.body
}

const geo = 'https://plugins.example.com/geo'

describe('plugins', () => {
  it('of type source start without an address and without files', async () => {
    const door = await openDoor()
    const plugin = await aPlugin(door)
    const expected = {
      id: 1,
      plugin_type: 'source',
      name: 'Clock',
      description: null,
      url: null,
      icon: null,
      config_schema: {},
      tag: null,
      latest_tag: null,
      is_global: false,
      organization_id: '01900000-0000-0000-0000-000000000001',
      organization_name: 'Example',
      capabilities: {},
      metrics: {},
      public_jobs: {},
    }
    expect(plugin).toEqual(expected)
    expect((await door.get(`${plugins}/1`)).body).toEqual(expected)
    expect((await door.get(plugins)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [expected],
    })
    expect((await door.get(`${plugins}/1/source`)).body).toEqual({})
  })

  it('may share a name but not an address, and show no token in it', async () => {
    const door = await openDoor()
    await aPlugin(door)
    expect(await aPlugin(door)).toMatchObject({ id: 2 })
    const url = `${geo}?private_token=secret`
    expect(await aPlugin(door, { plugin_type: 'custom', url })).toMatchObject({ id: 3, url: geo })
    const answer = await door.post(plugins, { name: 'Again', plugin_type: 'custom', url })
    expectError(answer, 400, 'validation_error', 'invalid_input')
  })

  it('from the catalogue bring their own description, look for updates and upgrade', async () => {
    const door = await openDoor()
    const plugin = await aPlugin(door, { plugin_type: 'custom', url: geo })
    expect(plugin).toMatchObject({ name: 'Country of an event', tag: '1.2.0', latest_tag: '1.3.0' })
    expect((await door.get(`${plugins}/1/check_for_updates`)).body).toMatchObject({
      tag: '1.2.0',
      latest_tag: '1.3.0',
    })
    expect((await door.post(`${plugins}/1/upgrade`)).body).toMatchObject({
      tag: '1.3.0',
      latest_tag: '1.3.0',
    })
    const { body } = await door.get(`${plugins}/repository`)
    expect(body).toContainEqual(expect.objectContaining({ name: 'Country of an event', url: geo }))
  })

  it('of type source do not upgrade', async () => {
    const door = await openDoor()
    const plugin = await aPlugin(door, { tag: '1' })
    expect((await door.post(`${plugins}/1/upgrade`)).body).toEqual(plugin)
    expect((await door.get(`${plugins}/1/check_for_updates`)).body).toMatchObject({ id: 1, latest_tag: '1' })
  })

  it('are changed as they are sent', async () => {
    const door = await openDoor()
    const plugin = await aPlugin(door)
    const sent = {
      description: 'Tells the time',
      icon: 'https://example.com/i.png',
      config_schema: [{ key: 'zone' }],
      tag: '2',
      is_global: true,
      capabilities: { methods: [] },
      metrics: { runs: 'sum' },
      public_jobs: { wind: {} },
    }
    const { status, body } = await door.patch(`${plugins}/1`, { ...sent, url: 'ignored' })
    expect({ status, body }).toEqual({ status: 200, body: { ...plugin, ...sent } })
  })

  it.each([
    [{ plugin_type: 'inline' }, 'invalid_choice', 'plugin_type'],
    [{ name: 7 }, 'invalid_input', 'name'],
    [{ is_global: null }, 'null', 'is_global'],
    [{ config_schema: 'none' }, 'not_a_dict', 'config_schema'],
  ])('refuse %j', async (body, code, attr) => {
    const door = await openDoor()
    await aPlugin(door)
    expectError(await door.patch(`${plugins}/1`, body), 400, 'validation_error', code, attr)
  })

  it('are deleted for good, but not while they are global', async () => {
    const door = await openDoor()
    await aPlugin(door, { is_global: true })
    expectError(await door.remove(`${plugins}/1`), 400, 'validation_error', 'invalid_input')
    await door.patch(`${plugins}/1`, { is_global: false })
    const answer = await door.remove(`${plugins}/1`)
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await door.get(`${plugins}/1`)).status).toBe(404)
  })

  it('write down what happens to them', async () => {
    const door = await openDoor()
    await aPlugin(door)
    await door.patch(`${plugins}/1`, { description: 'New' })
    await door.patch(`${plugins}/1`, { description: 'New' })
    await door.remove(`${plugins}/1`)
    const { body } = await door.get(`${plugins}/activity`)
    expect(body.results.map((row: { activity: string }) => row.activity)).toEqual([
      'deleted',
      'updated',
      'created',
    ])
    expect(body.results[1].detail).toMatchObject({
      name: 'Clock',
      changes: [{ type: 'Plugin', action: 'created', field: 'description', before: null, after: 'New' }],
    })
  })

  it('that no project uses are listed by id', async () => {
    const door = await openDoor({
      seed: worldWith({}, { plugins: [{ name: 'a', in_use: true }, { name: 'b' }, { name: 'c' }] }),
    })
    expect((await door.get(`${plugins}/unused`)).body).toEqual([2, 3])
  })

  it('of another organization are seen only when global, and never changed', async () => {
    const base = worldWith({})
    const door = await openDoor({
      seed: {
        organizations: [
          ...base.organizations,
          { ...sampleOrganization, plugins: [{ name: 'shared', is_global: true }, { name: 'private' }] },
        ],
      },
    })
    expect((await door.get(plugins)).body.results).toMatchObject([
      { id: 1, name: 'shared', organization_name: 'Other' },
    ])
    expect((await door.get(`${plugins}/2`)).status).toBe(404)
    expectError(
      await door.patch(`${plugins}/1`, { tag: '1' }),
      403,
      'authentication_error',
      'permission_denied',
    )
  })
})

describe('the source of a plugin', () => {
  it('is changed file by file', async () => {
    const door = await openDoor()
    await aPlugin(door)
    const source = `${plugins}/1/update_source`
    expect((await door.patch(source, { 'index.ts': 'one', 'site.ts': 'two' })).body).toEqual({
      'index.ts': 'one',
      'site.ts': 'two',
    })
    expect((await door.patch(source, { 'site.ts': null, 'index.ts': 'three' })).body).toEqual({
      'index.ts': 'three',
    })
    expect((await door.patch(source, {})).body).toEqual({ 'index.ts': 'three' })
    expect((await door.get(`${plugins}/1/source`)).body).toEqual({ 'index.ts': 'three' })
    expectError(
      await door.patch(source, { 'index.ts': 7 }),
      400,
      'validation_error',
      'invalid_input',
      'index.ts',
    )
  })

  it('names the plugin by its manifest', async () => {
    const door = await openDoor()
    await aPlugin(door)
    const manifest = JSON.stringify({ name: 'Renamed', config: [{ key: 'zone' }] })
    await door.patch(`${plugins}/1/update_source`, { 'plugin.json': manifest })
    expect((await door.get(`${plugins}/1`)).body).toMatchObject({
      name: 'Renamed',
      config_schema: [{ key: 'zone' }],
    })
    expect((await door.patch(`${plugins}/1/update_source`, { 'plugin.json': '{' })).status).toBe(500)
    expect((await door.get(`${plugins}/1/source`)).body).toEqual({ 'plugin.json': manifest })
  })
})
