import { canonicalField, type Live, labelOf } from '../../core/live.ts'
import { liveIn } from '../../core/read/read-record.ts'
import { numberText } from '../../hcl/json.ts'
import {
  isNumberValue,
  isObjectValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  type Type,
  type Value,
} from '../../hcl/values.ts'
import { tagSet } from '../../model/canonical.ts'
import { pathParameters } from '../../model/endpoint.ts'
import {
  type DeclarableKind,
  type IdentifiedKind,
  identityField,
  isDescription,
  type Kind,
  managedFields,
  switchField,
} from '../../model/kind.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { compareTexts } from '../../model/text/names.ts'
import type { TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'
import {
  type DataSource,
  dataSourceBlock,
  parameterAttribute,
  resultsAttribute,
  shownRow,
} from '../../schema/terraform/terraform-data-sources.ts'
import { listResourceBlock, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import {
  type CurrentState,
  DiagnosticError,
  errorDiagnostic,
  type ListedObject,
  type ListWanted,
  type ReadAnswer,
  type ResourceList,
} from '../provider.ts'
import { blockSchema, type Session } from '../session.ts'
import { checkBelow } from './check-config.ts'
import { explainReading } from './explain.ts'
import { type Found, findBelow, findNamed, imported } from './import.ts'
import { textsOf } from './propose.ts'
import { byKeys, contextOf, ownerAttribute, type ResourceContext, textOf } from './resource-context.ts'

type AnswerSource = Extract<DataSource, { is: 'answer' }>

/** Calls one operation of the API and returns its answer. */
export async function readAnswer(
  source: AnswerSource,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const { kind } = source
  const endpoint = endpointOf(source, config)
  const path = kind.endpoints[endpoint]?.path ?? ''
  const isOfOrganization = path.includes('{parent_lookup_organization_id}')
  const owner = memberOf(config, isOfOrganization ? 'organization_id' : 'project_id')
  // An operation of an organization may belong to a kind of a project.
  const { client } = session.open({ ...kind, scope: isOfOrganization ? 'organization' : 'project' }, owner)
  const given = pathParameters(path).map(
    parameter => [parameter, textOf(memberOf(config, parameterAttribute(parameter, kind)))] as const,
  )
  const { body, text } = await client.call(kind.name, endpoint, {
    params: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    query: queryOf(kind, endpoint, config),
    signal,
  })
  const rows = source.rows ? { [resultsAttribute(kind)]: rowsOf(kind, body) } : {}
  return { ...config, ...rows, body: text === '' ? 'null' : text }
}

function endpointOf({ kind, endpoint, withoutId }: AnswerSource, config: ObjectValue): string {
  if (withoutId === undefined) return endpoint
  const parameters = pathParameters(kind.endpoints[endpoint]?.path ?? '').filter(name => name === 'id')
  const isGiven = parameters.every(name => memberOf(config, parameterAttribute(name, kind)) !== null)
  return isGiven ? endpoint : withoutId
}

function queryOf(kind: Kind, endpoint: string, config: ObjectValue): Record<string, Json> {
  const query = Object.entries(kind.endpoints[endpoint]?.query ?? {})
  const more = memberOf(config, 'query')
  return {
    ...(isObjectValue(more) ? mapMembers<Value, Json>(more, value => textOf(value) ?? null) : {}),
    ...Object.fromEntries(
      query.flatMap(([name, { type }]) => {
        const value = memberOf(config, name)
        if (value === null) return []
        if (type === 'array') checkJson(name, value)
        return [[name, isNumberValue(value) ? numberText(value) : String(value)]]
      }),
    ),
  }
}

function checkJson(name: string, value: Value): void {
  try {
    JSON.parse(String(value))
  } catch {
    throw new DiagnosticError(
      errorDiagnostic(`\`${name}\` is not JSON`, 'Write it with `jsonencode([ ... ])`.', [name]),
    )
  }
}

/** Rows that are not records, for example from a `select`, appear only in the body. */
function rowsOf(kind: Kind, body: Json): Value {
  const results = isJsonObject(body) ? body.results : body
  if (results === undefined || !isJsonArray(results)) return []
  const row = shownRow(kind)
  return results.filter(isJsonObject).map(record => rowOf(row, record))
}

/** Reads the living objects of a kind that match the filters, sorted by name. */
export async function readMany(
  source: Extract<DataSource, { is: 'one' | 'many' }>,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const { kind } = source
  const context = contextOf(kind, session, config, signal)
  const { parent } = kind.lifecycle
  const found = parent
    ? (await findBelow(context, config)).all
    : (await context.run.shared.all(kind, {})).filter(listFilter(kind, config))
  const results = dataSourceBlock(source).attributes[resultsAttribute(kind)]
  const row: TerraformAttributes = results && 'list' in results ? results.list : {}
  const inOrder = [...found].sort((left, right) => compareTexts(left.identity, right.identity))
  return {
    ...config,
    [resultsAttribute(kind)]: inOrder.map(live => ({ ...rowOf(row, recordOf(kind, live)), id: live.id })),
  }
}

/** The record with the role's name next to its id. A grant nests that name. */
function recordOf(kind: IdentifiedKind, { record, identity }: Live): JsonObject {
  if (kind.identity.by !== 'parent') return record
  const structure = record[kind.identity.structure]
  return {
    ...record,
    [identityField(kind)]: identity,
    [`${kind.identity.structure}_name`]: isJsonObject(structure) ? (structure.name ?? null) : null,
  }
}

/** Reads one object by its id or its name. Finding none is an error. */
export async function readOne(
  kind: IdentifiedKind,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const context = contextOf(kind, session, config, signal)
  const live = await findNamed(context, config)
  const owner = ownerAttribute(kind)
  const row = rowOf(shownRow(kind), live.record)
  return {
    ...row,
    [owner]: memberOf(config, owner) ?? memberOf(row, owner),
    id: live.id,
    // The name keeps the configuration's spelling.
    [identityField(kind)]: textOf(memberOf(config, identityField(kind))) ?? live.identity,
  }
}

/** Values of the record are converted, because services may return undocumented types. */
function rowOf(attributes: TerraformAttributes, record: JsonObject): ObjectValue {
  return mapMembers(attributes, (attribute, name) =>
    'type' in attribute ? fitted(attribute.type, record[name] ?? null) : null,
  )
}

function fitted(type: Type, value: Json): Value {
  if (value === null) return null
  if (typeof type !== 'string') {
    const [, of] = type
    return isJsonArray(value) && typeof of === 'string' ? value.map(element => fitted(of, element)) : null
  }
  switch (type) {
    case 'bool':
      return typeof value === 'boolean' ? value : null
    case 'number':
      return isJsonNumber(value) ? value : null
    default:
      return typeof value === 'string' ? value : writeJson(value)
  }
}

/** Returns the state for an object that was already read. */
export type ReadFound = (context: ResourceContext, current: CurrentState, live: Live) => Promise<ReadAnswer>

/** Lists a kind's objects. It holds one page at a time, and does not store listed objects. */
export function kindList(kind: DeclarableKind, session: Session, read: ReadFound): ResourceList {
  return {
    schema: blockSchema(listResourceBlock(kind)),
    validate: config => checkBelow(kind, config),
    async *objects(config, wanted, { signal }) {
      try {
        const context = contextOf(kind, session, config, signal)
        const accepts = listFilter(kind, config)
        for await (const found of living(context, config))
          if (accepts(found.live)) yield await listed(context, found, wanted, read)
      } catch (error) {
        throw new DiagnosticError(...explainReading(error, `list ${kind.title}s`, kind))
      }
    },
  }
}

async function* living(context: ResourceContext, config: ObjectValue): AsyncGenerator<Found> {
  const { kind, run, signal } = context
  if (kind.lifecycle.parent) {
    const { parentId, all } = await findBelow(context, config)
    for (const live of all) yield { live, parentId }
    return
  }
  for await (const live of liveIn(kind, run.client.list(kind.name, { signal })))
    if (!live.isSoftDeleted) yield { live }
}

async function listed(
  context: ResourceContext,
  found: Found,
  { isWhole }: ListWanted,
  read: ReadFound,
): Promise<ListedObject> {
  const { parentId, live } = found
  const name = labelOf(live) ?? live.identity
  const { state, private: kept = new Uint8Array() } = imported(context, found)
  if (!isWhole) return { name, state }
  const whereItIs = parentId === undefined ? context : { ...context, parentId }
  // A state passed to a read has every attribute; unknown ones are null.
  const nothing = mapMembers(blockSchema(resourceBlock(context.kind)).block.attributes, () => null)
  const answer = await read(
    whereItIs,
    { state: { ...nothing, ...state }, private: kept },
    await byKeys(context, live),
  )
  return { name, state: answer.state ?? state }
}

/** Whether an object matches the filters of a list's configuration. */
function listFilter(kind: IdentifiedKind, config: ObjectValue): (live: Live) => boolean {
  const { ownedBy } = kind.lifecycle
  const turned = switchField(kind)
  const search = textOf(memberOf(config, 'search'))
  const isOn = turned === undefined ? null : memberOf(config, turned)
  const described = managedFields(kind).filter(name => isDescription(kind, name))
  const wanted = ownedBy === undefined ? [] : textsOf(tagSet(textsOf(memberOf(config, ownedBy))))
  return ({ record, identity }) => {
    const has = ownedBy === undefined ? [] : textsOf(canonicalField(kind, ownedBy, record[ownedBy]))
    return (
      (search === undefined || isFound(search, [identity, ...described.map(name => record[name])])) &&
      (turned === undefined || isOn === null || record[turned] === isOn) &&
      wanted.every(tag => has.includes(tag))
    )
  }
}

function isFound(search: string, texts: readonly unknown[]): boolean {
  const wanted = search.toLowerCase()
  return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted))
}
