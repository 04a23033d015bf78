import type { Plan } from '../../core/change.ts'
import { problemsBeside, withRemarks } from '../../core/describe/hints.ts'
import type { Declarations } from '../../core/desired.ts'
import { readLeft } from '../../core/live-edits/base-index.ts'
import { listedRoles } from '../../core/live-edits/records.ts'
import {
  type Base,
  type BaseField,
  type BaseObject,
  type GrantLists,
  type Lineage,
  measuredFrom,
} from '../../core/live-edits/verdict.ts'
import type { DriftRecords } from '../../core/plan/found-drift.ts'
import { contextsFor } from '../../core/plan/object-context.ts'
import { type PlanInput, plan } from '../../core/plan/plan.ts'
import { isAllowed, type Policy } from '../../core/policy.ts'
import { readAuthors, stillPending, unprovenFields, wantedAuthors } from '../../core/read/read-authors.ts'
import { type Snapshot, takeSnapshot } from '../../core/read/snapshot.ts'
import { newestApplyOf } from '../../core/record/history.ts'
import type { PlanMeta, PlanScope } from '../../core/record/plan-file.ts'
import { type DeclaredDigests, declaredDigests } from '../../core/record/run-folder.ts'
import { isSandbox } from '../../core/target.ts'
import {
  type Ancestry,
  type AskAncestry,
  commitsTouching,
  forkOf,
  type Revision,
  rememberingAncestry,
} from '../../git/commits.ts'
import { once, within } from '../../model/runtime.ts'
import { escapeText } from '../../model/text/printable.ts'
import { version } from '../../model/version.ts'
import type { Flags } from '../command-options.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/output.ts'
import { declaredBefore } from '../past/declared-before.ts'
import {
  type Asked,
  askingLineage,
  type BaseChoice,
  baseNotes,
  baseOnRecord,
  chooseBase,
  measuredAs,
  type PastPlace,
  pathspecs,
  type ReadPast,
  readingPast,
  shortCommit,
} from '../past/past-declarations.ts'
import { fetchRuns, futureNote, unreadNote } from '../past/recorded-runs.ts'
import { revisionOf } from '../repository/repository.ts'
import { placeOptions, type Repository } from '../repository/repository-settings.ts'
import type { Session } from '../repository/session.ts'
import {
  declaredAddresses,
  isPart,
  onlyChosen,
  resolvePolicy,
  withAddresses,
  withFoundAddresses,
  withoutPrune,
} from './target-filter.ts'

export interface PlanFor extends Pick<MadePlan, 'askAncestry'> {
  readonly plan: Plan
  readonly unshared: string | undefined
  readonly snapshot: Snapshot
  readonly meta: PlanMeta
  /** The scope of the plan, computed on request, because this takes time. */
  readonly scope: () => PlanScope
}

/** Makes the plan that `plan` shows and `apply` carries out, with its data for records. */
export async function planFor(
  host: Host,
  session: Session,
  repository: Repository,
  flags: Flags,
): Promise<PlanFor> {
  const policy = { ...resolvePolicy(repository.policy, flags), now: host.runtime.now() }
  const declarations = onlyChosen(repository.declarations, flags)
  const { directory, past } = repository
  const base = await chooseBase(host, directory, past, flags)
  const revision = revisionOf(host, directory)
  const [{ plan, snapshot, askAncestry, declared, measuring, unshared, after }, commit] = await Promise.all([
    makePlan(host, session, {
      repository,
      base,
      revision,
      declarations,
      placeOptions: placeOptions({ ...flags, ...session.placeFlags }),
      // A plan of some objects must not prune others.
      policy: isPart(flags) ? withoutPrune(policy) : policy,
    }),
    commitOf(host, revision),
  ])
  const meta: PlanMeta = {
    toolVersion: version,
    target: session.target,
    environment: repository.environment,
    createdAt: host.runtime.now(),
    requests: session.client.requestCount + (repository.requests ?? 0),
    ...commit,
    ...baseOnRecord(base),
    ...measuring,
    ...(isAllowed(policy, 'older_commit', '') ? { allowed: ['older_commit'] as const } : {}),
  }
  const wanted = new Set(declarations.desired.map(({ address }) => address))
  const all = repository.declarations.desired.map(({ address }) => address)
  const notTargeted = all.filter(address => !wanted.has(address))
  const scope = once(() => ({ declared: declared(), notTargeted, after }))
  return { plan, snapshot, askAncestry, unshared, meta, scope }
}

