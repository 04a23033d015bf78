import { isSettingError, type RequestEvent } from '../../api/index.ts'
import type { RateLimit } from '../../model/connection.ts'
import type { Kind } from '../../model/kind.ts'
import { version } from '../../model/version.ts'
import type { Check, DoctorDocument, FoundLimits, OfferedKind } from '../../report/document.ts'
import { counted } from '../../report/object-names.ts'
import { type Limit, limits } from '../../services/facts.ts'
import { type ExitCode, exitCode, ProblemsError } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { note, print, withProgress } from '../host/output.ts'
import { explainFailure } from '../plan/explain-failure.ts'
import { shownProblems } from '../plan/failure.ts'
import { ConnectionError, type ResolvedSettings } from '../repository/connection.ts'
import { openSettings } from '../repository/repository.ts'
import type { RepositorySettings } from '../repository/repository-settings.ts'
import { openSession, resolvedFor, type Session } from '../repository/session.ts'
import { type AskedList, askService, unaskedLists } from './ask-permissions.ts'
import {
  answeredCheck,
  connectionCheck,
  factsCheck,
  foundService,
  grantsCheck,
  isAnswered,
  keyCheck,
  listCheck,
  offeredKinds,
  ownerCheck,
  permissionChecks,
  profileCheck,
  reasonIn,
} from './diagnose.ts'

/** `vexil doctor`: checks everything a plan needs, one line each. Ends in 1 if a plan would fail. */
export async function runDoctor(host: Host, flags: Flags): Promise<ExitCode> {
  const versions = [`vexil ${version}`, ...(host.engine === undefined ? [] : [host.engine])]
  const { checks: found, ...more } = await examine(host, flags)
  const checks: Check[] = [{ name: 'versions', verdict: 'ok', summary: versions.join(', ') }, ...found]
  const hasFailed = checks.some(({ verdict }) => verdict === 'failed')
  const code = hasFailed ? exitCode.error : exitCode.done
  await print(host, flags, { is: 'doctor', exitCode: code, checks, ...more })
  return code
}

/** The members of the document besides its checks. */
type Found = Omit<DoctorDocument, 'is' | 'exitCode'>

/** The facts for the checks. */
interface Facts {
  readonly resolved: ResolvedSettings
  readonly keySource?: string
  readonly asked: readonly AskedList[]
  /** An error before the first request, and the setting that caused it. */
  readonly failure?: { readonly name: string; readonly error: unknown }
  /** The members of the document that are known only from answers. */
  readonly answers?: Required<Omit<Found, 'checks' | 'clock'>> & Pick<Found, 'clock'>
  readonly elapsedMs?: number
}

async function examine(host: Host, flags: Flags): Promise<Found> {
  let opened: RepositorySettings
  try {
    opened = await openSettings(host, flags)
  } catch (error) {
    if (error instanceof ProblemsError) await note(host, shownProblems(error))
    const why = 'the settings cannot be used'
    const unknown = checksOf({ resolved: {}, asked: unaskedLists(why) })
    return {
      checks: [
        { name: 'settings', verdict: 'failed', summary: explainFailure(error) },
        ...unknown.map(({ name }): Check => ({ name, verdict: 'not_checked', summary: why })),
      ],
    }
  }
  const settings: Check = { name: 'settings', verdict: 'ok', summary: settingsSummary(opened) }
  const known = await gather(host, flags, opened)
  return { checks: [settings, ...checksOf(known)], ...known.answers }
}

function settingsSummary({ settingsFile, environment, directory }: RepositorySettings): string {
  if (settingsFile === undefined) return `no vexil.yaml in ${directory}; flags and environment variables only`
  return environment === undefined ? settingsFile : `${settingsFile}, environment ${environment}`
}

async function gather(host: Host, flags: Flags, settings: RepositorySettings): Promise<Facts> {
  const resolved = resolvedFor(host, flags, settings)
  const seen: SeenHeaders = { limit: {}, isThrottled: false }
  let session: Session
  try {
    const onRequest = (event: RequestEvent) => noteHeaders(host, seen, event)
    session = await openSession(host, flags, settings, { readOnly: true, onRequest })
  } catch (error) {
    const name = checkOf(error)
    return { resolved, asked: unaskedLists(`needs the ${name}`), failure: { name, error } }
  }
  try {
    return {
      resolved: { ...resolved, ...seenIn(session, resolved) },
      keySource: keyLine(host, session),
      ...(await withProgress(host, 'asking the service', () => askAll(session, host, seen))),
    }
  } finally {
    await session.close()
  }
}

async function askAll(
  { client, connection }: Session,
  { runtime }: Host,
  seen: SeenHeaders,
): Promise<Pick<Facts, 'asked' | 'answers' | 'elapsedMs'>> {
  const startedAt = runtime.now()
  const { asked, permissions } = await askService(client, connection.profile)
  const service = foundService(client.target, client.recognized)
  const { aheadMs, limit, isThrottled } = seen
  const answers: Facts['answers'] = {
    ...{ service, kinds: offeredKinds({ asked, permissions }), permissions, requests: client.requestCount },
    limits: { known: limits[service.profile].map(shownLimit), told: limit, throttled: isThrottled },
    ...(aheadMs === undefined ? {} : { clock: { ahead_ms: aheadMs, tolerance_ms: toleranceMs } }),
  }
  return { asked, answers, elapsedMs: runtime.now() - startedAt }
}

