import { basename, resolve } from 'node:path'
import { listRuns, type RunReading, readRun } from '../../core/record/run-folder.ts'
import { declarableKinds, kinds } from '../../kinds/index.ts'
import { knownScopes } from '../../kinds/key-scopes.ts'
import { profileSettings } from '../../model/connection.ts'
import { type Endpoint, pathParameters } from '../../model/endpoint.ts'
import { redactedParts } from '../../model/field.ts'
import { guards } from '../../model/guard-rules.ts'
import { hasTargeting, type Kind } from '../../model/kind.ts'
import { allowedReferences } from '../../model/removal.ts'
import { type Quirk, quirkTable } from '../../sandbox/index.ts'
import { publishedSchemas } from '../../schema/schemas.ts'
import { type DeclaredNames, loadRepository } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { locksOf } from '../plan/run-record.ts'
import { type Candidate, type FindValues, type FoundSource, type Line, shells } from './candidates.ts'

/** Finds values in declarations, records and the API description, without the service. */
export function valuesFor(host: Host): FindValues {
  return async (source, line) => {
    const found = await finders[source](host, line)
    return found.map(each => (typeof each === 'string' ? { value: each } : each))
  }
}

type Found = readonly (string | Candidate)[]

const finders: Readonly<Record<FoundSource, (host: Host, line: Line) => Found | Promise<Found>>> = {
  addresses: async (host, line) => (await namesIn(host, line)).addresses,
  allowances,
  assignments: (_, line) => assignments(line),
  environments: async (host, line) =>
    (await loadedIn(host, line)).settings.environments.flatMap(({ name }) => name ?? []),
  flags: flagKeys,
  holds: async (host, line) => [
    ...(line.word.includes('=') ? [] : [{ value: allowedReferences.rule, doc: allowedReferences.doc }]),
    ...(await allowances(host, line)),
  ],
  kinds: () => declarableKinds.map(({ name }) => name),
  locks: async (host, line) =>
    (await locksOf(host, folderOf(host, line)).list()).map(({ path }) => basename(path)),
  operations: () => operations().map(({ operation, endpoint }) => ({ value: operation, doc: endpoint.doc })),
  owners: async (host, line) => (await namesIn(host, line)).owners,
  parts: (_, line) => parts(line),
  profiles: () => profileSettings,
  quirks: () => Object.entries<Quirk>(quirkTable).flatMap(quirkCandidates),
  runs,
  schemas: () => Object.keys(publishedSchemas()).map(file => file.replace('.schema.json', '')),
  scopes: knownScopes,
  sdks: async () => ['all', ...Object.keys((await import('../../services/sdks.ts')).sdks)],
  shells: () => shells,
}

async function flagKeys(host: Host, line: Line): Promise<string[]> {
  const { addresses } = await namesIn(host, line)
  const prefixes = declarableKinds.filter(hasTargeting).map(({ name }) => `${name}.`)
  return addresses.flatMap(address => {
    const prefix = prefixes.find(each => address.startsWith(each))
    return prefix === undefined ? [] : [address.slice(prefix.length)]
  })
}

/** The parts for `--redact`. After a comma, another part can follow. */
function parts({ word }: Line): Candidate[] {
  const before = word.slice(0, word.lastIndexOf(',') + 1)
  return Object.entries(redactedParts).map(([part, doc]) => ({ value: before + part, doc }))
}

/** The names of rules and, after `rule=`, declared addresses. */
async function allowances(host: Host, line: Line): Promise<Found> {
  const [rule = '', address] = line.word.split(/=(.*)/s)
  if (address === undefined) return Object.entries(guards).map(([value, { doc }]) => ({ value, doc }))
  const { addresses } = await namesIn(host, line)
  return addresses.map(each => `${rule}=${each}`)
}

/** The missing arguments of an operation: `id=`. */
function assignments({ arguments: [operation, ...given] }: Line): string[] {
  const found = operations().find(each => each.operation === operation)
  if (!found) return []
  const { path, query = {} } = found.endpoint
  const isGiven = (name: string) => given.some(each => each.startsWith(`${name}=`))
  return [...pathParameters(path), ...Object.keys(query)]
    .filter(name => !isGiven(name))
    .map(name => `${name}=`)
}

function quirkCandidates([name, quirk]: readonly [string, Quirk]): Candidate[] {
  const { doc } = quirk
  switch (quirk.type) {
    case 'switch':
      return ['true', 'false'].map(value => ({ value: `${name}=${value}`, doc }))
    case 'choice':
      return quirk.of.map(value => ({ value: `${name}=${value}`, doc }))
    case 'number':
      return [{ value: `${name}=`, doc }]
  }
}

async function runs(host: Host, line: Line): Promise<Candidate[]> {
  const files = await listRuns(folderOf(host, line))
  const newest = files.slice(0, mostRuns)
  const readings = await Promise.all(newest.map(readRun))
  const last = { value: 'last', doc: 'the last run that changed something' }
  return [last, ...readings.map(reading => ({ value: reading.file.run, ...environmentOf(reading) }))]
}

/** A longer list would not be useful. */
const mostRuns = 50

function environmentOf(reading: RunReading): { readonly doc?: string } {
  const doc = 'record' in reading ? reading.record.environment : undefined
  return doc ? { doc } : {}
}

async function namesIn(host: Host, line: Line): Promise<DeclaredNames> {
  return (await loadedIn(host, line)).names
}

/** Loads a repository. Errors do not matter, since names are still known. */
function loadedIn(host: Host, line: Line) {
  return loadRepository({ directory: folderOf(host, line), environment: line.options.env, env: host.env })
}

function folderOf({ directory }: Host, { options }: Line): string {
  return resolve(directory, options.chdir ?? '.')
}

export interface Operation {
  /** `feature_flag.read` */
  readonly operation: string
  readonly kind: Kind
  readonly name: string
  readonly endpoint: Endpoint
}

/** Every operation of the interface, by its name for `vexil call`. */
export function operations(): Operation[] {
  return Object.values<Kind>(kinds).flatMap(kind =>
    Object.entries(kind.endpoints).map(([name, endpoint]) => ({
      operation: `${kind.name}.${name}`,
      kind,
      name,
      endpoint,
    })),
  )
}
