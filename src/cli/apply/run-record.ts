import type { Blocked, Change } from '../../core/change.ts'
import type { LiveEdit } from '../../core/live-edits/live-edit.ts'
import { leftOutFields } from '../../core/live-edits/live-edit-counts.ts'
import { entriesOf } from '../../core/record/entries.ts'
import { readLeft, updateLeft } from '../../core/record/left/left-index.ts'
import type { PlanMeta, PlanScope } from '../../core/record/plan-file.ts'
import type { Run, RunCommand, RunCommit, RunRecord } from '../../core/record/run.ts'
import { nextRunName, writeDeclared, writeRecord } from '../../core/record/run-folder.ts'
import { recordedChanges } from '../../core/redacted-plan.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { SharedRuns } from '../../yaml/index.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { whoRuns } from '../host/who.ts'
import { revisionOf } from '../repository/revision-of.ts'

/** What a command knows of the run that it is about to begin. */
export interface RunFacts {
  readonly command: RunCommand
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  /** What was changed in the product: fields that are left out keep their base. */
  readonly liveEdits: readonly LiveEdit[]
  /** How many objects are as wanted. */
  readonly unchanged: number
  readonly directory: string
  /** Where records are shared; undefined where they stay in the folder. */
  readonly runs: SharedRuns | undefined
  /** Why records of others could not be fetched, which was told. */
  readonly unshared?: string | undefined
  readonly environment?: string
  readonly revision?: RunCommit
  readonly planDigest?: string
  readonly scope?: PlanScope
  /** What of the rules about a run as a whole was allowed. */
  readonly allowed?: PlanMeta['allowed']
  /** The run that this one undoes. */
  readonly undoes?: string
  /** Why it is started, in the words of whoever does. */
  readonly reason?: string
  /** Nothing of it is kept: there is no repository that could keep it. */
  readonly isUnrecorded?: boolean
}

/** The commit of a folder, for the record of what is run there now. */
export async function currentRevision(host: Host, directory: string): Promise<RunCommit | undefined> {
  const { commit, dirty = false } = await revisionOf(host, directory)
  return commit === undefined ? undefined : { commit, dirty }
}

/** A record holds what git says, and nothing that only a pipeline says. */
export function revisionFor({ commit, dirty }: PlanMeta): { readonly revision?: RunCommit } {
  return commit === undefined || dirty === undefined ? {} : { revision: { commit, dirty } }
}

/** Everything that is known of a run before it begins; what it was asked for is kept already. */
export async function runOf(host: Host, { target }: Session, facts: RunFacts): Promise<Run> {
  const { directory, command, environment, revision, reason, planDigest, undoes, changes, blocked, scope } =
    facts
  const { allowed } = facts
  const startedAt = host.runtime.now()
  const [who, after, run] = await Promise.all([
    whoRuns(host, directory),
    scope?.after ?? readLeft(directory, target).then(({ left }) => left.heads),
    nextRunName(directory, startedAt, host.runtime.uniqueId()),
  ])
  const declared = scope && (await writeDeclared(directory, scope.declared, run))
  const held = leftOutFields(facts.liveEdits)
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

/** A run with what came of it, by the lines of its journal. */
export function recordOf(
  { changes, ...head }: Run,
  finishedAt: number,
  isComplete: boolean,
  lines: readonly JsonObject[],
): RunRecord {
  return { ...head, finishedAt, isComplete, entries: entriesOf(changes, lines) }
}

/** A record as it is kept: what it hides is in a file of its own. */
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

/** Writes the record of a run, and answers with where it is. */
export async function keepRecord(host: Host, { directory }: RunFacts, record: RunRecord): Promise<string> {
  const path = await writeRecord(directory, withoutValues(host, record), host.secrets.hide)
  // It only saves reading; what it would say is in the records.
  await updateLeft(directory, record).catch(() => {})
  return path
}
