import { isServiceError } from '../../api/index.ts'
import { escapeText } from '../../report/escape.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { commandStyle, type OutputFlags } from '../output.ts'
import { openRepository, type RepositoryFlags } from '../repository.ts'
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
  const findings: Finding[] = [{ check: 'versions', verdict: 'ok', words: `vexil ${version}` }]
  const repository = await attempt(findings, 'settings', () =>
    openRepository(host, flags, { needsDeclarations: false }),
  )
  if (repository) {
    findings.push({
      check: 'settings',
      verdict: 'ok',
      words: repository.settingsFile ?? 'no vexil.yaml; flags and environment only',
    })
    const session = await attempt(findings, 'connection', () =>
      openSession(host, flags, repository, { readOnly: true }),
    )
    if (session) {
      findings.push(...(await askService(host, session)))
      await session.close()
    }
  }
  show(host, flags, findings)
  return findings.some(({ verdict }) => verdict === 'bad') ? exitCode.error : exitCode.done
}

async function attempt<T>(findings: Finding[], check: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    findings.push({ check, verdict: 'bad', words: messageOf(error) })
    return undefined
  }
}

/** Asks for one row of each list: enough to see whether the service is there and what the key may read. */
async function askService({ world }: Host, { client, connection, target }: Session): Promise<Finding[]> {
  const where = { check: 'connection', verdict: 'ok', words: target.baseUrl } as const
  const asked = [
    ['flags', 'feature_flag', connection.projectId],
    ['event definitions', 'event_definition', connection.projectId],
    ['plugins', 'plugin', connection.organizationId],
  ] as const
  const startedAt = world.now()
  const reads: Finding[] = []
  for (const [check, kind, owner] of asked) {
    if (owner === undefined) {
      reads.push({ check, verdict: 'note', words: 'not asked: no project or organization is set' })
      continue
    }
    try {
      const { body } = await client.call(kind, 'list', { query: { limit: 1 } })
      reads.push({ check, verdict: 'ok', words: countWords(body) })
    } catch (error) {
      const isOptional =
        kind !== 'feature_flag' && isServiceError(error) && [402, 403, 404].includes(error.status)
      reads.push({ check, verdict: isOptional ? 'note' : 'bad', words: messageOf(error) })
    }
  }
  const elapsedMs = world.now() - startedAt
  return [
    where,
    ...reads,
    { check: 'time', verdict: 'ok', words: `${reads.length} requests in ${elapsedMs} ms` },
    profileFinding(connection),
  ]
}

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
    host.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
