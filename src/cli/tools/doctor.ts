import { isSettingError, type RequestEvent } from '../../api/index.ts'
import { kindBelow } from '../../kinds/index.ts'
import type { Profile, RateLimit } from '../../model/connection.ts'
import type { Kind } from '../../model/kind.ts'
import type { Runtime } from '../../model/runtime.ts'
import { version } from '../../model/version.ts'
import type {
  Check,
  DoctorDocument,
  FoundLimits,
  FoundService,
  OfferedKind,
  Permission,
} from '../../report/document.ts'
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
import { type AskedList, askGrants, askLists, askPermissions, unaskedLists } from './ask-permissions.ts'
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

/** `vexil doctor`: looks at everything a plan needs, one line each; ends in 1 when something would stop a plan. */
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
  readonly answers?: Answers
}

/** What the service has answered. */
interface Answers {
  readonly service: FoundService
  readonly kinds: readonly OfferedKind[]
  readonly permissions: readonly Permission[]
  readonly observer: AnswerObserver
  readonly requests: number
  readonly elapsedMs: number
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
  return { checks: [settings, ...checksOf(known)], ...foundMembers(known) }
}

function settingsSummary({ settingsFile, environment, directory }: RepositorySettings): string {
  if (settingsFile === undefined) return `no vexil.yaml in ${directory}; flags and environment variables only`
  return environment === undefined ? settingsFile : `${settingsFile}, environment ${environment}`
}

async function gather(host: Host, flags: Flags, settings: RepositorySettings): Promise<Facts> {
  const resolved = resolvedFor(host, flags, settings)
  const observer = new AnswerObserver(host.runtime)
  let session: Session
  try {
    const { onRequest } = observer
    session = await openSession(host, flags, settings, { readOnly: true, onRequest })
  } catch (error) {
    const name = checkOf(error)
    return { resolved, asked: unaskedLists(`needs the ${name}`), failure: { name, error } }
  }
  try {
    return {
      resolved: { ...resolved, ...seenIn(session, resolved) },
      keySource: keyLine(host, session),
      ...(await withProgress(host, 'asking the service', () => askAll(session, host, observer))),
    }
  } finally {
    await session.close()
  }
}

