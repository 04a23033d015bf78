import type { Live } from '../../core/live.ts'
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
import { pathParameters } from '../../model/endpoint.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { type IdentifiedKind, identityField, type Kind } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'
import {
  type DataSource,
  dataSourceBlock,
  parameterAttribute,
  resultsAttribute,
  shownRow,
} from '../../schema/terraform/terraform-data-sources.ts'
import { DiagnosticError, errorDiagnostic } from '../provider.ts'
import type { Session } from '../session.ts'
import { findBelow, findNamed } from './find-named.ts'
import { listFilter } from './list.ts'
import { contextOf, ownerAttribute, textOf } from './resource-context.ts'

type AnswerSource = Extract<DataSource, { is: 'answer' }>

/** Calls one operation of the API and passes its answer on. */
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
  // An operation of an organization can belong to a kind of a project.
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

/** Rows that are no records, as a `select` makes them, appear only in the body. */
function rowsOf(kind: Kind, body: Json): Value {
  const results = isJsonObject(body) ? body.results : body
  if (results === undefined || !isJsonArray(results)) return []
  const row = shownRow(kind)
  return results.filter(isJsonObject).map(record => rowOf(row, record))
}

/** Reads the living objects of a kind that pass the filters, sorted by name. */
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

/** The record with the role's name beside its id; a grant nests that name. */
function recordOf(kind: IdentifiedKind, { record, identity }: Live): JsonObject {
  if (kind.identity.by !== 'parent') return record
  const structure = record[kind.identity.structure]
  return {
    ...record,
    [identityField(kind)]: identity,
    [`${kind.identity.structure}_name`]: isJsonObject(structure) ? (structure.name ?? null) : null,
  }
}

/** Reads one object by its id or its name; finding none is an error. */
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
    // The name is returned as the configuration spells it.
    [identityField(kind)]: textOf(memberOf(config, identityField(kind))) ?? live.identity,
  }
}

/** A record as the attributes of a row. Services may return undocumented types; values are converted. */
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
