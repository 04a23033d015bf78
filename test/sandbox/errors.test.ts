import { describe, expect, it } from 'vitest'
import { sandboxApiKey } from '../../src/sandbox/index.ts'
import { aFlag, definitions, expectError, flags, openDoor, organization, plugins, project } from './door.ts'

describe('a request that cannot be answered', () => {
  it.each([
    ['no key', {}, 'not_authenticated'],
    ['another key', { authorization: 'Bearer phx_wrong' }, 'authentication_failed'],
    ['another scheme', { authorization: `Basic ${sandboxApiKey}` }, 'authentication_failed'],
    [
      'a key with something behind it',
      { authorization: `Bearer ${sandboxApiKey} x` },
      'authentication_failed',
    ],
  ])('is refused with 401 for %s, and the key is not repeated', async (_, headers, code) => {
    const { sandbox } = await openDoor()
    const response = await sandbox.fetch(new Request(`http://sandbox.test${flags}`, { headers }))
    const text = await response.text()
    expect({ status: response.status, body: JSON.parse(text) }).toEqual({
      status: 401,
      body: { type: 'authentication_error', code, detail: expect.any(String), attr: null },
    })
    expect(text).not.toContain('phx_')
  })

  it('takes the key it was given', async () => {
    const door = await openDoor({ apiKey: 'phx_mine' })
    expect((await door.get(flags)).status).toBe(200)
    expect(door.sandbox.summary.api_key).toBe('phx_mine')
  })

  it.each([
    ['an unknown route', '/api/projects/1/nothing'],
    ['an unknown project', '/api/projects/99/feature_flags'],
    ['a project that is no number', '/api/projects/one/feature_flags'],
    ['a project that only reads like a number', '/api/projects/1e0/feature_flags'],
    ['an unknown organization', '/api/organizations/01900000-0000-0000-0000-00000000ffff/plugins'],
    ['an unknown flag', `${flags}/99`],
    ['a flag id that is no number', `${flags}/checkout`],
    ['an unknown plugin', `${plugins}/99`],
    ['an unknown definition', `${definitions}/01900000-0000-0000-0000-00000000ffff`],
    ['an unknown grant', `${flags}/99/role_access/1`],
    ['grants of a flag id that is no number', `${flags}/checkout/role_access`],
    ['an unknown event', `${project}/events/01900000-0000-0000-0000-00000000ffff`],
    ['an encoding that there is none of', `${project}/events?format=xml`],
    ['the roles, which the document leaves out', `${organization}/roles`],
  ])('is a 404 for %s', async (_, path) => {
    const door = await openDoor()
    expectError(await door.get(path), 404, 'invalid_request', 'not_found')
  })

  it('is a 404 with a text for the activity of an unknown flag', async () => {
    const door = await openDoor()
    expect(await door.get(`${flags}/99/activity`)).toMatchObject({ status: 404, body: '' })
  })

  it.each([
    ['PUT', `${flags}/1`, 'DELETE, GET, PATCH'],
    ['DELETE', flags, 'GET, POST'],
    ['PATCH', `${flags}/1/role_access/1`, 'DELETE, GET'],
    ['POST', definitions, 'GET'],
    ['POST', `${project}/events`, 'GET'],
    ['POST', `${flags}/activity`, 'GET'],
  ])('is a 405 for %s %s, which names what is allowed', async (method, path, allowed) => {
    const door = await openDoor()
    const answer = await door.ask(method, path)
    expectError(answer, 405, 'invalid_request', 'method_not_allowed')
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allowed)
  })

  it('is a 405 without a body for the DELETE of any flag, even one that is not there', async () => {
    const door = await openDoor()
    const flag = await aFlag(door)
    for (const id of [flag.id, 99]) {
      const answer = await door.remove(`${flags}/${id}`)
      expect([answer.status, answer.body, answer.headers.get('allow')]).toEqual([
        405,
        '',
        'GET, PATCH, DELETE, HEAD, OPTIONS',
      ])
    }
    expect((await door.get(`${flags}/${flag.id}`)).body).toMatchObject({ deleted: false })
  })

  it('takes @current for the first project and organization', async () => {
    const door = await openDoor()
    expect((await door.get('/api/projects/@current/feature_flags')).status).toBe(200)
    expect((await door.get('/api/organizations/@current/plugins')).status).toBe(200)
  })

  it('answers HEAD as GET, without the body', async () => {
    const door = await openDoor()
    expect(await door.ask('HEAD', flags)).toMatchObject({ status: 200, body: '' })
  })
})

