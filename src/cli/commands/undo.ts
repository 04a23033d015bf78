import { resolve } from 'node:path'
import type { Plan } from '../../core/change.ts'
import { withRemarks } from '../../core/describe/hints.ts'
import type { Declarations } from '../../core/desired.ts'
import { withOwners } from '../../core/ownership.ts'
import { contextsFor } from '../../core/plan/object-context.ts'
import { plan } from '../../core/plan/plan.ts'
import type { Policy } from '../../core/policy.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { type DeclaredDigests, declaredDigests } from '../../core/record/run-folder.ts'
import {
  blockChangedSince,
  blockWithoutValues,
  noteLosses,
  noteStillDeclared,
  noteUnreadableFiles,
  undoDeclarations,
  withProtection,
} from '../../core/record/undo.ts'
import { isSameTarget, isSandbox, type Target, targetText } from '../../core/target.ts'
import { countParents } from '../../git/commits.ts'
import type { Sensitive } from '../../model/field.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import { isJsonArray } from '../../model/text/json.ts'
import { escapeText } from '../../model/text/printable.ts'
import { counted } from '../../report/line-text.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type FoundRun, findRun, fitsPlace } from '../past/find-run.ts'
import { fetchRunsOf, unreadText } from '../past/recorded-runs.ts'
import { readLive } from '../plan/make-plan.ts'
import { presentDeed, runChanges } from '../plan/run-changes.ts'
import { currentRevision, requireApproval, withLock } from '../plan/run-record.ts'
import { declaredAddresses, onlyChosen, resolvePolicy, withAddresses } from '../plan/target-filter.ts'
import { openWritten, type WrittenRepository } from '../repository/repository.ts'
import type { RepositorySettings } from '../repository/repository-settings.ts'
import { openSession, type Session, type SessionOrigin } from '../repository/session.ts'

/**
 * `vexil undo RUN`: restores the state before a run, except for objects that were changed since. Protected
 * objects are neither deleted nor turned off.
 */
export async function runUndo(host: Host, named: string, flags: Flags): Promise<ExitCode> {
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
  flags: Flags,
): Promise<ExitCode> {
  const { record } = found
  if (found.isCutOff) host.log.warn(cutOffNote(found))
  if (found.unreadValues) {
    const line = `${unreadText(repository.directory, [found.unreadValues])}, so its values cannot be restored; restore that file`
    host.log.warn(escapeText(line))
  }
  const { plan: made, note, declared } = await planUndo(host, session, record, repository, flags)
  await presentDeed(host, flags, session, {
    plan: made,
    environment: record.environment,
    deed: `undo of run ${record.run}`,
    note,
  })
  await requireApproval(host, 'undo', flags, made.changes)
  const code = await runChanges(host, session, {
    command: 'undo',
    undoes: record.run,
    ...(declared ? { scope: { declared, notTargeted: [] } } : {}),
    plan: { changes: made.changes, blocked: made.blocked, liveEdits: [], groupTypes: made.groupTypes },
    unchanged: made.unchanged.length,
    revision: await currentRevision(host, repository.directory),
    place: { ...repository, environment: record.environment },
    unshared,
    flags,
  })
  return mostImportant([code, ...made.blocked.map(heldCode)])
}

