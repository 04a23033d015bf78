import { numberText } from '../../hcl/json.ts'
import {
  isNumberValue,
  isObjectValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  type Value,
} from '../../hcl/values.ts'
import { pathParameters } from '../../model/endpoint.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import type { Kind } from '../../model/kind.ts'
import {
  type DataSource,
  parameterAttribute,
  resultsAttribute,
  shownRow,
} from '../../schema/terraform/terraform-data-sources.ts'
import { DiagnosticError, errorDiagnostic } from '../diagnostic.ts'
import { textOf } from '../resources/resource-context.ts'
import type { Session } from '../session/session.ts'
import { rowOf } from './row-value.ts'

type AnswerSource = Extract<DataSource, { is: 'answer' }>

/** Calls one operation of the interface and hands on what it answered. */
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

/** Rows that are no records, as a `select` makes them, are found in the body only. */
function rowsOf(kind: Kind, body: Json): Value {
  const results = isJsonObject(body) ? body.results : body
  if (results === undefined || !isJsonArray(results)) return []
  const row = shownRow(kind)
  return results.filter(isJsonObject).map(record => rowOf(row, record))
}