async function askAll(
  session: Session,
  { runtime }: Host,
  observer: AnswerObserver,
): Promise<Pick<Facts, 'asked' | 'answers'>> {
  const { client, connection } = session
  const startedAt = runtime.now()
  const asked = await askLists(client)
  const grants = await askGrants(client, asked)
  const { profile } = connection
  const possible = profile === 'auto' ? client.recognized.possible : [profile]
  const permissions = await askPermissions(client, possible, asked, grants)
  const answers: Answers = {
    service: foundService(client.target, client.recognized),
    kinds: offeredKinds(asked, grants, permissions),
    ...{ permissions, observer },
    ...{ requests: client.requestCount, elapsedMs: runtime.now() - startedAt },
  }
  return { asked, answers }
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

function checksOf({ resolved, keySource, asked, failure, answers }: Facts): Check[] {
  const { baseUrl, project, organization, profile } = resolved
  const waiting = reasonIn(asked)
  const unasked = (name: string): Check => ({ name, verdict: 'not_checked', summary: waiting })
  const found: Check[] = [
    baseUrl ? answeredCheck('base URL', baseUrl, asked) : unasked('base URL'),
    ownerCheck('project', project, asked),
    ownerCheck('organization', organization, asked),
    keySource === undefined ? unasked('key') : keyCheck(keySource, asked),
    connectionCheck(asked),
    profileCheck(profile, baseUrl?.value, answers?.service, asked),
    ...(answers ? [factsCheck(answers.service)] : []),
    ...kindChecks(asked, answers),
    ...(answers ? permissionChecks(answers.permissions) : []),
    clockCheck(answers?.observer.aheadMs, isAnswered(asked) ? 'no answer had a date' : waiting),
    ...(answers && isAnswered(asked) ? [limitsCheck(limitsOf(answers))] : [unasked('limits')]),
    answers && isAnswered(asked) ? timeCheck(answers) : unasked('time'),
  ]
  if (!failure) return found
  const failed: Check = { name: failure.name, verdict: 'failed', summary: explainFailure(failure.error) }
  return found.map(check => (check.name === failure.name ? failed : check))
}

/** The kinds that have lists of their own, and below each what hangs from its objects. */
function kindChecks(asked: readonly AskedList[], answers: Answers | undefined): Check[] {
  const offered = (kind: Kind) => answers?.kinds.find(each => each.kind === kind.name)
  return asked.flatMap(list => {
    const below = kindBelow(list.kind.name)
    const grants = below && offered(below)
    return [listCheck(list, offered(list.kind), asked), ...(grants ? [grantsCheck(grants)] : [])]
  })
}

function timeCheck({ requests, elapsedMs }: Answers): Check {
  return { name: 'time', verdict: 'ok', summary: `${counted(requests, 'request')} in ${elapsedMs} ms` }
}

function limitsOf({ service, observer }: Answers) {
  return observer.limitsOf(service.profile)
}

/** The same for programs. */
function foundMembers({ answers }: Facts): Partial<Found> {
  if (!answers) return {}
  const { service, kinds, permissions, observer, requests } = answers
  const { aheadMs } = observer
  return {
    ...{ service, kinds, permissions, requests, limits: limitsOf(answers) },
    ...(aheadMs === undefined ? {} : { clock: { aheadMs, toleranceMs } }),
  }
}

/** Reads the headers of each answer of a session, successful or not. */
export class AnswerObserver {
  readonly #runtime: Runtime
  #aheadMs: number | undefined
  #limit: RateLimit = {}
  #isThrottled = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  readonly onRequest = ({ status, dateMs, limit }: RequestEvent): void => {
    if (dateMs !== undefined) this.#aheadMs ??= dateMs - this.#runtime.now()
    this.#limit = { ...this.#limit, ...limit }
    this.#isThrottled ||= status === 429
  }

  /** How far the clock of the service is ahead of ours; undefined if no answer had a date. */
  get aheadMs(): number | undefined {
    return this.#aheadMs
  }

  limitsOf(profile: Profile): FoundLimits {
    return { known: limits[profile], told: this.#limit, isThrottled: this.#isThrottled }
  }
}

/** Dates in journals, records and `Retry-After` need a correct clock. */
export function clockCheck(aheadMs: number | undefined, why: string): Check {
  const name = 'clock'
  if (aheadMs === undefined) return { name, verdict: 'not_checked', summary: why }
  if (Math.abs(aheadMs) <= toleranceMs) return { name, verdict: 'ok', summary: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return { name, verdict: 'note', summary: `this machine is ${seconds} seconds ${way} the service` }
}

/** A smaller difference is normal: the date of an answer has whole seconds, and an answer takes time. */
export const toleranceMs = 60_000

/** How many requests the service is known to accept, and what it reports itself. */
export function limitsCheck({ known, told, isThrottled }: FoundLimits): Check {
  const documented = known.length === 0 ? 'none is known' : known.map(limitWords).join('; ')
  const observed = limitText(told)
  const asked = isThrottled ? '; the service has asked for fewer requests (429)' : ''
  const isNear = isThrottled || told.remaining === 0
  return { name: 'limits', verdict: isNear ? 'note' : 'ok', summary: `${documented}${observed}${asked}` }
}

function limitWords({ of, perMinute, perHour, each }: Limit): string {
  const hourly = perHour === undefined ? '' : ` and ${perHour} per hour`
  return `${perMinute} ${of} per minute${hourly} for each ${each}`
}

function limitText({ limit, remaining }: RateLimit): string {
  if (remaining === undefined) return limit === undefined ? '' : `; the answers say ${limit}`
  return `; the answers say that ${remaining}${limit === undefined ? '' : ` of ${limit}`} are left`
}