/** Throws if another command has run before this one got the lock. */
async function requireStillFound(
  host: Host,
  named: string,
  { found, repository, session }: OpenRun,
): Promise<void> {
  const isMeant = (target: Target) => isSameTarget(target, session.target)
  const now = await findRun(host, named, repository.directory, isMeant)
  if (now.path === found.path) return
  throw new CommandError(
    `another run has ended in the meantime: "${named}" was "${found.record.run}" and is now "${now.record.run}"; check that run, then undo again`,
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

/** Opens the place of a run: the environment of the command line, or else that of the record. */
async function openRun(host: Host, named: string, flags: Flags): Promise<OpenRun> {
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

/** Refuses a run of an environment that the settings do not have. */
function requireEnvironment({ environment }: RunRecord, repository: RepositorySettings): void {
  const { environment: chosen, settingsFile = 'vexil.yaml' } = repository
  if (environment === undefined || chosen === undefined || chosen === environment) return
  throw new CommandError(
    `that run was for environment "${environment}", which ${settingsFile} does not have; choose one with --env`,
  )
}

/**
 * The settings with the project and organization of the run. The address is not taken from the record, so
 * that the key is not sent to a foreign address.
 */
function placeOf({ target }: RunRecord, repository: RepositorySettings): SessionOrigin {
  const { projectId: project, organizationId: organization } = target
  const source = 'the record'
  return {
    ...repository,
    otherSources: { project: project && source, organization: organization && source },
    connection: { ...repository.connection, ...definedMembers({ project, organization }) },
  }
}

/** The exit code for a blocked object: stale if it was changed since, else refused. */
function heldCode({ rule }: Plan['blocked'][number]): ExitCode {
  return rule === 'changed_since' ? exitCode.stale : exitCode.refused
}

export interface UndoPlan {
  readonly plan: Plan
  /** A note about the declarations, in one line. */
  readonly note?: string
  /** Today's declarations of the undone objects, as far as the files can be read. */
  readonly declared?: DeclaredDigests
}

/**
 * The plan that undoes a run. `rollout_step` does not limit it, because it restores known values. Protected
 * objects stay.
 */
export async function planUndo(
  host: Host,
  session: Session,
  record: RunRecord,
  repository: WrittenRepository,
  flags: Flags,
): Promise<UndoPlan> {
  const { protection } = repository
  const today = repository.declarations
  const owned = withOwners(hiddenToday(undoDeclarations(record), today), today, record)
  const written = withProtection(owned, protection)
  const known = declaredAddresses(written)
  const declarations = onlyChosen(written, flags, unknown)
  const settled = resolvePolicy(repository.policy, flags)
  const { rolloutStep: _, ...limits } = settled.limits
  // Only objects of the run are planned: no pruning and no ownership tag.
  const policy: Policy = withAddresses(
    { ...settled, limits, ownership: { prune: 'never' } },
    { declared: known, unknown },
  )
  const snapshot = await readLive(host, session, declarations, policy)
  const { redaction } = host
  const asked = { declared: declarations, live: snapshot, policy: { ...policy, redaction } }
  const planned = withRemarks(plan(asked), asked)
  const made = blockChangedSince(blockWithoutValues(planned, record), record, snapshot)
  const withLosses = noteLosses(noteUnreadableFiles(made, written, protection))
  if (repository.hasErrors)
    return { plan: withLosses, ...(withLosses.changes.length > 0 ? { note: lossesText } : {}) }
  const still = noteStillDeclared(withLosses, today, snapshot, settled.ownership.tag)
  const { contextOf } = contextsFor({ declared: today, live: snapshot, policy: settled })
  const touched = new Set(withLosses.changes.map(({ address }) => address))
  const declared = declaredDigests(today.desired.filter(({ address }) => touched.has(address)).map(contextOf))
  if (still.addresses.length === 0) return { plan: still.plan, declared }
  return {
    plan: still.plan,
    declared,
    note: await stillNote(host, repository, { record, count: still.addresses.length }),
  }
}

const unknown = {
  name: 'is not an object that this run wrote',
  glob: 'matches nothing that this run wrote',
  owner: 'owns nothing that this run wrote',
}

const lossesText =
  'the files have problems, so it is unknown whether they still declare what is undone here; `vexil validate` shows them'

async function stillNote(
  { env }: Pick<Host, 'env'>,
  { directory }: Pick<WrittenRepository, 'directory'>,
  { record: { revision }, count }: { readonly record: RunRecord; readonly count: number },
): Promise<string> {
  const isClean = revision !== undefined && !revision.dirty
  const parents = isClean ? await countParents({ directory, env }, revision.commit) : 0
  // A merge is reverted relative to its first parent.
  const mainline = parents > 1 ? '-m 1 ' : ''
  const commit = isClean ? `, for example with \`git revert ${mainline}${revision.commit.slice(0, 12)}\`` : ''
  return `the files still declare what is undone here (${counted(count, 'object')}): change them too${commit}; until then plans with the record of this undo hold these values`
}

/** Hides what the run hid, and what is declared sensitive today. */
function hiddenToday(undoing: Declarations, { desired: today }: Declarations): Declarations {
  const declared = new Map(today.map(({ address, sensitive }) => [address, sensitive]))
  return {
    ...undoing,
    desired: undoing.desired.map(desired => {
      const sensitive = both(desired.sensitive, declared.get(desired.address))
      return sensitive === undefined ? desired : { ...desired, sensitive }
    }),
  }
}

function both(left: Sensitive | undefined, right: Sensitive | undefined): Sensitive | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return isJsonArray(left) && isJsonArray(right) ? [...new Set([...left, ...right])] : true
}
