import { isSettingError } from '../../../api/index.ts'
import { defaultProfile } from '../../../model/profile.ts'
import { version } from '../../../model/version.ts'
import type { Check } from '../../../report/document.ts'
import { counted } from '../../../report/object-names.ts'
import { explainFailure } from '../../apply/explain-failure.ts'
import { shownProblems } from '../../apply/failure.ts'
import type { RepositoryFlags, RepositorySettings } from '../../connection/repository-settings.ts'
import { ConnectionError } from '../../connection/resolve-connection.ts'
import type { ResolvedSettings } from '../../connection/resolve-setting.ts'
import { openSession, resolvedFor, type Session, type SessionFlags } from '../../connection/session.ts'
import { type ExitCode, exitCode, ProblemsError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { note, type OutputFlags, print } from '../../host/output.ts'
import { withProgress } from '../../host/progress.ts'
import { openSettings } from '../../repository/repository.ts'
import { type AskedList, askLists, unaskedLists } from './ask-lists.ts'
import {
  answeredCheck,
  byDefault,
  connectionCheck,
  isAnswered,
  keyCheck,
  listCheck,
  ownerCheck,
  reasonIn,
} from './diagnose.ts'

export interface DoctorFlags extends RepositoryFlags, SessionFlags, OutputFlags {}

/** `vexil doctor`: looks at everything a plan needs, one line each; ends in 1 when something would stop a plan. */
export async function runDoctor(host: Host, flags: DoctorFlags): Promise<ExitCode> {
  const versions = [`vexil ${version}`, ...(host.engine === undefined ? [] : [host.engine])]
  const checks: Check[] = [
    { name: 'versions', verdict: 'ok', summary: versions.join(', ') },
    ...(await examine(host, flags)),
  ]
  const hasFailed = checks.some(({ verdict }) => verdict === 'failed')
  const code = hasFailed ? exitCode.error : exitCode.done
  await print(host, flags, { is: 'doctor', exitCode: code, checks })
  return code
}

/** Everything that the checks have to go by. */
interface Facts {
  readonly resolved: ResolvedSettings
  readonly keySource?: string
  readonly asked: readonly AskedList[]
  /** What went wrong before anything could be asked, and with which setting. */
  readonly failure?: { readonly name: string; readonly error: unknown }
  readonly measured?: { readonly requests: number; readonly elapsedMs: number }
}

async function examine(host: Host, flags: DoctorFlags): Promise<Check[]> {
  let opened: RepositorySettings
  try {
    opened = await openSettings(host, flags)
  } catch (error) {
    if (error instanceof ProblemsError) await note(host, shownProblems(error))
    const why = 'the settings cannot be used'
    return [
      { name: 'settings', verdict: 'failed', summary: explainFailure(error) },
      ...unknownChecks(why).map((name): Check => ({ name, verdict: 'not_checked', summary: why })),
    ]
  }
  const settings: Check = { name: 'settings', verdict: 'ok', summary: settingsSummary(opened) }
  return [settings, ...checksOf(await gather(host, flags, opened))]
}

/** All that is looked at after the settings, in the order of the checks. */
function unknownChecks(why: string): string[] {
  const lists = unaskedLists(why).map(({ name }) => name)
  return ['base URL', 'project', 'organization', 'key', 'connection', ...lists, 'clock', 'time', 'profile']
}

function settingsSummary({ settingsFile, environment, directory }: RepositorySettings): string {
  if (settingsFile === undefined) return `no vexil.yaml in ${directory}; flags and environment variables only`
  return environment === undefined ? settingsFile : `${settingsFile}, environment ${environment}`
}

async function gather(host: Host, flags: DoctorFlags, settings: RepositorySettings): Promise<Facts> {
  const resolved = resolvedFor(host, flags, settings)
  let session: Session
  try {
    session = await openSession(host, flags, settings, { readOnly: true })
  } catch (error) {
    const name = checkOf(error)
    return { resolved, asked: unaskedLists(`needs the ${name}`), failure: { name, error } }
  }
  try {
    const startedAt = host.runtime.now()
    const asked = await withProgress(host, 'asking the service', () => askLists(session, host.runtime))
    return {
      resolved: { ...resolved, ...seenIn(session, resolved) },
      keySource: keyLine(host, session),
      asked,
      measured: { requests: session.client.requestCount, elapsedMs: host.runtime.now() - startedAt },
    }
  } finally {
    await session.close()
  }
}

/** The stand-in brings settings of its own. */
function seenIn({ connection, target }: Session, resolved: ResolvedSettings): ResolvedSettings {
  const { projectId, organizationId, sources } = connection
  const own = (value: string | undefined, source: string | undefined) =>
    value === undefined || source === undefined ? undefined : { value, source }
  return {
    baseUrl: resolved.baseUrl ?? own(target.baseUrl, sources.baseUrl),
    project: resolved.project ?? own(projectId, sources.project),
    organization: resolved.organization ?? own(organizationId, sources.organization),
    profile: target.isRecognized ? own(target.profile, 'the answers of the service') : resolved.profile,
  }
}

/** The variable that the key is from and, where it names a file, which one. */
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

function checksOf({ resolved, keySource, asked, failure, measured }: Facts): Check[] {
  const { baseUrl, project, organization } = resolved
  const profile = resolved.profile ?? { value: defaultProfile, source: byDefault }
  const waiting = reasonIn(asked)
  const found: Check[] = [
    baseUrl
      ? answeredCheck('base URL', 'baseUrl', baseUrl, asked)
      : { name: 'base URL', verdict: 'not_checked', summary: waiting },
    ownerCheck('project', project, asked),
    ownerCheck('organization', organization, asked),
    keySource === undefined
      ? { name: 'key', verdict: 'not_checked', summary: waiting }
      : keyCheck(keySource, asked),
    connectionCheck(asked),
    ...asked.map(list => listCheck(list, asked)),
    clockCheck(asked),
    timeCheck(asked, measured),
    suitedProfile(answeredCheck('profile', 'profile', profile, asked), baseUrl?.value),
  ]
  if (!failure) return found
  const failed: Check = { name: failure.name, verdict: 'failed', summary: explainFailure(failure.error) }
  return found.map(check => (check.name === failure.name ? failed : check))
}

/** Dates in journals, records and `Retry-After` are only as right as the clock. */
function clockCheck(asked: readonly AskedList[]): Check {
  const name = 'clock'
  const [aheadMs] = asked.flatMap(({ result }) => (result.is === 'answered' ? (result.aheadMs ?? []) : []))
  if (aheadMs === undefined) {
    const why = isAnswered(asked) ? 'no answer had a date' : reasonIn(asked)
    return { name, verdict: 'not_checked', summary: why }
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds <= mostSkewSeconds) return { name, verdict: 'ok', summary: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return { name, verdict: 'note', summary: `this machine is ${seconds} seconds ${way} the service` }
}

const mostSkewSeconds = 60

function timeCheck(asked: readonly AskedList[], measured: Facts['measured']): Check {
  const name = 'time'
  if (!measured || !isAnswered(asked)) return { name, verdict: 'not_checked', summary: reasonIn(asked) }
  const summary = `${counted(measured.requests, 'request')} in ${measured.elapsedMs} ms`
  return { name, verdict: 'ok', summary }
}

function suitedProfile(check: Check, baseUrl: string | undefined): Check {
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const isPublic = /(^|\.)posthog\.com$/.test(host)
  if (!isPublic || check.verdict === 'not_checked' || check.value !== 'documented') return check
  const summary = `${check.summary}; the public service is better met with \`profile: posthog\``
  return { ...check, verdict: 'note', summary }
}
