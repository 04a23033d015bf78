import { basename, resolve } from 'node:path'
import { listRuns, type RunReading, readRun } from '../../core/record/run-folder.ts'
import { declarableKinds } from '../../kinds/index.ts'
import { knownScopes } from '../../kinds/key-scopes.ts'
import { profileSettings } from '../../model/connection/profile.ts'
import { pathParameters } from '../../model/endpoint.ts'
import { hasTargeting } from '../../model/kind.ts'
import { guards } from '../../model/safety/guard-rule.ts'
import { redactedParts } from '../../model/safety/redacted-part.ts'
import { type Quirk, quirkTable } from '../../sandbox/index.ts'
import { publishedSchemas } from '../../schema/schemas.ts'
import { type DeclaredNames, loadRepository } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { locksOf } from '../plan/run-record.ts'
import { references, referencesDoc } from '../retire/retire-choice.ts'
import { type Candidate, type FindValues, type Line, shells } from './candidates.ts'
import { operations } from './operations.ts'

/** Looks up what the repository declares and records, and what the interface has. It asks no service. */
export function valuesFor(host: Host): FindValues {
  return async (source, line) => {
    switch (source) {
      case 'addresses':
        return (await namesIn(host, line)).addresses.map(value => ({ value }))
      case 'allowances':
        return allowances(host, line)
      case 'assignments':
        return assignments(line)
      case 'environments':
        return environments(host, line)
      case 'flags':
        return flagKeys(host, line)
      case 'holds':
        return [
          ...(line.word.includes('=') ? [] : [{ value: references, doc: referencesDoc }]),
          ...(await allowances(host, line)),
        ]
      case 'kinds':
        return declarableKinds.map(({ name }) => ({ value: name }))
      case 'locks':
        return locks(host, line)
      case 'operations':
        return operations().map(({ operation, endpoint }) => ({ value: operation, doc: endpoint.doc }))
      case 'owners':
        return (await namesIn(host, line)).owners.map(value => ({ value }))
      case 'parts':
        return parts(line)
      case 'sdks':
        return ['all', ...Object.keys((await import('../../services/sdks.ts')).sdks)].map(value => ({
          value,
        }))
      case 'profiles':
        return profileSettings.map(value => ({ value }))
      case 'quirks':
        return Object.entries<Quirk>(quirkTable).flatMap(quirkCandidates)
      case 'runs':
        return runs(host, line)
      case 'schemas':
        return Object.keys(publishedSchemas()).map(file => ({ value: file.replace('.schema.json', '') }))
      case 'scopes':
        return knownScopes().map(value => ({ value }))
      case 'shells':
        return shells.map(value => ({ value }))
      default:
        return source satisfies never
    }
  }
}

async function flagKeys(host: Host, line: Line): Promise<Candidate[]> {
  const { addresses } = await namesIn(host, line)
  const prefixes = declarableKinds.filter(hasTargeting).map(({ name }) => `${name}.`)
  return addresses.flatMap(address => {
    const prefix = prefixes.find(each => address.startsWith(each))
    return prefix === undefined ? [] : [{ value: address.slice(prefix.length) }]
  })
}

/** The parts that can be redacted, and after a comma another one. */
function parts({ word }: Line): Candidate[] {
  const before = word.slice(0, word.lastIndexOf(',') + 1)
  return Object.entries(redactedParts).map(([part, doc]) => ({ value: before + part, doc }))
}

/** The names of rules, and after `rule=` what is declared. */
async function allowances(host: Host, line: Line): Promise<Candidate[]> {
  const [rule = '', address] = line.word.split(/=(.*)/s)
  if (address === undefined) return Object.entries(guards).map(([value, { doc }]) => ({ value, doc }))
  const { addresses } = await namesIn(host, line)
  return addresses.map(each => ({ value: `${rule}=${each}` }))
}

/** The arguments that an operation takes and were not given yet: `id=`. */
function assignments({ arguments: [operation, ...given] }: Line): Candidate[] {
  const found = operations().find(each => each.operation === operation)
  if (!found) return []
  const { path, query = {} } = found.endpoint
  const isGiven = (name: string) => given.some(each => each.startsWith(`${name}=`))
  return [...pathParameters(path), ...Object.keys(query)]
    .filter(name => !isGiven(name))
    .map(name => ({ value: `${name}=` }))
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

async function environments(host: Host, line: Line): Promise<Candidate[]> {
  const { settings } = await loadedIn(host, line)
  return settings.environments.flatMap(({ name }) => (name === undefined ? [] : [{ value: name }]))
}

async function locks(host: Host, line: Line): Promise<Candidate[]> {
  const held = await locksOf(host, folderOf(host, line)).list()
  return held.map(({ path }) => ({ value: basename(path) }))
}

async function runs(host: Host, line: Line): Promise<Candidate[]> {
  const files = await listRuns(folderOf(host, line))
  const newest = files.slice(0, mostRuns)
  const readings = await Promise.all(newest.map(readRun))
  const last = { value: 'last', doc: 'the last run that changed something' }
  return [last, ...readings.map(reading => ({ value: reading.file.run, ...environmentOf(reading) }))]
}

/** Nobody reads through more of them. */
const mostRuns = 50

function environmentOf(reading: RunReading): { readonly doc?: string } {
  const doc = 'record' in reading ? reading.record.environment : undefined
  return doc ? { doc } : {}
}

async function namesIn(host: Host, line: Line): Promise<DeclaredNames> {
  return (await loadedIn(host, line)).names
}

/** Whatever can be read: a repository with problems has names all the same. */
function loadedIn(host: Host, line: Line) {
  return loadRepository({ directory: folderOf(host, line), environment: line.options.env, env: host.env })
}

function folderOf({ directory }: Host, { options }: Line): string {
  return resolve(directory, options.chdir ?? '.')
}
