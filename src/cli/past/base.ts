import { withoutEndSlash } from '../../api/base-url.ts'
import { type Action, type Plan, writtenFields } from '../../core/change.ts'
import type { BaseOrigin } from '../../core/live-edits/base.ts'
import { isDifference } from '../../core/plan/found-drift.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import { type AskAncestry, commitMeant, type DatedCommit } from '../../git/commits.ts'
import type { GitFolder } from '../../git/run.ts'
import { counted } from '../../report/object-names.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import type { ConnectionSettings } from '../repository/connection.ts'
import { type ComparedPast, comparedPast } from './compared-past.ts'
import { type PastAsking, type PastDeclarations, shortCommit, someOf } from './past-declarations.ts'

/**
 * | `--base` | live edits are measured from                                                  |
 * |----------|-------------------------------------------------------------------------------|
 * | `auto`   | what each object was declared as when it last converged, as runs on record tell |
 * | `none`   | nothing: what is declared and what is live are compared, and nothing else     |
 * | a commit | what is declared at that commit, of all objects                               |
 */
export type BaseChoice = 'auto' | 'none' | DatedCommit

/** What the option means; throws where it means no commit of this clone. */
export async function chooseBase(
  { env }: Pick<Host, 'env'>,
  directory: string,
  past: PastDeclarations | undefined,
  { base = 'auto' }: Flags,
): Promise<BaseChoice> {
  if (base === 'auto' || base === 'none') return base
  if (!past) {
    const words = `--base ${base} reads the YAML files of that commit, and a stack has none; runs on record tell of stacks too (--base auto)`
    throw new CommandError(words, exitCode.usage)
  }
  const commit = await commitMeant({ directory, env }, base)
  if (commit) return commit
  throw new CommandError(
    `--base "${base}" is no commit of this clone; \`git fetch origin ${base}\` may bring it, or give auto or none`,
    exitCode.usage,
  )
}

/** How a choice is kept in a plan; by default it is not. */
export function baseOnRecord(choice: BaseChoice): { readonly base?: string } {
  if (choice === 'auto') return {}
  return { base: choice === 'none' ? choice : choice.commit }
}

/**
 * A plan's input measured from what was chosen. What `vexil undo` and `vexil disable` have set stands in either case, since
 * it is no matter of what it is compared with.
 */
export async function measuredAs(choice: BaseChoice, asked: PlanInput, place: PastPlace): Promise<PlanInput> {
  if (choice === 'auto') return asked
  const { base: recorded = {}, grantLists: _, ...others } = asked.records ?? {}
  if (choice === 'none') return { ...asked, records: { ...others, heldSince: {}, isApplied: false } }
  const { commit } = choice
  const state = await readingPast(asked, place)(commit)
  if (!state) {
    throw new CommandError(
      `nothing can be measured from ${shortCommit(commit)}; give another --base, auto or none`,
    )
  }
  // It is no run: what runs have set without a declaration came after it.
  const origin: BaseOrigin = {
    run: `--base ${shortCommit(commit)}`,
    at: 0,
    revision: { commit, dirty: false },
  }
  const base = Object.entries(state.baseOf(origin)).map(([address, object]) => {
    const id = recorded[address]?.id
    return [address, object && id !== undefined ? { ...object, id } : object] as const
  })
  const grantLists = state.grantListsOf(origin)
  return { ...asked, records: { ...others, base: Object.fromEntries(base), grantLists, heldSince: {} } }
}

/** Where a plan is made, as far as it matters for what it can be measured from. */
export interface MeasuringPlace {
  readonly target: Target
  readonly environment: string | undefined
  /** The newest apply of this environment on record, where it was to another place. */
  readonly elsewhere: RunRecord | undefined
  /** Whether the settings say where records are shared. */
  readonly sharesRecords: boolean
  /** Whether there are records that cannot be read; a note was printed. */
  readonly hasUnread: boolean
  /** Whether it is only looked at what differs, and nothing is going to be applied. */
  readonly isLookedAt: boolean
}

/**
 * What a plan has nothing to measure from, a line each with what to do; only where something differs that somebody may
 * have changed.
 *
 * | an apply is on record             | and the plan                          | note                               |
 * |-----------------------------------|---------------------------------------|------------------------------------|
 * | of the target                     | sets a field that has `${env:}` in it | the field                          |
 * | of the environment, elsewhere     | changes or blocks anything            | where that was                     |
 * | nowhere                           | changes or restores what is live      | how many, and how to get a record  |
 * | nowhere                           | creates, deletes                      | nothing; by `vexil drift` the same |
 * | nowhere                           | claims                                | nothing                            |
 * | any, and the target is a sandbox  | does anything                         | nothing                            |
 */
