import { join, relative } from 'node:path'
import {
  FolderLocks,
  type HeldLock,
  type LockOwner,
  type RefusedLock,
  refusedText,
} from '../../core/apply/locks.ts'
import type { Change, Plan } from '../../core/change.ts'
import { readLeft, updateLeft } from '../../core/live-edits/base-index.ts'
import { leftOutFields } from '../../core/live-edits/live-edit.ts'
import { entriesOf } from '../../core/record/journal.ts'
import type { PlanMeta, PlanScope } from '../../core/record/plan-file.ts'
import type { Run, RunCommand, RunCommit, RunRecord } from '../../core/record/run.ts'
import { nextRunName, stateFolder, writeDeclared, writeRecord } from '../../core/record/run-folder.ts'
import { recordedChanges } from '../../core/redaction.ts'
import { targetIdentity } from '../../core/target.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { writeJsonOnce } from '../../model/text/json-text.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, DeclinedError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, interruptible, whoRuns } from '../host/host.ts'
import { revisionOf } from '../repository/repository.ts'
import type { RepositorySettings } from '../repository/repository-settings.ts'
import type { Session } from '../repository/session.ts'
import { refusedBy, requireStore } from '../repository/shared-store.ts'

/** The parts of a plan that a run needs. Fields that are not sent keep their base. */
export type RunPlan = Pick<Plan, 'changes' | 'blocked' | 'liveEdits'> &
  Partial<Pick<Plan, 'ownershipTag' | 'groupTypes' | 'owners'>>

export interface RunFacts {
  readonly command: RunCommand
  readonly plan: RunPlan
  /** How many objects are already as wanted. */
  readonly unchanged: number
  /** The folder, the environment, and the ref on which records are shared, if any. */
  readonly place: Pick<RepositorySettings, 'directory' | 'environment' | 'runs' | 'store'>
  /** Why records of others could not be fetched; already printed. */
  readonly unshared?: string | undefined
  readonly revision?: RunCommit | undefined
  readonly planDigest?: string
  readonly scope?: PlanScope
  /** The allowed rules about a run as a whole. */
  readonly allowed?: PlanMeta['allowed']
  readonly undoes?: string
  readonly reason?: string
  /** Whether nothing is recorded, since there is no repository. */
  readonly isUnrecorded?: boolean
}

/** The commit of a folder, for the record of a run that begins there. */
export async function currentRevision(host: Host, directory: string): Promise<RunCommit | undefined> {
  const { commit, dirty = false } = await revisionOf(host, directory)
  return commit === undefined ? undefined : { commit, dirty }
}

/** The commit for a record: only from git, not from pipeline variables. */
export function revisionFor({ commit, dirty }: PlanMeta): { readonly revision?: RunCommit } {
  return commit === undefined || dirty === undefined ? {} : { revision: { commit, dirty } }
}

/** The data of a run before it begins. Writes the table of its declarations. */
export async function runOf(host: Host, { target }: Session, facts: RunFacts): Promise<Run> {
  const { command, revision, reason, planDigest, undoes, scope, allowed } = facts
  const { changes, blocked, liveEdits } = facts.plan
  const { directory, environment } = facts.place
  const startedAt = host.runtime.now()
  const [who, after, run] = await Promise.all([
    whoRuns(host, directory),
    scope?.after ?? readLeft(directory, target).then(({ left }) => left.heads),
    nextRunName(directory, startedAt, host.runtime.uniqueId()),
  ])
  const declared = scope && (await writeDeclared(directory, scope.declared, run))
  const held = leftOutFields(liveEdits)
  return {
    run,
    command,
    ...(environment === undefined ? {} : { environment }),
    target,
    ...(revision === undefined ? {} : { revision }),
    ...(who === undefined ? {} : { who }),
    ...(reason === undefined ? {} : { reason }),
    startedAt,
    after,
    ...(planDigest === undefined ? {} : { planDigest }),
    ...(undoes === undefined ? {} : { undoes }),
    changes,
    blocked: blocked.map(({ address, rule }) => ({ address, rule })),
    notTargeted: scope?.notTargeted ?? [],
    ...(held.length === 0 ? {} : { held }),
    ...(allowed === undefined ? {} : { allowed }),
    unchanged: facts.unchanged,
    ...(declared === undefined ? {} : { declared }),
  }
}

/** A run with its results, from the lines of its journal. */
export function recordOf(
  { changes, ...head }: Run,
  finishedAt: number,
  isComplete: boolean,
  lines: readonly JsonObject[],
): RunRecord {
  return { ...head, finishedAt, isComplete, entries: entriesOf(changes, lines) }
}

