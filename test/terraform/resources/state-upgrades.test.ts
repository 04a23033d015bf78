import { afterEach, describe, expect, it } from 'vitest'
import type { ObjectValue, Value } from '../../../src/cty/value.ts'
import { mapMembers } from '../../../src/cty/walk-type.ts'
import { declarableKind, declarableKinds } from '../../../src/kinds/index.ts'
import type { Json } from '../../../src/model/json/json.ts'
import { type DeclarableKind, managedFields } from '../../../src/model/kind.ts'
import { sampleWorld } from '../../../src/sandbox/index.ts'
import { typeName } from '../../../src/schema/terraform/terraform-names.ts'
import {
  providerBlock,
  resourceBlock,
  resourceVersion,
} from '../../../src/schema/terraform/terraform-schema.ts'
import { compactFilters } from '../../../src/targeting/index.ts'
import { typeOfAttribute } from '../../../src/terraform/schema/schema.ts'
import { blockSchema } from '../../../src/terraform/session/block-schema.ts'
import { createVexilProvider } from '../../../src/terraform/vexil-provider.ts'
import { type Service, startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { told } from '../support/one-resource.ts'
import { type Served, served } from '../support/served.ts'
import { stateText, unwire, wire } from '../support/values.ts'

/** The attributes of a resource's state in one of the forms in which it was ever written. */
interface Shape {
  readonly version: number
  readonly attributes: readonly string[]
}

const flag = [
  ...['active', 'adopt', 'created_at', 'ensure_experience_continuity', 'filters', 'group_type_index', 'id'],
  ...[
    'key',
    'name',
    'payload',
    'project_id',
    'release',
    'rollback_conditions',
    'tags',
    'tags_all',
    'variants',
  ],
]
const later = [
  ...['allow', 'archived', 'bucketing_identifier', 'evaluation_contexts', 'evaluation_runtime'],
  ...['has_encrypted_payloads', 'is_remote_configuration'],
]
const grant = ['added_at', 'adopt', 'feature_flag_id', 'id', 'project_id', 'role_id']
const plugin = [
  ...['adopt', 'config_schema', 'description', 'icon', 'id', 'is_global', 'name', 'organization_id'],
  ...['plugin_type', 'public_jobs', 'source', 'tag'],
]

/** What earlier schemas had, recorded from the history of `schemas/provider.schema.json`, oldest first. */
const shapes: Readonly<Record<string, readonly Shape[]>> = {
  feature_flag: [
    { version: 1, attributes: [...flag, 'acknowledge'] },
    { version: 1, attributes: [...flag, 'allow'] },
    { version: 1, attributes: [...flag, ...later] },
    { version: 1, attributes: [...flag, ...later, 'early_exit'] },
    { version: 1, attributes: [...flag, ...later, 'early_exit', 'deleted'] },
  ],
  feature_flag_role_access: [
    { version: 1, attributes: grant },
    { version: 1, attributes: [...grant, 'access_level'] },
  ],
  plugin: [
    { version: 1, attributes: plugin },
    { version: 1, attributes: [...plugin, 'acknowledge'] },
    { version: 1, attributes: [...plugin, 'allow'] },
  ],
  event_definition: [
    {
      version: 1,
      attributes: [
        'created_at',
        'id',
        'name',
        'on_destroy',
        'post_to_chat',
        'project_id',
        'tags',
        'tags_all',
      ],
    },
  ],
}

/** Attributes that have another name by now, and were never more than what a configuration allows. */
const renamed = ['acknowledge']

/** Before there was a first version states held the fields that are declared, ids as numbers and JSON as it is. */
function shapesOf(kind: DeclarableKind): readonly Shape[] {
  const parent = kind.lifecycle.parent ? [`${kind.lifecycle.parent.kind}_id`] : []
  const known = shapes[kind.name] ?? []
  const today = { version: resourceVersion, attributes: Object.keys(resourceBlock(kind).attributes) }
  return [{ version: 0, attributes: ['id', ...managedFields(kind), ...parent] }, ...known, today]
}

/** How the sample's object of each kind is imported. */
const ids: Readonly<Record<string, string>> = {
  feature_flag: 'dark-mode',
  feature_flag_role_access: 'gift-wrapping/01900000-0000-0000-0000-0000000000aa',
  plugin: 'Session clock',
  event_definition: 'checkout_paid',
}

let service: Service
let open: Served
afterEach(async () => {
  await open.close()
  await service.close()
})

/** The object as it is in a state today. */
async function current(kind: DeclarableKind, id = ids[kind.name]): Promise<ObjectValue> {
  service = await startService({ seed: sampleWorld })
  const { env } = service
  open = await served(() => createVexilProvider({ runtime: testRuntime(), env, directory: '/' }))
  const config = wire(blockSchema(providerBlock).block, {})
  expect(told((await open.client.call('ConfigureProvider', { config })).diagnostics)).toEqual([])
  const type_name = typeName(kind.name)
  const { imported_resources } = await open.client.call('ImportResourceState', {
    type_name,
    id,
  })
  const [found] = imported_resources
  const { new_state } = await open.client.call('ReadResource', {
    type_name,
    current_state: found?.state,
    private: found?.private,
  })
  return unwire(blockOf(kind), new_state) as ObjectValue
}

function blockOf(kind: DeclarableKind) {
  return blockSchema(resourceBlock(kind)).block
}

/** A state of a shape, as it stands in a file. */
function written(kind: DeclarableKind, { version, attributes }: Shape, state: ObjectValue): string {
  const known = blockOf(kind).attributes
  const members = attributes.map(name => {
    const [attribute, value = null] = [known[name], state[name]]
    const text = attribute ? stateText(typeOfAttribute(attribute), value) : 'null'
    return `${JSON.stringify(name)}:${version === 0 ? plain(kind, name, value, text) : text}`
  })
  return `{${members.join(',')}}`
}

function plain(kind: DeclarableKind, name: string, value: Value, text: string): string {
  if (typeof value !== 'string') return text
  const isNumber = /_?id$/.test(name) && /^\d+$/.test(value)
  return isNumber || kind.fields[name]?.type === 'json' ? value : text
}

interface Upgrade {
  readonly shape: Shape
  /** The object as a state of today has it. */
  readonly state: ObjectValue
  /** The same as one of then had it. */
  readonly before: ObjectValue
}

/** A state of then becomes the one of today by what is read, and nothing is planned for a configuration of then. */
async function expectUpgrade(kind: DeclarableKind, { shape, state, before }: Upgrade): Promise<void> {
  const [block, type_name] = [blockOf(kind), typeName(kind.name)]
  const { upgraded_state, diagnostics } = await open.client.call('UpgradeResourceState', {
    type_name,
    version: shape.version,
    raw_state: { json: Buffer.from(written(kind, shape, before)) },
  })
  expect(told(diagnostics)).toEqual([])
  const read = await open.client.call('ReadResource', { type_name, current_state: upgraded_state })
  expect(told(read.diagnostics)).toEqual([])
  const config = mapMembers(block.attributes, ({ presence }, attribute) =>
    // A configuration of then says what could be said then.
    presence === 'computed' || !shape.attributes.includes(attribute) ? null : (state[attribute] ?? null),
  )
  const planned = await open.client.call('PlanResourceChange', {
    type_name,
    prior_state: read.new_state,
    proposed_new_state: wire(block, {
      ...(unwire(block, read.new_state) as ObjectValue),
      ...given(config),
    }),
    config: wire(block, config),
    prior_private: read.private,
  })
  expect(told(planned.diagnostics)).toEqual([])
  expect(unwire(block, planned.planned_state)).toEqual(unwire(block, read.new_state))
  expect(planned.requires_replace).toEqual([])
}

describe.each(declarableKinds)('earlier states of $name', ({ name }) => {
  const kind = declarableKind(name)
  const type_name = typeName(name)

  it.each(shapesOf(kind).map(shape => [shape.version, shape.attributes.length, shape] as const))(
    'of version %i with %i attributes are brought up, and plan nothing',
    async (_version, _, shape) => {
      const state = await current(kind)
      await expectUpgrade(kind, { shape, state, before: state })
    },
  )

  it('have nothing that those of today lack, but for what was renamed', () => {
    const today = Object.keys(resourceBlock(kind).attributes)
    const others = shapesOf(kind).flatMap(({ attributes }) =>
      attributes.filter(each => !today.includes(each)),
    )
    expect(others.filter(each => !renamed.includes(each))).toEqual([])
  })

  it('of a newer version are refused', async () => {
    const state = await current(kind)
    const shape = { version: resourceVersion, attributes: Object.keys(state) }
    const { diagnostics } = await open.client.call('UpgradeResourceState', {
      type_name,
      version: resourceVersion + 1,
      raw_state: { json: Buffer.from(written(kind, shape, state)) },
    })
    expect(told(diagnostics)).toEqual([
      `error: the state was written by a newer version of the provider: it has version ${resourceVersion + 1}, this provider knows ${resourceVersion}; upgrade the provider`,
    ])
  })
})

function given(config: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
}

describe('earlier states of a flag with typed attributes', () => {
  const kind = declarableKind('feature_flag')
  const typed = shapesOf(kind).filter(({ attributes }) => attributes.includes('release'))

  it.each(typed.map((shape, index) => [index, shape] as const))(
    'are brought up, with the filters that they held beside them, and plan nothing: %i',
    async (_, shape) => {
      const state = await current(kind, 'gift-wrapping#release')
      expect(state).toMatchObject({ filters: null, release: [{ rollout_percentage: 50 }] })
      const { id } = state
      const { filters } = (await service.get(`/api/projects/1/feature_flags/${id}`)) as { filters: Json }
      const isOfThen = shape.version < resourceVersion
      const before = isOfThen ? { ...state, filters: JSON.stringify(compactFilters(filters)) } : state
      await expectUpgrade(kind, { shape, state, before })
    },
  )
})
