import { isReading } from '../../api/index.ts'
import { type Endpoint, pathParameters } from '../../model/endpoint.ts'
import type { Kind } from '../../model/kind.ts'
import { largestSaved } from '../../model/limits.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { readJson } from '../../model/text/json-text.ts'
import { meantHint } from '../../model/text/names.ts'
import type { OperationsDocument } from '../../report/document.ts'
import { validateAgainst } from '../../schema/validate-against.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, readInput, readNamedFile } from '../host/host.ts'
import { print } from '../host/output.ts'
import { withLock } from '../plan/run-record.ts'
import { openSettings } from '../repository/repository.ts'
import { openSession } from '../repository/session.ts'
import { type Operation, operations } from './find-values.ts'

/** `vexil call feature_flag.read id=7`: sends one request, and prints the answer unchanged. */
export async function runCall(
  host: Host,
  operation: string | undefined,
  assignments: readonly string[],
  flags: Flags,
): Promise<ExitCode> {
  if (operation === undefined) {
    await print(host, flags, { is: 'operations', operations: operations().map(shownOperation) })
    return exitCode.done
  }
  const { kind, name, endpoint } = findOperation(operation)
  const values = parseAssignments(assignments)
  const { params, query: named } = sortArguments(endpoint, values)
  const query = { ...named, ...Object.fromEntries(parseAssignments(flags.query ?? [])) }
  const body = await readBody(host, flags.body, kind.name, name, endpoint)
  if (flags.all && endpoint.answer !== 'page') {
    throw new CommandError(`--all is for lists, and ${operation} is not a list`, exitCode.usage)
  }
  const settings = await openSettings(host, flags)
  const readOnly = isReading(endpoint)
  const session = await openSession(host, flags, settings, { readOnly })
  const call = async () => {
    if (flags.all) {
      const rows: Json[] = []
      for await (const row of session.client.list(kind.name, { params, query, asAnswered: true }))
        rows.push(row)
      await print(host, flags, { is: 'call', operation, status: 200, body: rows })
      return exitCode.done
    }
    const answer = await session.client.call(kind.name, name, { params, query, body })
    const { status, body: came, text } = answer
    const plain = came === null && text !== '' ? { text } : {}
    await print(host, flags, { is: 'call', operation, status, body: came, ...plain })
    return exitCode.done
  }
  try {
    return readOnly ? await call() : await withLock(host, session, settings, `call ${operation}`, call)
  } finally {
    await session.close()
  }
}

function shownOperation({ operation, endpoint }: Operation): OperationsDocument['operations'][number] {
  const { method, path, query = {}, body, doc } = endpoint
  return {
    operation,
    method,
    path,
    required: pathParameters(path).filter(isOwnParameter),
    optional: Object.keys(query),
    takes_body: body !== undefined,
    doc,
  }
}

function findOperation(operation: string): { kind: Kind; name: string; endpoint: Endpoint } {
  const all = operations()
  const found = all.find(candidate => candidate.operation === operation)
  if (found) return found
  const known = all.map(candidate => candidate.operation)
  const hint = meantHint(operation, known, '`vexil call` lists them')
  throw new CommandError(`"${operation}" is not an operation; ${hint}`, exitCode.usage)
}

function parseAssignments(assignments: readonly string[]): Map<string, string> {
  return new Map(
    assignments.map(assignment => {
      const at = assignment.indexOf('=')
      if (at < 1) throw new CommandError(`"${assignment}" is not NAME=VALUE`, exitCode.usage)
      return [assignment.slice(0, at), assignment.slice(at + 1)]
    }),
  )
}

function sortArguments(
  endpoint: Endpoint,
  values: ReadonlyMap<string, string>,
): { params: Record<string, string>; query: Record<string, string> } {
  const paths = pathParameters(endpoint.path)
  const known = [...paths, ...Object.keys(endpoint.query ?? {})]
  for (const [name, value] of values) {
    if (!known.includes(name)) {
      const hint = meantHint(name, known, `it takes ${known.join(', ') || 'none'}`)
      throw new CommandError(`"${name}" is not an argument of this operation; ${hint}`, exitCode.usage)
    }
    checkArgument(endpoint, name, value)
  }
  const missing = paths.filter(isOwnParameter).filter(name => !values.has(name))
  if (missing.length > 0)
    throw new CommandError(`give ${missing.map(name => `${name}=...`).join(' ')}`, exitCode.usage)
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap(name => (values.has(name) ? [[name, values.get(name) ?? '']] : [])))
  return { params: pick(paths), query: pick(Object.keys(endpoint.query ?? {})) }
}

function checkArgument({ query }: Endpoint, name: string, value: string): void {
  const described = query?.[name]
  if (described?.type === 'integer' && !/^-?\d+$/.test(value)) {
    throw new CommandError(`"${name}" is a whole number, not "${value}"`, exitCode.usage)
  }
  if (described?.oneOf && !described.oneOf.includes(value)) {
    throw new CommandError(
      `"${name}" is one of ${described.oneOf.join(', ')}, not "${value}"`,
      exitCode.usage,
    )
  }
}

async function readBody(
  host: Host,
  given: string | undefined,
  kind: string,
  name: string,
  endpoint: Endpoint,
): Promise<JsonObject | undefined> {
  if (given === undefined) {
    if (endpoint.method === 'PATCH')
      throw new CommandError('give the changes with --body JSON', exitCode.usage)
    return undefined
  }
  if (endpoint.body === undefined) throw new CommandError('this operation takes no body', exitCode.usage)
  const text = await bodyText(host, given)
  let body: Json
  try {
    body = readJson(text)
  } catch {
    throw new CommandError('the body is not JSON', exitCode.usage)
  }
  if (!isJsonObject(body)) throw new CommandError('the body is not a JSON object', exitCode.usage)
  const [violation] = validateAgainst(`${kind}$${name}`, body)
  if (violation)
    throw new CommandError(`the body does not fit: ${violation.pointer} ${violation.message}`, exitCode.usage)
  return body
}

async function bodyText(host: Host, given: string): Promise<string> {
  if (given === '-') return readInput(host)
  if (!given.startsWith('@')) return given
  const path = given.slice(1)
  return readNamedFile(host, `the body file "${path}"`, path, largestSaved)
}

/** Whether the settings contain this parameter: the project or organization. */
function isOwnParameter(name: string): boolean {
  return name !== 'project_id' && name !== 'parent_lookup_organization_id'
}
