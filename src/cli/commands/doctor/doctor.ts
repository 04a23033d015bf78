import { isSettingError } from '../../../api/index.ts'
import type { Finding } from '../../../report/document.ts'
import { counted } from '../../../report/names.ts'
import { explainFailure } from '../../apply/explain-failure.ts'
import { shownProblems } from '../../apply/failure.ts'
import { ConnectionError } from '../../connection/connection.ts'
import type { RepositoryFlags, RepositorySettings } from '../../connection/repository-settings.ts'
import type { ResolvedSettings } from '../../connection/resolve-setting.ts'
import { openSession, resolvedFor, type Session, type SessionFlags } from '../../connection/session.ts'
import { type ExitCode, exitCode, ProblemsError } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { note, type OutputFlags, print } from '../../host/output.ts'
import { withProgress } from '../../host/progress.ts'
import { version } from '../../host/version.ts'
import { openSettings } from '../../repository/repository.ts'
import { type AskedList, askLists, unaskedLists } from './ask-lists.ts'
import {
  answeredFinding,
  byDefault,
  connectionFinding,
  isAnswered,
  keyFinding,
  listFinding,
  ownerFinding,
  reasonIn,
} from './diagnose.ts'

export interface DoctorFlags extends RepositoryFlags, SessionFlags, OutputFlags {}

/** `vexil doctor`: looks at everything a plan needs, one line each; ends in 1 when something would stop a plan. */
export async function runDoctor(host: Host, flags: DoctorFlags): Promise<ExitCode> {
  const versions = [`vexil ${version}`, ...(host.engine === undefined ? [] : [host.engine])]
  const findings: Finding[] = [
    { check: 'versions', verdict: 'ok', words: versions.join(', ') },
    ...(await examine(host, flags)),
  ]
  const hasFailed = findings.some(({ verdict }) => verdict === 'failed')
  const code = hasFailed ? exitCode.error : exitCode.done
  await print(host, flags, { is: 'doctor', exitCode: code, findings })
  return code
}

/** Everything that the checks have to go by. */
interface Facts {
  readonly resolved: ResolvedSettings
  readonly keySource?: string
  readonly asked: readonly AskedList[]
  /** What went wrong before anything could be asked, and with which setting. */
  readonly failure?: { readonly check: string; readonly error: unknown }
  readonly measured?: { readonly requests: number; readonly elapsedMs: number }
}

async function examine(host: Host, flags: DoctorFlags): Promise<Finding[]> {
  let opened: RepositorySettings
  try {
    opened = await openSettings(host, flags)
  } catch (error) {
    if (error instanceof ProblemsError) await note(host, shownProblems(error))
    const why = 'the settings cannot be used'
    return [
      { check: 'settings', verdict: 'failed', words: explainFailure(error) },
      ...unknownChecks(why).map((check): Finding => ({ check, verdict: 'not_checked', words: why })),
    ]
  }
  const settings: Finding = { check: 'settings', verdict: 'ok', words: settingsWords(opened) }
  return [settings, ...findingsOf(await gather(host, flags, opened))]
}

/** All that is looked at after the settings, in the order of the findings. */
function unknownChecks(why: string): string[] {
  const lists = unaskedLists(why).map(({ check }) => check)
  return ['base URL', 'project', 'organization', 'key', 'connection', ...lists, 'clock', 'time', 'profile']
}

function settingsWords({ settingsFile, environment, directory }: RepositorySettings): string {
  if (settingsFile === undefined) return `no vexil.yaml in ${directory}; flags and environment variables only`
  return environment === undefined ? settingsFile : `${settingsFile}, environment ${environment}`
}

async function gather(host: Host, flags: DoctorFlags, settings: RepositorySettings): Promise<Facts> {
  const resolved = resolvedFor(host, flags, settings)
  let session: Session
  try {
    session = await openSession(host, flags, settings, { readOnly: true })
  } catch (error) {
    const check = checkOf(error)
    return { resolved, asked: unaskedLists(`the ${check} comes first`), failure: { check, error } }
  }
  try {
    const startedAt = host.runtime.now()
    const asked = await withProgress(host, 'asking the service', () => askLists(session, host.runtime))
    return {
      resolved: { ...resolved, ...seenIn(session, resolved) },
      keySource: keyWords(host, session),
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
  }
}

/** The variable that the key is from and, where it names a file, which one. */
function keyWords({ env }: Host, { connection: { keySource } }: Session): string {
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

function findingsOf({ resolved, keySource, asked, failure, measured }: Facts): Finding[] {
  const { baseUrl, project, organization } = resolved
  const profile = resolved.profile ?? { value: 'documented', source: byDefault }
  const waiting = reasonIn(asked)
  const found: Finding[] = [
    baseUrl
      ? answeredFinding('base URL', 'baseUrl', baseUrl, asked)
      : { check: 'base URL', verdict: 'not_checked', words: waiting },
    ownerFinding('project', project, asked),
    ownerFinding('organization', organization, asked),
    keySource === undefined
      ? { check: 'key', verdict: 'not_checked', words: waiting }
      : keyFinding(keySource, asked),
    connectionFinding(asked),
    ...asked.map(list => listFinding(list, asked)),
    clockFinding(asked),
    timeFinding(asked, measured),
    suitedProfile(answeredFinding('profile', 'profile', profile, asked), baseUrl?.value),
  ]
  if (!failure) return found
  const failed: Finding = { check: failure.check, verdict: 'failed', words: explainFailure(failure.error) }
  return found.map(finding => (finding.check === failure.check ? failed : finding))
}

/** Dates in journals, records and `Retry-After` are only as right as the clock. */
function clockFinding(asked: readonly AskedList[]): Finding {
  const check = 'clock'
  const [aheadMs] = asked.flatMap(({ result }) => (result.is === 'answered' ? (result.aheadMs ?? []) : []))
  if (aheadMs === undefined) {
    const why = isAnswered(asked) ? 'no answer had a date' : reasonIn(asked)
    return { check, verdict: 'not_checked', words: why }
  }
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds <= mostSkewSeconds) return { check, verdict: 'ok', words: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return { check, verdict: 'note', words: `this machine is ${seconds} seconds ${way} the service` }
}

const mostSkewSeconds = 60

function timeFinding(asked: readonly AskedList[], measured: Facts['measured']): Finding {
  const check = 'time'
  if (!measured || !isAnswered(asked)) return { check, verdict: 'not_checked', words: reasonIn(asked) }
  const words = `${counted(measured.requests, 'request')} in ${measured.elapsedMs} ms`
  return { check, verdict: 'ok', words }
}

function suitedProfile(finding: Finding, baseUrl: string | undefined): Finding {
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const isPublic = /(^|\.)posthog\.com$/.test(host)
  if (!isPublic || finding.verdict === 'not_checked' || finding.value !== 'documented') return finding
  const words = `${finding.words}; the public service is better met with \`profile: posthog\``
  return { ...finding, verdict: 'note', words }
}