/** The commit of the declarations, from git or else from pipeline variables. */
async function commitOf(
  host: Host,
  reading: ReturnType<typeof revisionOf>,
): Promise<Pick<PlanMeta, 'commit' | 'dirty'>> {
  const revision = await reading
  if (revision.commit !== undefined) return revision
  const commit = commitIn(host.env)
  return commit === undefined ? {} : { commit }
}

/** The commit in the variables of common pipelines. */
function commitIn(env: Host['env']): string | undefined {
  const sha = env.VEXIL_COMMIT ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? env.BUILDKITE_COMMIT
  return sha && /^[0-9a-f]{7,64}$/i.test(sha) ? sha : undefined
}

export interface PlanRequest {
  readonly repository: Pick<Repository, 'directory' | 'environment' | 'runs' | 'store' | 'past' | 'refuse'>
  readonly declarations: Declarations
  readonly policy: Policy
  /** Whether the command only shows differences, as `vexil drift` does. */
  readonly isLookedAt?: boolean
  /** The options that commands in messages need to use the same place. */
  readonly placeOptions: string
  /** The commit of the folder, from git. */
  readonly revision: Promise<Omit<Revision, 'note'>>
  readonly base: BaseChoice
}

interface MadePlan {
  readonly plan: Plan
  /** Finds the relations of other commits to the planned one; undefined if git knows none. */
  readonly askAncestry: AskAncestry | undefined
  readonly records: DriftRecords
  /** The base of the plan, with notes. */
  readonly measuring: Pick<PlanMeta, 'measured' | 'notes'>
  /** Why records of others could not be fetched. */
  readonly unshared: string | undefined
  readonly snapshot: Snapshot
  /** The digests of the compared declarations, computed on request, because this takes time. */
  readonly declared: () => DeclaredDigests
  /** The newest runs that the plan knew. */
  readonly after: readonly string[]
}

/** Reads the live service and compares it with the declarations, for `plan`, `apply` and `drift`. */
export function makePlan(host: Host, session: Session, input: PlanRequest): Promise<MadePlan> {
  return within(host.runtime, 'plan', {}, () => madePlan(host, session, input))
}

async function madePlan(host: Host, session: Session, input: PlanRequest): Promise<MadePlan> {
  const { declarations } = input
  const { directory, past } = input.repository
  const declared = declaredAddresses(declarations)
  const isAllDeclared = onlyPlansDeclared(declarations, input.policy)
  // Reports misspelt names before asking the service, if the declarations are enough for that.
  const policy = isAllDeclared ? withAddresses(input.policy, { declared }) : input.policy
  const [snapshot, { left, unread, unshared }, { commit: head }] = await Promise.all([
    readLive(host, session, declarations, policy),
    fetchRuns(host, input.repository, session.target).then(async unshared => ({
      ...(await readLeft(directory, session.target)),
      unshared,
    })),
    input.revision,
  ])
  const { client, connection } = session
  const asking = { client, parallelism: connection.parallelism, signal: host.stop }
  const pending = await stillPending(left.pending, declarations.desired, asking)
  const problems = problemsBeside(declarations, snapshot)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) input.repository.refuse(errors)
  for (const warning of problems) host.log.problem(warning)
  const { placeOptions } = input
  const now = host.runtime.now()
  const { redaction } = host
  const onRecord = {
    declared: declarations,
    live: snapshot,
    policy: { ...(isAllDeclared ? policy : withFoundAddresses(policy, declared)), placeOptions, redaction },
    records: { ...left, pending },
  }
  const { target } = session
  const git = { directory, env: host.env }
  const { note, notes } = notesTo(host)
  const unreadLine = unreadNote(directory, unread)
  if (unreadLine !== undefined) note(unreadLine)
  const early = left.latest && futureNote(left.latest, now)
  if (early !== undefined) note(early)
  const askAncestry = head === undefined ? undefined : rememberingAncestry(git, head)
  const place = { git, target, head, askAncestry, past, note }
  const asked = await measuredAs(input.base, onRecord, place)
  const plan = withRemarks(await planWithAuthors(host, session, asked, place), asked, now)
  // A demo has no records.
  if (input.base === 'auto' && !host.isFleeting) {
    const lines = await notesFor(plan, asked, session, { ...input, hasUnread: unread.length > 0 })
    for (const line of lines) note(line)
  }
  return {
    snapshot,
    plan,
    askAncestry,
    unshared,
    records: asked.records ?? {},
    measuring: { ...measuringOf(input.base, asked), notes },
    after: left.heads,
    declared: () =>
      declaredDigests(
        declarations.desired.map(contextsFor(asked).contextOf),
        listedRoles(declarations, snapshot),
      ),
  }
}

