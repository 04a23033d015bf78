import { resolve } from 'node:path'
import type { Plan } from '../../core/change.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { isSameTarget, isSandbox, type Target, targetText } from '../../core/target.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { type FoundRun, findRun, fitsPlace } from '../apply/find-run.ts'
import { runChanges } from '../apply/run-changes.ts'
import { currentRevision } from '../apply/run-record.ts'
import { tellDeed } from '../apply/tell-deed.ts'
import { withLock } from '../apply/with-lock.ts'
import type { RepositorySettings } from '../connection/repository-settings.ts'
import { openSession, type Session, type SessionOrigin } from '../connection/session.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { unreadText } from '../past/unread-note.ts'
import { requireApproval } from '../plan/approval.ts'
import { planUndo } from '../plan/plan-undo.ts'
import { openWritten, type WrittenRepository } from '../repository/repository.ts'
import { fetchRunsOf } from '../runs/fetch-for.ts'
import type { ApplyFlags } from './apply.ts'

/**
 * `vexil undo RUN`: puts what a run wrote back as it was, except what somebody has changed since. Nothing that the
 * declarations protect today is deleted or turned off.
 */
export async function runUndo(host: Host, named: string, flags: ApplyFlags): Promise<ExitCode> {
  const run = await openRun(host, named, flags)
  const { found, repository, session } = run
  const { record } = found
  try {
    if (!isSameTarget(record.target, session.target)) {
      throw new CommandError(
        `that run was for ${targetText(record.target)}, not for ${targetText(session.target)}`,
      )
    }
    return await withLock(host, session, repository, 'undo', async held => {
      await requireStillFound(held, named, run)
      return undoRun(held, run, flags)
    })
  } finally {
    await session.close()
  }
}

async function undoRun(
  host: Host,
  { found, repository, session, unshared }: OpenRun,
  flags: ApplyFlags,
): Promise<ExitCode> {
  const { record } = found
  if (found.isCutOff) host.log.warn(cutOffNote(found))
  if (found.unreadValues) {
    const line = `${unreadText(repository.directory, [found.unreadValues])}, so nothing of what it holds is undone; bring it back as it was`
    host.log.warn(escapeText(line))
  }
  const { plan: made, note, declared } = await planUndo(host, session, record, repository, flags)
  await tellDeed(host, flags, session, {
    plan: made,
    environment: record.environment,
    deed: `undo of run ${record.run}`,
    ...(note === undefined ? {} : { note }),
  })
  await requireApproval(host, 'undo', flags, made.changes)
  const code = await runChanges(host, session, {
    command: 'undo',
    undoes: record.run,
    ...(declared ? { scope: { declared, notTargeted: [] } } : {}),
    changes: made.changes,
    blocked: made.blocked,
    liveEdits: [],
    groupTypes: made.groupTypes,
    unchanged: made.unchanged.length,
    revision: await currentRevision(host, repository.directory),
    directory: repository.directory,
    runs: repository.runs,
    unshared,
    environment: record.environment,
    flags,
  })
  return mostImportant([code, ...made.blocked.map(heldCode)])
}

/** Another command may have been at work until this one got the lock; then what was found is not what there is. */
async function requireStillFound(
  host: Host,
  named: string,
  { found, repository, session }: OpenRun,
): Promise<void> {
  const isMeant = (target: Target) => isSameTarget(target, session.target)
  const now = await findRun(host, named, repository.directory, isMeant)
  if (now.path === found.path) return
  throw new CommandError(
    `another run has ended meanwhile: "${named}" was "${found.record.run}" and is "${now.record.run}" by now; look at it, then undo again`,
    exitCode.stale,
  )
}

function cutOffNote({ record, path }: FoundRun): string {
  return `run "${record.run}" was cut off and left no record; it is undone as far as its journal goes: ${escapeText(path)}`
}

interface OpenRun {
  readonly found: FoundRun
  readonly repository: WrittenRepository
  readonly session: Session
  /** Why records of others could not be fetched. */
  readonly unshared: string | undefined
}

/**
 * Opens the place of a run. An environment that the command line chose decides; without one, the record says which it
 * was, and in which project.
 */
async function openRun(host: Host, named: string, flags: ApplyFlags): Promise<OpenRun> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  const options = { readOnly: false }
  const unshared = await fetchRunsOf(host, directory)
  if (flags.env !== undefined) {
    const repository = await openWritten(host, flags)
    const session = await openSession(host, flags, repository, options)
    try {
      const isMeant = (target: Target) => isSameTarget(target, session.target)
      return { found: await findRun(host, named, directory, isMeant), repository, session, unshared }
    } catch (error) {
      await session.close()
      throw error
    }
  }
  const found = await findRun(host, named, directory, fitsPlace(host, flags))
  const { record } = found
  const repository = await openWritten(host, flags, record.environment)
  requireEnvironment(record, repository)
  const sandbox = flags.sandbox || (isSandbox(record.target) && flags.baseUrl === undefined)
  const session = await openSession(host, { ...flags, sandbox }, placeOf(record, repository), options)
  return { found, repository, session, unshared }
}

/** The keys and limits of one environment are not for the run of another. */
function requireEnvironment({ environment }: RunRecord, repository: RepositorySettings): void {
  const { environment: chosen, settingsFile = 'vexil.yaml' } = repository
  if (environment === undefined || chosen === undefined || chosen === environment) return
  throw new CommandError(
    `that run was for environment "${environment}", which ${settingsFile} does not have; choose one with --env`,
  )
}

/**
 * The settings with the ids that the run was for. The address stays that of the settings: a record can come from
 * anywhere, and the key must not follow it.
 */
function placeOf({ target }: RunRecord, repository: RepositorySettings): SessionOrigin {
  const { projectId: project, organizationId: organization } = target
  const source = 'the record'
  return {
    ...repository,
    otherSources: {
      ...(project === undefined ? {} : { project: source }),
      ...(organization === undefined ? {} : { organization: source }),
    },
    connection: {
      ...repository.connection,
      ...(project === undefined ? {} : { project }),
      ...(organization === undefined ? {} : { organization }),
    },
  }
}

/** What somebody changed since is stale; what a guard holds back was refused. */
function heldCode({ rule }: Plan['blocked'][number]): ExitCode {
  return rule === 'changed_since' ? exitCode.stale : exitCode.refused
}
