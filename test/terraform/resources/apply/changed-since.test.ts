import { afterEach, describe, expect, it } from 'vitest'
import { declarableKinds } from '../../../../src/kinds/index.ts'
import { identityField, managedFields } from '../../../../src/model/kind.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../../src/model/text/json.ts'
import { type Sandbox, sampleWorld } from '../../../../src/sandbox/index.ts'
import { type Service, startService } from '../../../support/service.ts'
import { playTerraform, showDiagnostic } from '../play.ts'

/** How the sample's object of each kind is imported. */
const ids: Readonly<Record<string, string>> = {
  feature_flag: 'dark-mode',
  feature_flag_role_access: 'gift-wrapping/01900000-0000-0000-0000-0000000000aa',
  plugin: 'Session clock',
  event_definition: 'checkout_paid',
}

/** What a field is that the service says nothing of. */
const others: Readonly<Record<string, Json>> = {
  rollback_conditions: [{ threshold: 1 }],
  archived: true,
  evaluation_runtime: 'server',
  evaluation_contexts: ['other'],
  bucketing_identifier: 'device_id',
  is_remote_configuration: true,
  has_encrypted_payloads: true,
  access_level: 'editor',
  icon: 'other.svg',
  tag: 'other',
  public_jobs: { other: {} },
}

function another(name: string, value: Json | undefined): Json {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return levels[value] ?? `${value}x`
  if (name === 'filters') return { groups: [{ properties: [], rollout_percentage: 1 }] }
  if (Array.isArray(value)) return value.length > 0 ? [] : [{ key: 'other' }]
  return { another: {} }
}

/** Values of which there are few. */
const levels: Readonly<Record<string, string>> = {
  editor: 'viewer',
  server: 'client',
  device_id: 'distinct_id',
  local: 'custom',
}

type Edit = (record: JsonObject) => JsonObject

const shown =
  (name: string): Edit =>
  record => ({ ...record, [name]: record[name] ?? others[name] ?? null })
const hidden =
  (name: string): Edit =>
  record =>
    Object.fromEntries(Object.entries(record).filter(([each]) => each !== name))
const changed =
  (name: string): Edit =>
  record => ({ ...record, [name]: another(name, shown(name)(record)[name]) })

/** What somebody does to a field in the product: what the plan sees, and what the apply does. */
const ways: Readonly<Record<string, (name: string) => readonly [plan: Edit, apply: Edit]>> = {
  'has another value': name => [shown(name), changed(name)],
  'came to be there': name => [hidden(name), shown(name)],
  'is there no more': name => [shown(name), hidden(name)],
}

let service: Service
afterEach(() => service.close())

/** A service that shows each object of a type as it was edited. */
async function edited(isOne: (record: JsonObject) => boolean) {
  let edit: Edit = record => record
  const inside = (json: Json): Json => {
    if (Array.isArray(json)) return json.map(inside)
    if (!isJsonObject(json)) return json
    return isOne(json) ? edit(json) : Object.fromEntries(Object.entries(json).map(([k, v]) => [k, inside(v)]))
  }
  const through =
    (handle: Sandbox['fetch']): Sandbox['fetch'] =>
    async request => {
      const response = await handle(request)
      const text = await response.text()
      const { status, headers } = response
      if (text === '') return new Response(null, { status, headers })
      return new Response(JSON.stringify(inside(JSON.parse(text))), { status, headers })
    }
  service = await startService(
    // Without levels, a grant has nothing that could change.
    { seed: sampleWorld, profile: 'documented', quirks: { grants_route: 'access_controls' } },
    through,
  )
  return (by: Edit) => {
    edit = by
  }
}

describe.each(declarableKinds)('a $title that somebody changed between the plan and the apply', kind => {
  const fields = managedFields(kind).filter(name => name !== identityField(kind))
  describe.each(Object.entries(ways))('whose field %s', (_way, editsOf) => {
    it.each(fields)('is not destroyed: %s', async name => {
      const id = ids[kind.name] ?? ''
      const identity = id.split('/').at(-1) ?? id
      const become = await edited(({ key, name, role_id, role }) =>
        [key, name, role_id, role].includes(identity),
      )
      const [plan, apply] = editsOf(name)
      become(plan)
      const kept = await (await playTerraform(service)).import(kind.name, id)
      // What is forgotten is not looked at.
      const removed =
        'on_destroy' in kept.state ? { ...kept, state: { ...kept.state, on_destroy: 'delete' } } : kept
      become(apply)
      const { result, requests } = await service.watch(async () =>
        (await playTerraform(service)).destroy(kind.name, removed),
      )
      expect(result.map(showDiagnostic)).toEqual([
        expect.stringContaining('It was changed after the plan was made'),
      ])
      expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
    })
  })
})