describe('a hostile body', () => {
  it.each([
    ['is not JSON', '{"key": ', 'invalid_request', 'parse_error'],
    ['is nested without end', `${'['.repeat(100_000)}`, 'invalid_request', 'parse_error'],
    [
      'is nested too deeply',
      `{"key":"a","filters":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
      'invalid_request',
      'parse_error',
    ],
    ['is a list', '[]', 'validation_error', 'invalid_input'],
    ['is a text', '"key"', 'validation_error', 'invalid_input'],
    ['is null', 'null', 'validation_error', 'invalid_input'],
    ['holds a null character', '{"key":"a\\u0000b"}', 'validation_error', 'null_characters_not_allowed'],
    [
      'holds one in a name',
      '{"key":"a","filters":{"groups":[],"x\\u0000":1}}',
      'validation_error',
      'null_characters_not_allowed',
    ],
  ])('is refused when it %s, and nothing is kept', async (_, body, type, code) => {
    const door = await openDoor()
    expectError(await door.post(flags, body), 400, type, code)
    expect((await door.get(flags)).body.count).toBe(0)
  })

  it('is not mistaken for one that is nested, however many brackets its texts hold', async () => {
    const door = await openDoor()
    const name = `${'[{'.repeat(500)}"\\`
    expect(await aFlag(door, { name })).toMatchObject({ name })
  })

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['', 415],
    ['application/json; charset=utf-8', 201],
    ['application/merge-patch+json', 201],
  ])('of type "%s" gives %i', async (type, status) => {
    const door = await openDoor()
    const answer = await door.ask('POST', flags, '{"key":"a"}', { 'content-type': type })
    if (status === 415) expectError(answer, 415, 'invalid_request', 'unsupported_media_type')
    else expect(answer.status).toBe(status)
  })

  it('larger than the limit gives 413, announced or not', async () => {
    const door = await openDoor()
    const body = JSON.stringify({ key: 'a', name: 'x'.repeat(20_000_000) })
    expectError(await door.post(flags, body), 413, 'invalid_request', 'request_too_large')
    const announced = { 'content-type': 'application/json', 'content-length': '90000000' }
    expectError(await door.ask('POST', flags, '{}', announced), 413, 'invalid_request', 'request_too_large')
  })

  it('keeps members named __proto__ as what they are', async () => {
    const door = await openDoor()
    const filters = '{"groups":[],"__proto__":{"polluted":true},"payloads":{}}'
    const { status, body } = await door.post(
      flags,
      `{"key":"a","__proto__":{"active":false},"filters":${filters}}`,
    )
    expect(status).toBe(201)
    expect(body.active).toBe(true)
    const read = await door.get(`${flags}/${body.id}`)
    expect(Object.hasOwn(read.body.filters, '__proto__')).toBe(true)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('may name a flag, a file or a value __proto__', async () => {
    const door = await openDoor()
    await aFlag(door, { key: '__proto__' })
    const reasons = await door.get(`${flags}/evaluation_reasons`)
    expect(Object.keys(reasons.body)).toEqual(['__proto__'])
    const plugin = await door.post(plugins, { name: 'p', plugin_type: 'source' })
    const source = await door.patch(`${plugins}/${plugin.body.id}/update_source`, '{"__proto__":"text"}')
    expect(Object.entries(source.body)).toEqual([['__proto__', 'text']])
  })
})
