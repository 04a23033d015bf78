import type { Plan } from '../../core/change.ts'
import type { Declarations } from '../../core/desired.ts'
import { measuredFrom } from '../../core/live-edits/measured.ts'
import { listedRoles } from '../../core/plan/edits/grant-lists.ts'
import type { DriftRecords } from '../../core/plan/found-drift.ts'
import { problemsBeside } from '../../core/plan/guards/live-only.ts'
import { contextsFor } from '../../core/plan/object/object-contexts.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import type { Policy } from '../../core/policy.ts'
import { stillPending } from '../../core/read/closed-requests.ts'
import { type Snapshot, takeSnapshot } from '../../core/read/snapshot.ts'
import { type DeclaredDigests, declaredDigests } from '../../core/record/declared.ts'
import { readLeft } from '../../core/record/left/left-index.ts'
import { newestApplyOf } from '../../core/record/newest-apply.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { isSandbox } from '../../core/target.ts'
import { type AskAncestry, type Revision, rememberingAncestry } from '../../git/commits.ts'
import type { Problem } from '../../model/problem.ts'
import { within } from '../../model/runtime/tracer.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { SharedRuns } from '../../yaml/index.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/output/progress.ts'
import { type BaseChoice, measuredAs } from '../past/base-choice.ts'
import { baseNotes } from '../past/base-notes.ts'
import type { PastDeclarations } from '../past/past-declarations.ts'
import { planWithPast } from '../past/plan-with-past.ts'
import { futureNote, unreadNote } from '../past/unread-note.ts'
import { fetchRuns } from '../runs/shared-runs.ts'
import { planWithAuthors } from './plan-with-authors.ts'
import { declaredAddresses, withAddresses, withFoundAddresses } from './resolve-policy.ts'

export interface PlanRequest {
  readonly directory: string
  readonly environment: string | undefined
  /** Where records of runs are shared. */
  readonly runs: SharedRuns | undefined
  readonly declarations: Declarations
  readonly policy: Policy
  /** Whether it is only looked at what differs, and nothing is going to be applied. */
  readonly isLookedAt?: boolean
  /** Options by which commands that the plan names reach the same place. */
  readonly placeOptions: string
  /** Reads the grants of each flag by themselves, also where the list of roles shows them. */
  readonly readsEachGrant?: boolean
  /** What git says of the folder. */
  readonly revision: Promise<Omit<Revision, 'note'>>
  /** What is declared at other commits. */
  readonly past?: PastDeclarations | undefined
  /** What live edits are measured from. */
  readonly base: BaseChoice
  /** Ends the command with errors that only the live service brought to light. */
  refuse(problems: readonly Problem[]): never
}

export interface MadePlan {
  readonly plan: Plan
  /** How other commits stand to the one that is planned; undefined where git tells none. */
  readonly askAncestry: AskAncestry | undefined
  /** What of the records it was made with. */
  readonly records: DriftRecords
  /** What is said of what it was measured from. */
  readonly measuring: Pick<PlanMeta, 'measured' | 'notes'>
  /** Why records of others could not be fetched. */
  readonly unshared?: string
  /** What was read of the live service for it. */
  readonly snapshot: Snapshot
  /** What it was asked for, as it was compared. To work that out takes a while, and a plan that is only read does not need it. */
  readonly declared: () => DeclaredDigests
  /** The newest runs that it was made with. */
  readonly after: readonly string[]
}

/** Reads the live service and compares: what `plan`, `apply` and `drift` all start with. */
export function makePlan(host: Host, session: Session, input: PlanRequest): Promise<MadePlan> {
  return within(host.runtime, 'plan', {}, () => madePlan(host, session, input))
}