/** Warns of each line once, and collects the lines. */
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
  { repository, isLookedAt = false, hasUnread }: PlanRequest & { readonly hasUnread: boolean },
): Promise<string[]> {
  const { directory, environment, runs } = repository
  const isLookedFor = !asked.records?.isApplied && environment !== undefined && !isSandbox(target)
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

/** The base of a plan, unless the command line sets it. */
function measuringOf(choice: BaseChoice, { records, declared }: PlanInput): Pick<PlanMeta, 'measured'> {
  if (choice !== 'auto' || !records?.base) return {}
  const measured = measuredFrom(
    records.base,
    declared.desired.map(({ address }) => address),
  )
  return measured ? { measured } : {}
}

/** Reads the live objects that a plan of these declarations needs. */
export function readLive(
  host: Host,
  { client, connection: { parallelism } }: Session,
  declarations: Declarations,
  policy: Policy,
): Promise<Snapshot> {
  return withProgress(host, 'reading the live service', () =>
    within(host.runtime, 'read the live service', {}, () =>
      takeSnapshot({ client, declarations, policy, parallelism, signal: host.stop }),
    ),
  )
}

/** Whether permissions by name can only concern declared objects. */
function onlyPlansDeclared({ ownedGrants }: Declarations, { ownership, allow }: Policy): boolean {
  const isNamed = allow.some(({ address }) => address !== undefined)
  return !isNamed || (ownership.prune === 'never' && ownedGrants.length === 0)
}

/**
 * Makes a plan with the activity trail: who changed what in the product, and which unrecorded values a person
 * has set. The trail is read once, if the plan needs it. If it cannot be read, a note gives the reason, and
 * the plan is still valid.
 */
async function planWithAuthors(
  host: Host,
  { client }: Session,
  asked: PlanInput,
  place: PastPlace,
): Promise<Plan> {
  const made = await planWithPast(asked, place)
  const wanted = [...wantedAuthors(made, asked), ...unprovenFields(made, asked)]
  if (wanted.length === 0) return made
  const authors = await withProgress(host, 'reading who changed what', () =>
    readAuthors(wanted, asked.live, { client, signal: host.stop }),
  )
  for (const line of authors.notes) place.note(line)
  const records = { ...asked.records, authors }
  return authors.objects.size > 0 ? planWithPast({ ...asked, records }, place) : made
}

/**
 * Makes a plan with the history from git. The first plan records its queries. If it needs more than relations
 * of commits, this reads the rest and makes the plan again.
 *
 * | the plan needs                                   | this reads                                 |
 * |--------------------------------------------------|--------------------------------------------|
 * | the relation of a commit to the planned one      | the history between them                   |
 * | the values before a commit diverged              | the declarations at the common ancestor    |
 * | whether a missing commit is an ancestor          | earlier declarations of the planned branch |
 * | the old value of a field that both sides changed | the declarations at the commit of its base |
 */
async function planWithPast(asked: PlanInput, place: PastPlace): Promise<Plan> {
  const { records = {} } = asked
  const { base = {}, grantLists = {} } = records
  const { head, askAncestry } = place
  const recorded = commitsIn(base, grantLists)
  // With the trail, fields without a base need the history too.
  if (head === undefined || !askAncestry || (recorded.length === 0 && !records.authors)) return plan(asked)
  const ancestry = await askAncestry(recorded)
  const first = askingLineage(ancestry)
  const made = plan({ ...asked, records: { ...records, lineage: first.lineage } })
  noteRelations(first.asked, ancestry, place)
  const toMerge = fieldsToMerge(made, base)
  const { forks, declared } = first.asked
  if (forks.size + declared.length + toMerge.length === 0) return made
  const read = readingPast(asked, place)
  const files = pathspecs(place.past?.files ?? [])
  const commits = (line: string, most: number) => commitsTouching(place.git, line, files, most)
  const [digestAtFork, wasDeclared, withValues] = await Promise.all([
    readForks([...forks], head, place, read),
    declaredBefore(declared, { base, head, commits, read }),
    valuesOf(base, toMerge, read),
  ])
  return plan({
    ...asked,
    records: {
      ...records,
      base: withValues,
      lineage: { relationOf: first.lineage.relationOf, digestAtFork, wasDeclared },
    },
  })
}

function commitsIn(base: Base, grantLists: GrantLists): string[] {
  const commits = new Set<string>()
  for (const list of Object.values(grantLists)) {
    if (list?.origin.revision) commits.add(list.origin.revision.commit)
  }
  for (const object of Object.values(base)) {
    if (object?.origin.revision) commits.add(object.origin.revision.commit)
    for (const field of Object.values(object?.fields ?? {})) {
      if (field?.origin?.revision) commits.add(field.origin.revision.commit)
    }
  }
  return [...commits]
}

/** Notes why relations to the planned commit are unknown, if the plan needed them. */
function noteRelations({ relations }: Asked, { relationOf, isShallow }: Ancestry, { note }: PastPlace): void {
  const asked = [...relations]
  const unknown = asked.filter(commit => relationOf(commit) === 'unknown')
  const missing = asked.filter(commit => relationOf(commit) === 'missing')
  if (isShallow && unknown.length > 0) {
    note(
      `this clone is shallow: cannot check whether the applied ${named(unknown)} is part of the planned history; fetch the whole history: \`fetch-depth: 0\` in GitHub Actions, \`GIT_DEPTH: 0\` in GitLab CI, or \`git fetch --unshallow\``,
    )
  }
  if (missing.length > 0) {
    note(
      `this clone lacks the applied ${named(missing)}; \`git fetch origin ${missing[0]}\` fetches it, unless it was squashed or pruned`,
    )
  }
}

function named([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `commit ${shortCommit(first)}${more}`
}

interface ToMerge {
  readonly address: string
  readonly field: string
}

/** Fields that both sides have changed. Their base value is needed for a merge. */
function fieldsToMerge({ liveEdits }: Plan, base: Base): ToMerge[] {
  return liveEdits.flatMap(({ address, fields }) =>
    fields.flatMap(({ field, treatment, isOnBothSides }) => {
      const known = base[address]?.fields[field]
      const isAsked = treatment === 'conflict' || isOnBothSides
      return isAsked && known && known.value === undefined ? [{ address, field }] : []
    }),
  )
}

/** Adds the values of some fields to the base, if they have the recorded digest. */
async function valuesOf(base: Base, wanted: readonly ToMerge[], read: ReadPast): Promise<Base> {
  const found = await Promise.all(
    wanted.map(async ({ address, field }) => {
      const object = base[address]
      const known = object?.fields[field]
      const commit = (known?.origin ?? object?.origin)?.revision?.commit
      const state = commit === undefined ? undefined : await read(commit)
      const isSame = known !== undefined && state?.digestsOf(address)?.[field] === known.digest
      const value = isSame ? state.valueOf(address, field) : undefined
      return object && known && value !== undefined ? [{ address, field, known: { ...known, value } }] : []
    }),
  )
  return found
    .flat()
    .reduce<Base>((all, { address, field, known }) => withField(all, address, field, known), base)
}

function withField(base: Base, address: string, field: string, known: BaseField): Base {
  const object = base[address]
  if (!object) return base
  const changed: BaseObject = { ...object, fields: { ...object.fields, [field]: known } }
  return { ...base, [address]: changed }
}

async function readForks(
  commits: readonly string[],
  head: string,
  { git }: PastPlace,
  read: ReadPast,
): Promise<Lineage['digestAtFork']> {
  const states = new Map(
    await Promise.all(
      commits.map(async commit => {
        const fork = await forkOf(git, head, commit)
        return [commit, fork === undefined ? undefined : await read(fork)] as const
      }),
    ),
  )
  return (commit, address, field) => states.get(commit)?.digestsOf(address)?.[field]
}