/** A record without hidden values, which are in a separate file. */
function withoutValues({ redaction }: Host, record: RunRecord): RunRecord {
  const changes = recordedChanges(
    record.entries.map(({ change }) => change),
    redaction,
  )
  return {
    ...record,
    entries: record.entries.map((entry, at) => ({ ...entry, change: changes[at] ?? entry.change })),
  }
}

/** Writes the record of a run, and returns its path. */
export async function keepRecord(host: Host, { place }: RunFacts, record: RunRecord): Promise<string> {
  const { directory } = place
  const path = await writeRecord(directory, withoutValues(host, record), host.secrets.hide)
  // The index is only a cache of the records.
  await updateLeft(directory, record).catch(() => {})
  return path
}

export function locksOf({ processes, runtime, secrets }: Host, directory: string): FolderLocks {
  return new FolderLocks({ folder: join(directory, stateFolder), processes, runtime, hide: secrets.hide })
}

/** Another command writes to the same place. */
export class LockedError extends CommandError {
  constructor(message: string) {
    super(message, exitCode.refused)
  }
}

/**
 * Runs a command that writes to the live service, with the lock of the folder, and of the shared store if there
 * is one. Locks are held from before live objects are read until the record is written. A signal releases them
 * too. If the lock of the store is lost, the command stops as after a signal, and soon cuts off its requests.
 */
export async function withLock(
  host: Host,
  { target }: Pick<Session, 'target'>,
  place: Pick<RepositorySettings, 'directory' | 'environment' | 'store'>,
  command: string,
  run: (host: Host, widen: Widen) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { directory, environment } = place
  const owner = await lockOwner(host, command, environment)
  const store = await requireStore(host, place)
  const lost = new AbortController()
  const held: HeldLock[] = []
  const hold = (lock: HeldLock | RefusedLock) => {
    if (lock.is === 'held') held.push(lock)
    else throw new LockedError(refusedText(lock, host.runtime.now()))
  }
  const onLost = ({ target: signal }: Event) => {
    if (signal instanceof AbortSignal) lost.abort(signal.reason)
  }
  const holdShared = async (name: string) => {
    const shared = await store?.locks.acquire(name, owner).catch(error => {
      throw refusedBy(error)
    })
    if (!shared) return false
    hold(shared)
    return true
  }
  return interruptible(stoppedBy(host, lost.signal), async guarded => {
    try {
      const lock = await locksOf(host, directory).acquire(target, owner)
      const path = lock.is === 'held' ? '' : relative(host.directory, lock.place) || lock.place
      hold(lock.is === 'held' ? lock : { ...lock, place: escapeText(path) })
      await holdShared(targetIdentity(target))
      held.at(-1)?.lost?.addEventListener('abort', onLost)
      guarded.stop?.throwIfAborted()
      const { baseUrl, organizationId } = target
      const isShared = (changes: readonly Change[]) =>
        organizationId !== undefined &&
        changes.some(({ kind }) => declarableKind(kind).scope === 'organization')
      return await run(guarded, async changes =>
        isShared(changes) ? holdShared(JSON.stringify([baseUrl, organizationId])) : false,
      )
    } finally {
      for (const { lost: signal } of held) signal?.removeEventListener('abort', onLost)
      for (const lock of held.toReversed()) await giveBack(host, lock)
    }
  })
}

/**
 * Takes the lock of the organization too, in the shared store, if the changes concern objects of it: other
 * environments have the same objects. Returns whether it did: the plan may be outdated then.
 */
export type Widen = (changes: readonly Change[]) => Promise<boolean>

/** This process, as the owner of a lock. */
export async function lockOwner(
  { processes, runtime }: Host,
  command: string,
  environment: string | undefined,
): Promise<LockOwner> {
  return {
    ...(await processes.own()),
    id: runtime.uniqueId(),
    command,
    ...(environment === undefined ? {} : { environment }),
    since: runtime.now(),
  }
}

/** How long running requests may take after the lock was lost, in milliseconds. A successor waits longer. */
const cutOffMs = 2_000

/** A host that gets a signal, and soon a second one, when another signal is aborted. */
function stoppedBy(host: Host, lost: AbortSignal): Host {
  return {
    ...host,
    onInterrupt(listener) {
      const stopListening = host.onInterrupt(listener)
      const onLost = () => {
        host.log.error(`${messageOf(lost.reason)}; nothing more is written`)
        listener('SIGTERM')
        const stopped = new AbortController()
        closing = () => stopped.abort()
        host.runtime.sleep(cutOffMs, stopped.signal).then(
          () => listener('SIGTERM'),
          () => {},
        )
      }
      let closing = () => {}
      if (lost.aborted) onLost()
      else lost.addEventListener('abort', onLost)
      return () => {
        lost.removeEventListener('abort', onLost)
        closing()
        stopListening()
      }
    },
  }
}

