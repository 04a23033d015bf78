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
 * | `auto`   | the declaration of each object when it last converged, from the runs on record |
 * | `none`   | nothing: the plan only compares declared and live objects                     |
 * | a commit | the declarations of all objects at that commit                                |
 */
export type BaseChoice = 'auto' | 'none' | DatedCommit

/** Reads the option; throws if it names no commit of this clone. */
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

/** The choice as a plan records it. The default is not recorded. */
export function baseOnRecord(choice: BaseChoice): { readonly base?: string } {
  if (choice === 'auto') return {}
  return { base: choice === 'none' ? choice : choice.commit }
}

/**
 * The input of a plan, measured from the chosen base. Values that `vexil undo` and `vexil disable` have set
 * are kept for every choice: they do not depend on the base.
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
  // A commit is not a run: all that runs have set without a declaration is newer.
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

/** The facts about a plan's place that decide what the plan can be measured from. */
export interface MeasuringPlace {
  readonly target: Target
  readonly environment: string | undefined
  /** The newest recorded apply of this environment, if it was to another place. */
  readonly elsewhere: RunRecord | undefined
  /** Whether the settings share records. */
  readonly sharesRecords: boolean
  /** Whether some records cannot be read; a note was printed. */
  readonly hasUnread: boolean
  /** Whether the command only looks for differences, and will apply nothing. */
  readonly isLookedAt: boolean
}

/**
 * Notes about values that have no base, a line each with what to do. There is no note unless something
 * differs that a person may have changed.
 *
 * | recorded apply                | and the plan                          | note                          |
 * |-------------------------------|---------------------------------------|-------------------------------|
 * | to the target                 | sets a field that has `${env:}` in it | the field                     |
 * | of the environment, elsewhere | changes or blocks anything            | the place of that apply       |
 * | none                          | updates or restores live objects      | how many, how to get a record |
 * | none                          | creates, deletes                      | none; `vexil drift`: as above |
 * | none                          | claims                                | none                          |
 * | any; the target is a sandbox  | does anything                         | none                          |
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

/** The place of a plan, for questions about the history of its repository. */
export interface PastPlace {
  readonly git: GitFolder
  readonly target: Target
  /** The planned commit; undefined if git knows none. */
  readonly head: string | undefined
  /** Finds how other commits are related to the planned one. */
  readonly askAncestry: AskAncestry | undefined
  /** The declarations at other commits; a stack has none. */
  readonly past: PastDeclarations | undefined
  /** Shows one line to the user. */
  readonly note: (line: string) => void
}

/** Reads the declarations at a commit. Notes why and returns undefined if they cannot be compared. */
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

/** The place of the environment in the settings of a commit, if it differs from the planned target. */
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
