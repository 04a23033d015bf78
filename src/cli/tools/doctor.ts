import { type ClientTarget, isSettingError, type Recognized, type RequestEvent } from '../../api/index.ts'
import { kindNamed } from '../../kinds/index.ts'
import { defaultProfile, type Profile, profiles, type RateLimit } from '../../model/connection.ts'
import { type Kind, pluralTitle } from '../../model/kind.ts'
import { version } from '../../model/version.ts'
import type {
  Check,
  DoctorDocument,
  FoundLimits,
  FoundService,
  OfferedKind,
  Permission,
  Verdict,
} from '../../report/document.ts'
import { counted } from '../../report/line-text.ts'
import { facts, factsVersion, type Limit, limits } from '../../services/facts.ts'
import type { Flags } from '../command-options.ts'
import { type ExitCode, exitCode, ProblemsError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { note, print, withProgress } from '../host/output.ts'
import { explainFailure } from '../plan/explain-failure.ts'
import { shownProblems } from '../plan/failure.ts'
import {
  ConnectionError,
  type Resolved,
  type ResolvedSettings,
  shownValue,
  variables,
} from '../repository/connection.ts'
import { openSettings } from '../repository/repository.ts'
import type { RepositorySettings } from '../repository/repository-settings.ts'
import { openSession, resolvedFor, type Session } from '../repository/session.ts'
import {
  type AskedList,
  type AskedService,
  askService,
  isGone,
  isMissing,
  isSilent,
  listsOf,
  noAnswer,
  notLetIn,
  type Outcome,
  refusalOf,
  statusesOf,
  unaskedLists,
} from './ask-permissions.ts'

/** `vexil doctor`: checks everything that a plan needs, one line each. Ends in 1 if a plan would fail. */
export async function runDoctor(host: Host, flags: Flags): Promise<ExitCode> {
  const versions = [`vexil ${version}`, ...(host.engine === undefined ? [] : [host.engine])]
  const { checks: found, ...more } = await examine(host, flags)
  const checks: Check[] = [{ name: 'versions', verdict: 'ok', summary: versions.join(', ') }, ...found]
  const hasFailed = checks.some(({ verdict }) => verdict === 'failed')
  const code = hasFailed ? exitCode.error : exitCode.done
  await print(host, flags, { is: 'doctor', exitCode: code, checks, ...more })
  return code
}

type Found = Omit<DoctorDocument, 'is' | 'exitCode'>

interface Facts {
  readonly resolved: ResolvedSettings
  readonly keySource?: string
  readonly asked: readonly AskedList[]
  /** An error before the first request, and its setting. */
  readonly failure?: { readonly name: string; readonly error: unknown }
  /** The members of the document that need answers. */
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

/** The settings in use. The sandbox has its own. */
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

/** The variable of the key, and its file if it names one. */
function keyLine({ env }: Host, { connection: { keySource } }: Session): string {
  const file = keySource.endsWith('_FILE') ? env[keySource] : undefined
  return file === undefined ? keySource : `the file "${file}" (${keySource})`
}

/** The check that a connection error belongs to. */
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

/** The checks of the lists of kinds, each with its grants. */
function kindChecks(asked: readonly AskedList[], kinds: readonly OfferedKind[] = []): Check[] {
  const offered = (kind: Kind) => kinds.find(each => each.kind === kind.name)
  return asked.flatMap(list => {
    const grants = list.grants && offered(list.grants.kind)
    return [listCheck(list, offered(list.kind), asked), ...(grants ? [grantsCheck(grants)] : [])]
  })
}

/** What the headers of all answers show, including failures. */
interface SeenHeaders {
  /** How far the clock of the service is ahead of the local one; undefined if no answer had a date. */
  aheadMs?: number
  limit: RateLimit
  isThrottled: boolean
}

function noteHeaders({ runtime }: Host, seen: SeenHeaders, { status, dateMs, limit }: RequestEvent): void {
  if (dateMs !== undefined) seen.aheadMs ??= dateMs - runtime.now()
  seen.limit = { ...seen.limit, ...limit }
  seen.isThrottled ||= status === 429
}

/** The check of the clock, which dates in records and `Retry-After` need. */
function clockCheck(aheadMs: number | undefined, why: string): Check {
  const name = 'clock'
  if (aheadMs === undefined) return { name, verdict: 'not_checked', summary: why }
  if (Math.abs(aheadMs) <= toleranceMs) return { name, verdict: 'ok', summary: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return { name, verdict: 'note', summary: `this machine is ${seconds} seconds ${way} the service` }
}

/** A smaller difference is normal: dates have whole seconds, and answers take time. */
const toleranceMs = 60_000

/** The check of request limits: the documented ones, and those in the answers. */
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
  if (remaining === undefined) return limit === undefined ? '' : `; according to the answers: ${limit}`
  return `; according to the answers, ${remaining}${limit === undefined ? '' : ` of ${limit}`} are left`
}

/**
 * What the answers show about each setting and list. Without an answer: `not_checked`.
 *
 * | check        | ok                           | failed                             |
 * |--------------|------------------------------|------------------------------------|
 * | base URL     | the service answers there    | it is missing, or not a URL        |
 * | connection   | the service answers          | no answer, or none of the service  |
 * | key          | it was accepted              | it is missing, or was refused      |
 * | project      | one of its lists can be read | it is not set, or does not exist   |
 * | organization | the same                     | only a note: plans work without it |
 * | a list       | it can be read, and changed  | it cannot, and every plan needs it |
 */
export function connectionCheck(asked: readonly AskedList[]): Check {
  const name = 'connection'
  const silent = asked.find(({ outcome }) => isSilent(outcome))
  if (!silent && isAnswered(asked)) return { name, verdict: 'ok', summary: 'the service answers' }
  const broken = silent ?? asked.find(({ outcome }) => refusalOf(outcome) !== undefined)
  return broken
    ? { name, verdict: 'failed', summary: whyNot(broken.outcome) }
    : { name, verdict: 'not_checked', summary: reasonIn(asked) }
}

/** Why a request has no result, in one line. */
function whyNot(outcome: Outcome): string {
  if (outcome.is === 'failed') return explainFailure(outcome.error)
  return outcome.is === 'unasked' ? outcome.why : ''
}

/** The source of a setting without a value. */
const byDefault = 'default'

/** The check of the base URL, which only an answer can confirm. */
export function answeredCheck(name: string, resolved: Resolved, asked: readonly AskedList[]): Check {
  const about = aboutOf('baseUrl', resolved)
  if (isAnswered(asked)) return { name, verdict: verdictOf(resolved), ...about }
  return { name, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(asked)}` }
}

export function ownerCheck(
  owner: AskedList['kind']['scope'],
  resolved: Resolved | undefined,
  asked: readonly AskedList[],
): Check {
  const own = listsOf(owner, asked)
  const bad = own.some(({ isNeeded }) => isNeeded) ? 'failed' : 'note'
  if (!resolved) {
    const summary = `none is set (${variables[owner].join(', ')}, --${owner}); needed for ${own.map(({ name }) => name).join(', ')}`
    return { name: owner, verdict: bad, summary }
  }
  const about = aboutOf(owner, resolved)
  if (own.some(({ outcome }) => outcome.is === 'answered' || isGone(outcome))) {
    return { name: owner, verdict: verdictOf(resolved), ...about }
  }
  if (isMissing(owner, asked)) {
    const refused = own.find(({ outcome }) => refusalOf(outcome) !== undefined)
    const why = refused ? `; ${whyNot(refused.outcome)}` : ''
    return { name: owner, verdict: bad, ...about, summary: `${about.summary}${why}` }
  }
  return { name: owner, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(own)}` }
}

/** `source`: the variable of the key, with its file. Never the key. */
export function keyCheck(source: string, asked: readonly AskedList[]): Check {
  const about = { name: 'key', source }
  const refused = asked.find(({ outcome }) => refusalOf(outcome) === 401)
  if (refused) return { ...about, verdict: 'failed', summary: `from ${source}; ${whyNot(refused.outcome)}` }
  const isLetIn =
    asked.some(({ outcome }) => outcome.is === 'answered') ||
    statusesOf(asked).some(status => [402, 403, 404].includes(status))
  return isLetIn
    ? { ...about, verdict: 'ok', summary: `from ${source}` }
    : { ...about, verdict: 'not_checked', summary: `from ${source}; ${reasonIn(asked)}` }
}

export function listCheck(
  { name, kind, isNeeded, outcome }: AskedList,
  offered: OfferedKind | undefined,
  asked: readonly AskedList[],
): Check {
  const unchecked = (summary: string): Check => ({ name, verdict: 'not_checked', summary })
  if (outcome.is === 'unasked') return unchecked(outcome.why)
  if (outcome.is === 'answered') {
    const summary = `readable${outcome.count === undefined ? '' : `, ${outcome.count} in all`}`
    return offered?.offered === 'read_only'
      ? { name, verdict: 'note', summary: `${summary}; they cannot be changed: ${offered.reason}` }
      : { name, verdict: 'ok', summary }
  }
  const { status } = outcome
  if (status === undefined) return unchecked(noAnswer)
  if (outcome.isGone)
    return { name, verdict: isNeeded ? 'failed' : 'note', summary: `this service has no ${name}` }
  if (status === 401) return unchecked(notLetIn)
  // The project or organization is wrong, not the list.
  if (isMissing(kind.scope, asked)) {
    const doubt = kind.lifecycle.mayBeGone === undefined ? '' : `, or this service has no ${name}`
    return unchecked(`that ${kind.scope} was not found${doubt}`)
  }
  const isNoted = !isNeeded && [402, 403, 404].includes(status)
  return { name, verdict: isNoted ? 'note' : 'failed', summary: whyNot(outcome) }
}

/** Whether the service answers, without errors. */
export function isAnswered(asked: readonly AskedList[]): boolean {
  const isAny = asked.some(({ outcome }) => outcome.is === 'answered')
  return isAny || statusesOf(asked).some(status => status < 500)
}

/** The reason why a check has no result, in one line. */
export function reasonIn(asked: readonly AskedList[]): string {
  const outcome = asked.map(each => each.outcome).find(each => each.is !== 'answered' && !isGone(each))
  if (!outcome) return 'nothing was asked'
  if (outcome.is === 'unasked') return outcome.why
  if (isSilent(outcome)) return noAnswer
  return refusalOf(outcome) === 401 ? notLetIn : 'nothing of it could be read'
}

/** A variable that overrides the settings is only a note: it may be intended. */
function verdictOf({ over }: Resolved): 'ok' | 'note' {
  return over === undefined ? 'ok' : 'note'
}

function aboutOf(
  setting: 'baseUrl' | 'project' | 'organization' | 'profile',
  { value, source, over }: Resolved,
) {
  const shown = shownValue(setting, value)
  const other = over === undefined ? '' : `, over "${shownValue(setting, over)}" of the settings`
  const from = source === byDefault ? 'by default' : `from ${source}`
  return { summary: `${shown} ${from}${other}`, value: shown, source }
}

/** The profile of the service: from the settings, from the answers, or the earliest possible one. */
export function foundService(
  { profile, known }: Pick<ClientTarget, 'profile' | 'known'>,
  { signs, possible }: Recognized,
): FoundService {
  return { profile, known, signs, possible, facts: shownFacts(profile) }
}

function shownFacts(profile: Profile): FoundService['facts'] {
  const { title, newestSource } = facts[profile]
  const newest = newestSource === undefined ? {} : { newest_source: newestSource }
  return { title, version: factsVersion(), ...newest }
}

/**
 * The check of the profile.
 *
 * | set    | the answers            | verdict                            |
 * |--------|------------------------|------------------------------------|
 * | one    | match it               | ok                                 |
 * | one    | match only others      | note: requests have the wrong form |
 * | `auto` | match one profile      | ok: this profile, with the proof   |
 * | `auto` | match several profiles | note: the earliest one is used     |
 */
export function profileCheck(
  resolved: Resolved = { value: defaultProfile, source: byDefault },
  baseUrl: string | undefined,
  service: FoundService | undefined,
  asked: readonly AskedList[],
): Check {
  const name = 'profile'
  const about = aboutOf('profile', resolved)
  if (!service || !isAnswered(asked)) {
    return { name, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(asked)}` }
  }
  const { profile, known, possible } = service
  const shown = shownBy(service)
  if (known === 'recognized') {
    const source = 'the answers of the service'
    return { name, verdict: 'ok', summary: `${profile}, shown by ${shown}`, value: profile, source }
  }
  if (known === 'assumed') {
    const why = possible.length === profiles.length ? 'no record has shown which' : `which ${shown} leaves`
    const summary = `${about.summary}; it may be ${orWords(possible)}, ${why}; used as ${profile}`
    return { name, verdict: 'note', ...about, summary }
  }
  if (possible.includes(profile)) {
    const check: Check = { name, verdict: verdictOf(resolved), ...about }
    return isPublic(baseUrl) && profile === 'documented' ? betterSet(check) : check
  }
  const summary = `${about.summary}, but ${shown} shows ${orWords(possible)}; set that, or \`auto\``
  return { name, verdict: 'note', ...about, summary }
}

/** Whether it is the hosted service, which differs from the API document. */
function isPublic(baseUrl: string | undefined): boolean {
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  return /(^|\.)posthog\.com$/.test(host)
}

function betterSet(check: Check): Check {
  const summary = `${check.summary}; use \`profile: auto\` for the public service`
  return { ...check, verdict: 'note', summary }
}

/** The last proof of the profile: `"archived" in GET /api/projects/1/feature_flags?limit=1`. */
function shownBy({ signs }: FoundService): string {
  const sign = signs.at(-1)
  return sign ? `"${sign.member}" in ${sign.request}` : 'nothing'
}

function orWords(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

/** The age of the facts about services in this version. */
export function factsCheck({ facts: { title, newest_source: newest, version } }: FoundService): Check {
  const age = newest === undefined ? '' : `, newest source of ${newest}`
  return { name: 'facts', verdict: 'ok', summary: `${title}${age}; version ${version}` }
}

/**
 * Whether the service has each kind, and whether this key can read it.
 *
 * | the list                                    | offered     |
 * |---------------------------------------------|-------------|
 * | answers, and the key may change its objects | `yes`       |
 * | answers, but no key may change its objects  | `read_only` |
 * | does not exist, or needs a paid plan (402)  | `no`        |
 * | is refused to this key (403)                | `refused`   |
 * | anything else                               | `not_known` |
 */
export function offeredKinds({ asked, permissions }: AskedService): OfferedKind[] {
  return asked.flatMap(({ kind, outcome, grants }) => {
    const change = permissions.find(({ operation }) => operation === `${kind.name}.${kind.lifecycle.update}`)
    // Another key may have a scope that this key lacks.
    const isClosed = outcome.is === 'answered' && change?.may === 'no' && !change.lacks_scope
    const own: OfferedKind = isClosed
      ? { kind: kind.name, offered: 'read_only', reason: change.reason }
      : offeredBy(kind, outcome, isGone(outcome))
    if (!grants) return [own]
    const { list, levels } = grants.kind.lifecycle
    const route = grants.way && grants.kind.endpoints[grants.way === 'levels' ? (levels?.list ?? list) : list]
    const isAbsent = refusalOf(grants.outcome) === 404
    return [
      own,
      { ...(route ? { route: route.path } : {}), ...offeredBy(grants.kind, grants.outcome, isAbsent) },
    ]
  })
}

function offeredBy({ name: kind }: Kind, outcome: Outcome, isAbsent: boolean): OfferedKind {
  if (outcome.is === 'answered') return { kind, offered: 'yes' }
  const status = refusalOf(outcome)
  const offered = isAbsent || status === 402 ? 'no' : status === 403 ? 'refused' : 'not_known'
  return { kind, offered, reason: whyNot(outcome) }
}

/** The check of grants: their route, and whether this key can read them. */
export function grantsCheck({ kind, offered, route, reason = '' }: OfferedKind): Check {
  const name = pluralTitle(kindNamed(kind))
  if (offered === 'yes') return { name, verdict: 'ok', summary: `readable, as ${route?.split('/').at(-1)}` }
  return { name, verdict: offered === 'not_known' ? 'not_checked' : 'note', summary: reason }
}

/** The checks of permissions: one line for each scope, and for each operation without a scope. */
export function permissionChecks(permissions: readonly Permission[]): Check[] {
  const permissionLabel = ({ scope, operation }: Permission) => scope ?? operation
  return [...new Set(permissions.map(permissionLabel))].map(name => {
    const own = permissions.filter(permission => permissionLabel(permission) === name)
    const may = (['no', 'not_known'] as const).find(worse => own.some(each => each.may === worse)) ?? 'yes'
    return { name, verdict: verdicts[may], summary: own.map(sentence).join('; ') }
  })
}

const verdicts: Readonly<Record<Permission['may'], Verdict>> = {
  yes: 'ok',
  no: 'note',
  not_known: 'not_checked',
}

function sentence({ may, purpose, reason, lacks_scope: lacksScope }: Permission): string {
  if (may === 'yes') return `may ${purpose}`
  return may === 'no'
    ? `may not ${purpose}: ${lacksScope ? 'the key lacks this scope' : reason}`
    : `whether it may ${purpose} is not known without writing: ${reason}`
}