export function baseNotes(plan: Plan, asked: PlanInput, place: MeasuringPlace): string[] {
  if (isSandbox(place.target)) return []
  if (asked.records?.isApplied) return environmentNotes(plan, asked)
  if (place.elsewhere) {
    const isAny = plan.changes.length + plan.blocked.length > 0
    return isAny ? [elsewhereNote(place.elsewhere, place)] : []
  }
  const wanted: readonly Action[] = place.isLookedAt
    ? ['create', 'update', 'restore', 'delete']
    : ['update', 'restore']
  const differing = [...plan.changes, ...plan.blocked.filter(isDifference)]
  const count = differing.filter(({ action }) => wanted.includes(action)).length
  return count === 0 ? [] : [unrecordedNote(count, place)]
}

function environmentNotes({ changes }: Plan, { declared: declarations, records = {} }: PlanInput): string[] {
  const { base = {} } = records
  const declared = new Map(declarations.desired.map(desired => [desired.address, desired]))
  const fields = changes.flatMap(change => {
    const { address, action } = change
    const written = writtenFields(change)
    const { fromEnvironment = [] } = declared.get(address) ?? {}
    const isKnown = action === 'update' && Object.hasOwn(base, address)
    return isKnown
      ? fromEnvironment.filter(name => written.includes(name)).map(name => `${address} ${name}`)
      : []
  })
  if (fields.length === 0) return []
  const [it, have] = fields.length === 1 ? ['it', 'has'] : ['them', 'have']
  return [
    `${someOf(fields)} ${have} a value of \`\${env:NAME}\`, of which nothing is on record, so nobody can tell which side has changed ${it}; write values that differ under \`environments\` in the declaration to have ${it} compared`,
  ]
}

function elsewhereNote({ run, target }: RunRecord, place: MeasuringPlace): string {
  return `no apply to ${targetText(place.target)} is on record: the last one of ${place.environment} was to ${targetText(target)} (run ${run}), and what was declared for another place says nothing of this one; the first apply starts its records`
}

function unrecordedNote(
  count: number,
  { environment, target, sharesRecords, hasUnread, isLookedAt }: MeasuringPlace,
): string {
  const sent = isLookedAt ? '' : ', and what is declared is sent'
  if (hasUnread)
    return `no apply to ${environment ?? targetText(target)} can be read, so nobody can tell which side has changed ${counted(count, 'object')}${sent}`
  const shared = sharesRecords
    ? ''
    : '; where others apply, `runs: { ref: refs/vexil/runs }` in the settings shares their records'
  return `no apply to ${environment ?? targetText(target)} is on record, so nobody can tell which side has changed ${counted(count, 'object')}${sent}; the first apply starts the records${shared}`
}

/** Where a plan is made, as far as the history of its repository is asked. */
export interface PastPlace {
  readonly git: GitFolder
  readonly target: Target
  /** The commit that is planned; undefined where git tells none. */
  readonly head: string | undefined
  /** How other commits stand to that one. */
  readonly askAncestry: AskAncestry | undefined
  /** What is declared at other commits; a stack has none. */
  readonly past: PastDeclarations | undefined
  /** Tells people, in one line. */
  readonly note: (line: string) => void
}

/** Reads what was declared at a commit, with one note about what prevents it; undefined if nothing can be compared with it. */
export type ReadPast = (commit: string, asking?: PastAsking) => Promise<ComparedPast | undefined>

export function readingPast(asked: PlanInput, { target, past, note }: PastPlace): ReadPast {
  const known = new Map<string, Promise<ComparedPast | undefined>>()
  const read = async (commit: string, asking: PastAsking): Promise<ComparedPast | undefined> => {
    const state = await past?.at(commit, asking)
    if (!state) {
      note(
        past
          ? `the declarations at ${shortCommit(commit)} are not to be had; \`git fetch origin ${commit}\` may bring them`
          : 'a stack shows only what it declares now, so its values are not compared with another commit',
      )
      return undefined
    }
    for (const line of state.notes) note(line)
    const elsewhere = placeElsewhere(state.connection, target)
    if (elsewhere === undefined) return comparedPast(asked, state.declarations)
    note(
      `at ${shortCommit(commit)} this environment was ${elsewhere}, not ${targetText(target)}, so nothing is compared with that commit`,
    )
    return undefined
  }
  return (commit, asking = {}) => {
    const found = known.get(commit) ?? read(commit, asking)
    if (asking.isKept !== false) known.set(commit, found)
    return found
  }
}

/** Where the settings of a commit put the environment, where that is another place than the one that is planned for. */
function placeElsewhere(
  { baseUrl, project, organization }: ConnectionSettings,
  target: Target,
): string | undefined {
  if (isSandbox(target)) return undefined
  if (baseUrl !== undefined && withoutEndSlash(baseUrl) !== withoutEndSlash(target.baseUrl))
    return `at ${baseUrl}`
  if (project !== undefined && target.projectId !== undefined && project !== target.projectId)
    return `project ${project}`
  const isOther = organization !== undefined && target.organizationId !== undefined
  return isOther && organization !== target.organizationId ? `organization ${organization}` : undefined
}