/** The stand-in has its own settings. */
function seenIn({ connection, target }: Session, resolved: ResolvedSettings): ResolvedSettings {
  const { projectId, organizationId, sources } = connection
  const own = (value: string | undefined, source: string | undefined) =>
    value === undefined || source === undefined ? undefined : { value, source }
  return {
    baseUrl: resolved.baseUrl ?? own(target.baseUrl, sources.baseUrl),
    project: resolved.project ?? own(projectId, sources.project),
    organization: resolved.organization ?? own(organizationId, sources.organization),
  }
}

/** The variable of the key and, if it names a file, that file. */
function keyLine({ env }: Host, { connection: { keySource } }: Session): string {
  const file = keySource.endsWith('_FILE') ? env[keySource] : undefined
  return file === undefined ? keySource : `the file "${file}" (${keySource})`
}

/** The check that a failure to open a connection belongs to. */
function checkOf(error: unknown): string {
  const setting = error instanceof ConnectionError || isSettingError(error) ? error.setting : undefined
  return (setting && checks.get(setting)) ?? 'connection'
}

const checks = new Map([
  ['baseUrl', 'base URL'],
  ['apiKey', 'key'],
  ['project', 'project'],
  ['projectId', 'project'],
  ['organization', 'organization'],
  ['organizationId', 'organization'],
  ['profile', 'profile'],
  ['parallelism', 'connection'],
])

function checksOf({ resolved, keySource, asked, failure, answers, elapsedMs }: Facts): Check[] {
  const { baseUrl, project, organization, profile } = resolved
  const waiting = reasonIn(asked)
  const isHeard = isAnswered(asked)
  const unasked = (name: string): Check => ({ name, verdict: 'not_checked', summary: waiting })
  const time = answers && `${counted(answers.requests, 'request')} in ${elapsedMs} ms`
  const found: Check[] = [
    baseUrl ? answeredCheck('base URL', baseUrl, asked) : unasked('base URL'),
    ownerCheck('project', project, asked),
    ownerCheck('organization', organization, asked),
    keySource === undefined ? unasked('key') : keyCheck(keySource, asked),
    connectionCheck(asked),
    profileCheck(profile, baseUrl?.value, answers?.service, asked),
    ...(answers ? [factsCheck(answers.service)] : []),
    ...kindChecks(asked, answers?.kinds),
    ...(answers ? permissionChecks(answers.permissions) : []),
    clockCheck(answers?.clock?.ahead_ms, isHeard ? 'no answer had a date' : waiting),
    answers && isHeard ? limitsCheck(answers.limits) : unasked('limits'),
    time !== undefined && isHeard ? { name: 'time', verdict: 'ok', summary: time } : unasked('time'),
  ]
  if (!failure) return found
  const failed: Check = { name: failure.name, verdict: 'failed', summary: explainFailure(failure.error) }
  return found.map(check => (check.name === failure.name ? failed : check))
}

/** The kinds with their own lists, each with the grants of its objects below it. */
function kindChecks(asked: readonly AskedList[], kinds: readonly OfferedKind[] = []): Check[] {
  const offered = (kind: Kind) => kinds.find(each => each.kind === kind.name)
  return asked.flatMap(list => {
    const grants = list.grants && offered(list.grants.kind)
    return [listCheck(list, offered(list.kind), asked), ...(grants ? [grantsCheck(grants)] : [])]
  })
}

/** What the headers of all answers of a session show, including failures. */
interface SeenHeaders {
  /** How far the clock of the service is ahead of ours; undefined if no answer had a date. */
  aheadMs?: number
  limit: RateLimit
  isThrottled: boolean
}

function noteHeaders({ runtime }: Host, seen: SeenHeaders, { status, dateMs, limit }: RequestEvent): void {
  if (dateMs !== undefined) seen.aheadMs ??= dateMs - runtime.now()
  seen.limit = { ...seen.limit, ...limit }
  seen.isThrottled ||= status === 429
}

/** Dates in journals, records and `Retry-After` need a correct clock. */
function clockCheck(aheadMs: number | undefined, why: string): Check {
  const name = 'clock'
  if (aheadMs === undefined) return { name, verdict: 'not_checked', summary: why }
  if (Math.abs(aheadMs) <= toleranceMs) return { name, verdict: 'ok', summary: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return { name, verdict: 'note', summary: `this machine is ${seconds} seconds ${way} the service` }
}

/** A smaller difference is normal: the date of an answer has whole seconds, and an answer takes time. */
const toleranceMs = 60_000

/** The known request limit of the service, and the limit that it reports. */
export function limitsCheck({ known, told, throttled }: FoundLimits): Check {
  const documented = known.length === 0 ? 'none is known' : known.map(limitWords).join('; ')
  const observed = limitText(told)
  const asked = throttled ? '; the service has asked for fewer requests (429)' : ''
  const isNear = throttled || told.remaining === 0
  return { name: 'limits', verdict: isNear ? 'note' : 'ok', summary: `${documented}${observed}${asked}` }
}

type ShownLimit = FoundLimits['known'][number]

function shownLimit({ of, perMinute, perHour, each }: Limit): ShownLimit {
  return { of, each, per_minute: perMinute, ...(perHour === undefined ? {} : { per_hour: perHour }) }
}

function limitWords({ of, per_minute: perMinute, per_hour: perHour, each }: ShownLimit): string {
  const hourly = perHour === undefined ? '' : ` and ${perHour} per hour`
  return `${perMinute} ${of} per minute${hourly} for each ${each}`
}

function limitText({ limit, remaining }: RateLimit): string {
  if (remaining === undefined) return limit === undefined ? '' : `; the answers say ${limit}`
  return `; the answers say that ${remaining}${limit === undefined ? '' : ` of ${limit}`} are left`
}
