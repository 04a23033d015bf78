import type { Plan } from '../../core/change.ts'
import type { Declarations } from '../../core/desired.ts'
import type { DriftRecords } from '../../core/plan/found-drift.ts'
import { problemsBeside } from '../../core/plan/live-only.ts'
import { contextsFor } from '../../core/plan/object-contexts.ts'
import type { Policy } from '../../core/policy.ts'
import { stillPending } from '../../core/read/closed-requests.ts'
import { type Snapshot, takeSnapshot } from '../../core/read/snapshot.ts'
import { type DeclaredDigests, declaredDigests } from '../../core/record/declared.ts'
import { readLeft } from '../../core/record/left/left-index.ts'
import type { Revision } from '../../git/revision.ts'
import type { Problem } from '../../model/problem.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { problemLine } from '../../report/text/problem-text.ts'
import type { SharedRuns } from '../../yaml/index.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/progress.ts'
import { type BaseChoice, measuredFrom } from '../past/base-choice.ts'
import type { PastDeclarations } from '../past/past-declarations.ts'
import { planWithPast } from '../past/plan-with-past.ts'
import { fetchRuns } from '../runs/shared-runs.ts'
import { planWithAuthors } from './plan-with-authors.ts'
import { declaredAddresses, withAddresses, withFoundAddresses } from './resolve-policy.ts'

export interface PlanRequest {
  readonly directory: string
  /** Where records of runs are shared. */
  readonly runs: SharedRuns | undefined
  readonly declarations: Declarations
  readonly policy: Policy
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
  /** What of the records it was made with. */
  readonly records: DriftRecords
  /** What was read of the live service for it. */
  readonly snapshot: Snapshot
  /** What it was asked for, as it was compared. To work that out takes a while, and a plan that is only read does not need it. */
  readonly declared: () => DeclaredDigests
}

/** Reads the live service and compares: what `plan`, `apply` and `drift` all start with. */
export async function makePlan(host: Host, session: Session, input: PlanRequest): Promise<MadePlan> {
  const { declarations } = input
  const declared = declaredAddresses(declarations)
  const isAllDeclared = onlyPlansDeclared(declarations, input.policy)
  // A slip of the keys is told before the service is asked, where the declarations alone show it.
  const policy = isAllDeclared ? withAddresses(input.policy, { declared }) : input.policy
  const [snapshot, left, { commit: head }] = await Promise.all([
    readLive(host, session, declarations, { policy, readsEachGrant: input.readsEachGrant }),
    fetchRuns(host, input).then(() => readLeft(input.directory, session.target)),
    input.revision,
  ])
  const { client, connection } = session
  const asking = { client, parallelism: connection.parallelism, signal: host.stop }
  const pending = await stillPending(left.pending, declarations.desired, asking)
  const problems = problemsBeside(declarations, snapshot)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) input.refuse(errors)
  for (const warning of problems) host.stderr.write(`${problemLine(warning)}\n`)
  const allowing = isAllDeclared ? { policy } : withFoundAddresses(policy, declared)
  const onRecord = { declarations, snapshot, ...left, pending, ...allowing }
  const { target } = session
  const git = { directory: input.directory, env: host.env }
  const place = { git, target, head, past: input.past, note: noteOnce(host) }
  const asked = await measuredFrom(input.base, onRecord, place)
  return {
    snapshot,
    plan: await planWithAuthors(host, session, asked, input => planWithPast(input, place)),
    records: asked,
    declared: () => declaredDigests(declarations.desired.map(contextsFor(asked).contextOf)),
  }
}

/** Tells each line once, however many objects it is about. */
function noteOnce({ stderr }: Host): (line: string) => void {
  const told = new Set<string>()
  return line => {
    if (!told.has(line)) stderr.write(`${escapeText(line)}\n`)
    told.add(line)
  }
}

/** Reads of the live service what a plan of these declarations needs. */
export function readLive(
  host: Host,
  { client, started, connection: { parallelism } }: Session,
  declarations: Declarations,
  reading: Pick<PlanRequest, 'policy' | 'readsEachGrant'>,
): Promise<Snapshot> {
  return withProgress(host, 'reading the live service', () =>
    takeSnapshot({ client, declarations, ...reading, parallelism, started, signal: host.stop }),
  )
}

/** Whether no plan of these can be about something that is declared nowhere, or nobody allows anything by name. */
function onlyPlansDeclared({ ownedGrants }: Declarations, { ownership, allow }: Policy): boolean {
  const isNamed = allow.some(({ address }) => address !== undefined)
  return !isNamed || (ownership.prune === 'never' && ownedGrants.length === 0)
}
