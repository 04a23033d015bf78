import { definitions, events, flags, plugins, release, support } from './door.ts'
import { aFlagPath, definition, event, type QuirkCases, statusOf } from './quirk-case.ts'

/** Quirks of grants, plugins, definitions, events, keys and limits. */
export const otherQuirks = {
  role_access_query: {
    probe: async door => {
      const list = `${await aFlagPath(door)}/role_access`
      return [
        await statusOf(door.get(`${list}?limit=1`)),
        await statusOf(door.get(`${list}?role_id=${support}`)),
      ]
    },
    seen: [
      ['accepted', [200, 200]],
      ['error', [500, 200]],
    ],
  },
  role_access_duplicate: {
    probe: async door => {
      const list = `${await aFlagPath(door)}/role_access`
      await door.post(list, { role_id: release })
      const { status, body } = await door.post(list, { role_id: release })
      return [status, body.code ?? body.id, (await door.get(list)).body.count]
    },
    seen: [
      ['invalid', [400, 'unique', 1]],
      ['conflict', [409, 'conflict', 1]],
      ['error', [500, 'error', 1]],
      ['existing', [201, 1, 1]],
    ],
  },
  plugin_without_url: {
    probe: async door => statusOf(door.post(plugins, { plugin_type: 'custom', name: 'p' })),
    seen: [
      ['accepted', 201],
      ['error', 500],
    ],
  },
  definition_fields: {
    probe: async door => (await door.patch(definition, { name: 'renamed', tags: [] })).body.name,
    seen: [
      ['all', 'renamed'],
      ['tags', 'paid'],
    ],
  },
  post_to_chat: {
    probe: async door => [
      (await door.patch(definition, { post_to_chat: true })).body.post_to_chat,
      (await door.get(definition)).body.post_to_chat,
    ],
    seen: [
      ['kept', [true, true]],
      ['echoed', [true, false]],
    ],
  },
  definition_unknown: {
    probe: async door => statusOf(door.get(`${definitions}/nothing`)),
    seen: [
      ['not_found', 404],
      ['error', 500],
    ],
  },
  event_id_checked: {
    probe: async door => statusOf(door.get(`${events}/nothing`)),
    seen: [
      [false, 404],
      [true, 400],
    ],
  },
  event_person: {
    probe: async door => [
      (await door.get(`${events}/${event}`)).body.person !== '',
      (await door.get(`${events}/${event}?include_person=true`)).body.person !== '',
      (await door.get(events)).body.results[0].person !== '',
    ],
    seen: [
      ['always', [true, true, true]],
      ['on_request', [false, true, true]],
    ],
  },
  event_limit: {
    probe: async door => [
      await statusOf(door.get(`${events}?limit=abc`)),
      await statusOf(door.get(`${events}?limit=1`)),
      await statusOf(door.get(`${events}?limit=-1&offset=x`)),
      await statusOf(door.get(`${flags}?limit=abc`)),
    ],
    seen: [
      ['default', [200, 200, 200, 200]],
      ['error', [500, 200, 200, 200]],
    ],
  },
  event_expressions: {
    probe: async door => {
      const { body } = await door.get(`${events}?where=["event='left'"]&select=["event"]`)
      return [body.results.length, body.columns]
    },
    seen: [
      ['honoured', [0, ['event']]],
      ['ignored', [2, undefined]],
    ],
  },
  format_elsewhere: {
    probe: async door => [
      await statusOf(door.get(`${flags}?format=csv`)),
      await statusOf(door.get(`${definitions}?format=xml`)),
      await statusOf(door.get(`${flags}?format=json`)),
      await statusOf(door.get(`${events}?format=csv`)),
    ],
    seen: [
      ['ignored', [200, 200, 200, 200]],
      ['not_found', [404, 404, 200, 200]],
    ],
  },
  form_bodies: {
    probe: async door => {
      const path = await aFlagPath(door)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const { status, body } = await door.ask('PATCH', path, 'name=New&active=false&tags=a&tags=b', form)
      return [status, body.name, body.active, body.tags?.toSorted()]
    },
    seen: [
      [false, [415, undefined, undefined, undefined]],
      [true, [200, 'New', false, ['a', 'b']]],
    ],
  },
  put: {
    probe: async door => {
      const path = await aFlagPath(door)
      const whole = await door.ask('PUT', path, { key: 'checkout', name: 'New' })
      const part = await door.ask('PUT', path, { name: 'Newer' })
      const list = await door.ask('PUT', flags, { key: 'a' })
      return [whole.status, whole.body.name, part.status, part.body.attr, list.status]
    },
    seen: [
      [false, [405, undefined, 405, null, 405]],
      [true, [200, 'New', 400, 'key', 405]],
    ],
  },
  throttle: {
    probe: async door => [await statusOf(door.get(flags)), await statusOf(door.get(flags))],
    seen: [
      [0, [200, 200]],
      [1, [200, 429]],
    ],
  },
  throttle_seconds: {
    probe: async door => {
      await door.get(flags)
      return (await door.get(flags)).headers.get('retry-after')
    },
    with: { throttle: 1 },
    seen: [
      [60, '60'],
      [5, '5'],
    ],
  },
} satisfies Partial<QuirkCases>