/** Releases the lock. A lost lock is only a warning, since the command has already ended. */
async function giveBack(host: Host, lock: { release(): Promise<'released' | 'lost'> }): Promise<void> {
  try {
    const end = await lock.release()
    if (end === 'lost') host.log.warn('the lock of this command was removed while it ran')
  } catch (error) {
    host.log.warn(escapeText(messageOf(error)))
  }
}

/** An object of the service, with its values. */
export interface Held {
  readonly address: string
  readonly values: JsonObject
}

/**
 * The addresses of objects that contain a key in clear text. Keys are removed from output for people. But a
 * plan, record or export is read again and would then contain the placeholder as a value. So such objects are
 * not written to these files.
 */
export function addressesWithKey({ secrets }: Host, objects: readonly Held[]): readonly string[] {
  return objects
    .filter(({ address, values }) => secrets.isIn(address) || secrets.isIn(writeJsonOnce(values)))
    .map(({ address }) => address)
}

/** Throws if the command would write a key into a record. */
export function refuseKeyOnRecord(host: Host, deed: string, objects: readonly Held[]): void {
  const addresses = addressesWithKey(host, objects)
  if (addresses.length === 0) return
  throw new CommandError(`${deed}: ${withKeyText(addresses)}`, exitCode.refused)
}

export function withKeyText(addresses: readonly string[]): string {
  const shown = addresses.slice(0, 5).join(', ')
  const more = addresses.length > 5 ? ` and ${addresses.length - 5} more` : ''
  return `the key of the service is in clear text in ${shown}${more}; replace the key, since it is visible there, or remove it in the product`
}

export type Verb = 'apply' | 'undo' | 'claim' | 'unclaim' | 'disable' | 'enable' | 'unlock'

/** Asks for approval if anything would change. Throws like `requireYes`. */
export async function requireApproval(
  host: Host,
  verb: Verb,
  flags: Flags,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length > 0) await requireYes(host, verb, flags)
}

/** Asks for approval at the terminal. Throws if the answer is not yes, or if there is no terminal. */
export async function requireYes(
  host: Host,
  verb: Verb,
  { autoApprove, input }: Flags,
  question: string = words[verb][0],
): Promise<void> {
  if (autoApprove) return
  const [, read, done] = words[verb]
  if (!canAsk(host, input)) {
    const before = verb === 'apply' ? saved : read === undefined ? '' : `read ${read}, then `
    throw new CommandError(
      `there is no terminal to ask for approval; ${before}pass --auto-approve`,
      exitCode.refused,
    )
  }
  const answer = await askUntilStopped(host, `${question} Only "yes" continues: `)
  if (answer.trim() !== 'yes') throw new DeclinedError(`nothing was ${done}`)
}

/** Whether a question can be asked at a terminal. With JSON logs it cannot: a question is not JSON. */
export function canAsk({ ask, env, log }: Host, input: boolean | undefined): boolean {
  return ask !== undefined && !env.CI && input !== false && !log.isJson
}

/** Asks for a line. A signal to stop ends the question. */
export async function askUntilStopped({ ask, stop }: Host, question: string): Promise<string> {
  try {
    return (await ask?.(question, stop)) ?? ''
  } catch (error) {
    // Throws the reason of the signal instead of the error of the terminal.
    stop?.throwIfAborted()
    throw error
  }
}

/** The question, what to read before `--auto-approve`, and the participle for "nothing was". */
const words: Readonly<Record<Verb, readonly [question: string, read: string | undefined, done: string]>> = {
  apply: ['Apply these changes?', undefined, 'applied'],
  undo: ['Undo these changes?', 'what would be undone', 'undone'],
  claim: ['Put the ownership tag on these objects?', 'what would be claimed', 'claimed'],
  unclaim: ['Take the ownership tag off these objects?', 'what would be unclaimed', 'unclaimed'],
  disable: ['Turn it off?', undefined, 'turned off'],
  enable: ['Turn it on?', 'who would get it', 'turned on'],
  unlock: ['Remove this lock?', 'whose lock it is', 'removed'],
}

const saved = 'apply a saved plan (`vexil plan --out FILE`, `vexil apply FILE`) or '
