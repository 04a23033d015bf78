import { isServiceError } from '../../api/index.ts'
import { escapeText } from '../../report/escape.ts'
import { jsonText } from '../../report/json-text.ts'
import { counted } from '../../report/names.ts'
import { variables } from '../connection.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { explainFailure } from '../explain-failure.ts'
import type { Host } from '../host.ts'
import { commandStyle, type OutputFlags } from '../output.ts'
import { withProgress } from '../progress.ts'
import { openRepository, type Repository, type RepositoryFlags } from '../repository.ts'
import { openSession, type Session, type SessionFlags } from '../session.ts'
import { version } from '../version.ts'

export interface DoctorFlags extends RepositoryFlags, SessionFlags, OutputFlags {}

type Verdict = 'ok' | 'note' | 'bad'

interface Finding {
  readonly check: string
  readonly verdict: Verdict
  readonly words: string
}

/** `vexil doctor`: looks at everything a plan needs, one line each; ends in 1 when something would stop a plan. */
export async function runDoctor(host: Host, flags: DoctorFlags): Promise<ExitCode> {
  const versions = [`vexil ${version}`, ...(host.runtime === undefined ? [] : [host.runtime])]
  const findings: Finding[] = [{ check: 'versions', verdict: 'ok', words: versions.join(', ') }]
  const repository = await attempt(findings, 'settings', () =>
    openRepository(host, flags, { needsDeclarations: false }),
  )
  if (repository) {
    findings.push({
      check: 'settings',
      verdict: 'ok',
      words: settingsWords(repository),
    })
    const session = await attempt(findings, 'connection', () =>
      openSession(host, flags, repository, { readOnly: true }),
    )
    if (session) {
      try {
        findings.push(...(await withProgress(host, 'asking the service', () => askService(host, session))))
      } finally {
        await session.close()
      }
    }
  }
  show(host, flags, findings)
  return findings.some(({ verdict }) => verdict === 'bad') ? exitCode.error : exitCode.done
}

async function attempt<T>(findings: Finding[], check: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    findings.push({ check, verdict: 'bad', words: explainFailure(error) })
    return undefined
  }
}

function settingsWords({ settingsFile, environment, directory }: Repository): string {
  if (settingsFile === undefined) return `no vexil.yaml in ${directory}; flags and environment variables only`
  return environment === undefined ? settingsFile : `${settingsFile}, environment ${environment}`
}

/** Asks for one row of each list: enough to see whether the service is there and what the key may read. */
async function askService({ world }: Host, { client, connection, target }: Session): Promise<Finding[]> {
  const startedAt = world.now()
  const reads: Finding[] = []
  let clock: Finding | undefined
  for (const { check, kind, owner, isNeeded } of lists(connection)) {
    if (owner.id === undefined) {
      const words = `not asked: no ${owner.name} is set (${variables[owner.name].join(', ')})`
      reads.push({ check, verdict: isNeeded ? 'bad' : 'note', words })
      continue
    }
    try {
      const { body, dateMs } = await client.call(kind, 'list', { query: { limit: 1 } })
      clock ??= dateMs === undefined ? undefined : clockFinding(dateMs - world.now())
      reads.push({ check, verdict: 'ok', words: countWords(body) })
    } catch (error) {
      const isOptional = !isNeeded && isServiceError(error) && [402, 403, 404].includes(error.status)
      reads.push({ check, verdict: isOptional ? 'note' : 'bad', words: explainFailure(error) })
      // Who is not there, or does not let the key in, says the same to every question.
      if (!isServiceError(error) || error.status === 401) break
    }
  }
  const { requestCount } = client
  const elapsedMs = world.now() - startedAt
  return [
    { check: 'connection', verdict: 'ok', words: escapeText(target.baseUrl) },
    { check: 'key', verdict: 'ok', words: `from ${connection.keySource}` },
    ...reads,
    ...(clock ? [clock] : []),
    { check: 'time', verdict: 'ok', words: `${counted(requestCount, 'request')} in ${elapsedMs} ms` },
    profileFinding(connection),
  ]
}

function lists({ projectId, organizationId }: Session['connection']) {
  const project = { name: 'project', id: projectId } as const
  const organization = { name: 'organization', id: organizationId } as const
  return [
    { check: 'flags', kind: 'feature_flag', owner: project, isNeeded: true },
    { check: 'event definitions', kind: 'event_definition', owner: project, isNeeded: false },
    { check: 'plugins', kind: 'plugin', owner: organization, isNeeded: false },
  ] as const
}

/** Dates in journals, receipts and `Retry-After` are only as right as the clock. */
function clockFinding(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds <= mostSkewSeconds) return { check: 'clock', verdict: 'ok', words: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return { check: 'clock', verdict: 'note', words: `this machine is ${seconds} seconds ${way} the service` }
}

const mostSkewSeconds = 60

function profileFinding({ profile, baseUrl }: Session['connection']): Finding {
  const isPublic = /(^|\.)posthog\.com$/.test(new URL(baseUrl).hostname)
  if (isPublic && profile === 'documented') {
    return {
      check: 'profile',
      verdict: 'note',
      words: 'documented; the public service is better met with `profile: posthog`',
    }
  }
  return { check: 'profile', verdict: 'ok', words: profile }
}

function countWords(body: unknown): string {
  const count = typeof body === 'object' && body !== null && 'count' in body ? body.count : undefined
  return typeof count === 'number' ? `readable, ${count} in all` : 'readable'
}

function show(host: Host, flags: DoctorFlags, findings: readonly Finding[]): void {
  if (flags.json) {
    host.stdout.write(`${jsonText(findings, 2)}\n`)
    return
  }
  const style = commandStyle(host, flags)
  const signs: Readonly<Record<Verdict, string>> = {
    ok: style.good('ok  '),
    note: style.caution('note'),
    bad: style.bad('BAD '),
  }
  for (const { check, verdict, words } of findings) {
    host.stdout.write(`${signs[verdict]} ${check.padEnd(18)} ${escapeText(words)}\n`)
  }
}