async function madePlan(host: Host, session: Session, input: PlanRequest): Promise<MadePlan> {
  const { declarations } = input
  const declared = declaredAddresses(declarations)
  const isAllDeclared = onlyPlansDeclared(declarations, input.policy)
  // A slip of the keys is told before the service is asked, where the declarations alone show it.
  const policy = isAllDeclared ? withAddresses(input.policy, { declared }) : input.policy
  const [snapshot, { left, unread, unshared }, { commit: head }] = await Promise.all([
    readLive(host, session, declarations, { policy, readsEachGrant: input.readsEachGrant }),
    fetchRuns(host, input).then(async unshared => ({
      ...(await readLeft(input.directory, session.target)),
      unshared,
    })),
    input.revision,
  ])
  const { client, connection } = session
  const asking = { client, parallelism: connection.parallelism, signal: host.stop }
  const pending = await stillPending(left.pending, declarations.desired, asking)
  const problems = problemsBeside(declarations, snapshot)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) input.refuse(errors)
  for (const warning of problems) host.log.problem(warning)
  const allowing = isAllDeclared ? { policy } : withFoundAddresses(policy, declared)
  const { placeOptions } = input
  const now = host.runtime.now()
  const { redaction } = host
  const onRecord = { declarations, snapshot, ...left, pending, placeOptions, ...allowing, now, redaction }
  const { target } = session
  const git = { directory: input.directory, env: host.env }
  const { note, notes } = notesTo(host)
  const unreadLine = unreadNote(input.directory, unread)
  if (unreadLine !== undefined) note(unreadLine)
  const early = left.latest && futureNote(left.latest, now)
  if (early !== undefined) note(early)
  const askAncestry = head === undefined ? undefined : rememberingAncestry(git, head)
  const place = { git, target, head, askAncestry, past: input.past, note }
  const asked = await measuredAs(input.base, onRecord, place)
  const plan = await planWithAuthors(host, session, asked, {
    makeWith: input => planWithPast(input, place),
    note,
  })
  // A demonstration begins without records, and nobody is going to keep any.
  if (input.base === 'auto' && !host.isFleeting) {
    const lines = await notesFor(plan, asked, session, { ...input, hasUnread: unread.length > 0 })
    for (const line of lines) note(line)
  }
  return {
    snapshot,
    plan,
    askAncestry,
    ...(unshared === undefined ? {} : { unshared }),
    records: asked,
    measuring: { ...measuringOf(input.base, asked), notes },
    after: left.heads,
    declared: () =>
      declaredDigests(
        declarations.desired.map(contextsFor(asked).contextOf),
        listedRoles(declarations, snapshot),
      ),
  }
}

/** Tells each line once, however many objects it is about, and keeps it. */
function notesTo({ log }: Host): { readonly note: (line: string) => void; readonly notes: string[] } {
  const notes: string[] = []
  return {
    notes,
    note(line) {
      if (notes.includes(line)) return
      log.warn(escapeText(line))
      notes.push(line)
    },
  }
}

async function notesFor(
  plan: Plan,
  asked: PlanInput,
  { target }: Session,
  {
    directory,
    environment,
    runs,
    isLookedAt = false,
    hasUnread,
  }: PlanRequest & { readonly hasUnread: boolean },
): Promise<string[]> {
  const isLookedFor = !asked.isApplied && environment !== undefined && !isSandbox(target)
  const elsewhere = isLookedFor ? await newestApplyOf(directory, environment) : undefined
  return baseNotes(plan, asked, {
    target,
    environment,
    elsewhere,
    sharesRecords: runs !== undefined,
    hasUnread,
    isLookedAt,
  })
}

/** A choice of the command line is in the head of the plan already. */
function measuringOf(choice: BaseChoice, { base, declarations }: PlanInput): Pick<PlanMeta, 'measured'> {
  if (choice !== 'auto' || !base) return {}
  const measured = measuredFrom(
    base,
    declarations.desired.map(({ address }) => address),
  )
  return measured ? { measured } : {}
}

/** Reads of the live service what a plan of these declarations needs. */
export function readLive(
  host: Host,
  { client, started, connection: { parallelism } }: Session,
  declarations: Declarations,
  reading: Pick<PlanRequest, 'policy' | 'readsEachGrant'>,
): Promise<Snapshot> {
  return withProgress(host, 'reading the live service', () =>
    within(host.runtime, 'read the live service', {}, () =>
      takeSnapshot({ client, declarations, ...reading, parallelism, started, signal: host.stop }),
    ),
  )
}

/** Whether no plan of these can be about something that is declared nowhere, or nobody allows anything by name. */
function onlyPlansDeclared({ ownedGrants }: Declarations, { ownership, allow }: Policy): boolean {
  const isNamed = allow.some(({ address }) => address !== undefined)
  return !isNamed || (ownership.prune === 'never' && ownedGrants.length === 0)
}
