import type { Plan } from '../../core/change.ts'
import {
  isAsReviewed,
  PlanFileError,
  type PlanMeta,
  plannedAgain,
  type Review,
  readPlanDocument,
  requireTarget,
  reviewOf,
  type SavedPlan,
} from '../../core/record/plan-file.ts'
import type { Target } from '../../core/target.ts'
import { type AuthoredLine, commitOrder, isShallow, lineAuthors, readSourceUrl } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { parentAddress } from '../../kinds/index.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Source } from '../../model/problem.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { listSome } from '../../model/text/names.ts'
import type { Author, Authors, PlanDocument } from '../../report/document.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import { type Host, readNamedFile } from '../host/host.ts'
import { openRepository } from '../repository/repository.ts'
import type { Session } from '../repository/session.ts'
import { planFor } from './make-plan.ts'

export interface PlanFile {
  readonly name: string
  readonly text: string
  readonly plan: SavedPlan
}

/** Reads a plan of `vexil plan --out`. Throws if it was edited or has another format. */
export async function readPlanFile(host: Host, name: string): Promise<PlanFile> {
  const text = await readNamedFile(host, `the plan "${name}"`, name, largestSaved)
  return { name, text, plan: named(name, () => readPlanDocument(text)) }
}

/**
 * Adds the hidden values to a saved plan, by planning again from the declarations of this folder with the
 * same options. If the new plan differs, the command ends in 5 before it writes anything.
 */
export async function withPlannedValues(
  host: Host,
  session: Session,
  { name, plan }: PlanFile,
  flags: Flags,
): Promise<SavedPlan> {
  const { redacted, meta } = plan
  if (!redacted) return plan
  const { salt, options } = redacted
  const refuse = (why: string) => unusable(name)(new PlanFileError('values', `${why}; plan again`))
  if (salt === undefined) return refuse(printed)
  const asked: Flags = { ...flags, ...options, env: flags.env ?? meta.environment }
  const again = await planFor(
    host,
    session,
    await openRepository(host, asked, { policiesWarn: false }),
    asked,
  )
  if (again.meta.commit !== meta.commit)
    return refuse(
      `it hides values, and these declarations are of another commit than ${meta.commit ?? 'its own'}`,
    )
  const { changes, doneCount, different } = plannedAgain(plan, again.plan)
  if (different.length > 0)
    return refuse(`it hides values, and what it would do to ${listSome(different, 'and')} has changed since`)
  return { ...plan, changes, unchangedCount: plan.unchangedCount + doneCount, scope: again.scope() }
}

/** Throws if a plan is for another target. */
export function requirePlanFor({ name, plan }: PlanFile, target: Target): void {
  named(name, () => requireTarget(plan, target))
}

function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    return unusable(name)(error)
  }
}

function unusable(name: string): (error: unknown) => never {
  return error => {
    if (!(error instanceof PlanFileError)) throw error
    const code = error.code === 'no_plan' ? exitCode.error : exitCode.stale
    throw new CommandError(`the plan "${name}" cannot be used: ${error.message}`, code)
  }
}

const printed = 'it was printed and not saved by --out, and its values are hidden'

/** The result of the comparison with the reviewed plan. */
export interface ReviewSummary {
  readonly isAsReviewed: boolean
  /** One line. */
  readonly note: string
  /** The member `reviewed` of the document. */
  readonly json: JsonObject
}

/**
 * Reads the reviewed plan. A plan that cannot be compared counts as not reviewed; only an unreadable file is
 * an error.
 */
export async function openReviewed(
  host: Host,
  name: string,
): Promise<(plan: Plan, target: Target) => ReviewSummary> {
  const text = await readNamedFile(host, `the reviewed plan "${name}"`, name, largestSaved)
  return ({ changes }, target) => {
    try {
      const plan = readPlanDocument(text)
      if (plan.redacted && plan.redacted.salt === undefined) throw new PlanFileError('values', printed)
      requireTarget(plan, target)
      return summarizeReview(name, reviewOf(plan, changes))
    } catch (error) {
      if (!(error instanceof PlanFileError)) throw error
      return {
        isAsReviewed: false,
        note: `not as reviewed: "${name}" cannot be compared: ${error.message}`,
        json: { as_reviewed: false, reason: error.message },
      }
    }
  }
}

function summarizeReview(name: string, review: Review): ReviewSummary {
  const { added, changed, gone } = review
  const isSame = isAsReviewed(review)
  const parts = isSame
    ? [`as reviewed: every change is in "${name}" as well`]
    : [
        ...(added.length === 0 ? [] : [`not as reviewed: "${name}" does not change ${listSome(added)}`]),
        ...(changed.length === 0
          ? []
          : [`not as reviewed: "${name}" has a different change of ${listSome(changed)}`]),
      ]
  const rest = gone.length === 0 ? [] : [`no longer needed: ${listSome(gone, 'and')}`]
  return {
    isAsReviewed: isSame,
    note: [...parts, ...rest].join('; '),
    json: { as_reviewed: isSame, added: [...added], changed: [...changed], gone: [...gone] },
  }
}

/** The largest number of files to ask git about. Larger plans show no authors. */
const mostFiles = 40

/** A plan with the commit of its declarations. */
export interface Authored {
  readonly plan: Pick<Plan, 'changes' | 'blocked'>
  readonly meta: Pick<PlanMeta, 'commit' | 'dirty'>
  /** The report files of the command. */
  readonly report?: readonly string[] | undefined
  /** Whether the files may be in another folder: then lines must contain the names of their objects. */
  readonly isFolderGuessed?: boolean
}

/** The authors of declarations and the address of their files, if a report shows them. */
export async function authorsForReports(
  { env }: Pick<Host, 'env'>,
  directory: string,
  { plan, meta, report = [], isFolderGuessed }: Authored,
): Promise<Pick<PlanDocument, 'authors' | 'sourceUrl'>> {
  if (!report.some(name => /\.(?:md|html)$/i.test(name))) return {}
  const place = { directory, env }
  const authors = await declarationAuthors(place, plan, meta, isFolderGuessed)
  const { commit, dirty } = meta
  // In a guessed folder, only authors show that it has the files of the plan.
  const isAsCommitted = dirty === false && (!isFolderGuessed || authors.size > 0)
  const sourceUrl = commit !== undefined && isAsCommitted ? await readSourceUrl(place, commit) : undefined
  return { authors, ...(sourceUrl === undefined ? {} : { sourceUrl }) }
}

/**
 * Who last changed the declaration of each planned object, by address: the author of its newest line. Unknown
 * in a folder with local changes, since lines may have moved, and beyond the end of a shallow clone.
 */
async function declarationAuthors(
  place: GitFolder,
  { changes, blocked }: Pick<Plan, 'changes' | 'blocked'>,
  { commit, dirty }: Pick<PlanMeta, 'commit' | 'dirty'>,
  isFolderGuessed = false,
): Promise<Authors> {
  if (commit === undefined || dirty !== false) return new Map()
  const declared = [...changes, ...blocked].flatMap(({ address, source }) =>
    source ? [{ address, source }] : [],
  )
  const files = [...new Set(declared.map(({ source }) => source.file))]
  if (files.length === 0 || files.length > mostFiles) return new Map()
  const reachesBack = (await isShallow(place)) === false
  // Not by date: a rebase keeps dates, and commits may have the same second.
  const order = await commitOrder(place, commit)
  const depth = ({ commit: of }: AuthoredLine) => order.get(of) ?? order.size
  const read = new Map<string, readonly AuthoredLine[]>()
  for (const file of files) {
    const lines = (await lineAuthors(place, commit, file)) ?? []
    const isOfOthers =
      isFolderGuessed &&
      !namesAll(
        lines,
        declared.filter(({ source }) => source.file === file),
      )
    read.set(file, isOfOthers ? [] : lines)
  }
  return new Map(
    declared.flatMap(({ address, source }): [string, Author][] => {
      const lines = declarationAt(source, read.get(source.file) ?? [])
      const [newest] = [...lines].sort((left, right) => depth(left) - depth(right))
      if (!newest || (newest.isBoundary && !reachesBack)) return []
      return [[address, { name: newest.author, commit: newest.commit, at: newest.at }]]
    }),
  )
}

interface Declared {
  readonly address: string
  readonly source: Source
}

/** Whether each line contains the name of its object. Grants are skipped: lists declare them. */
function namesAll(lines: readonly AuthoredLine[], declared: readonly Declared[]): boolean {
  return declared.every(
    ({ address, source: { line } }) =>
      parentAddress(address) !== undefined ||
      lines[line - 1]?.text.includes(address.slice(address.indexOf('.') + 1)) === true,
  )
}

/** The lines of a declaration: the line of its key, and the following deeper lines. */
function declarationAt({ line }: Source, lines: readonly AuthoredLine[]): readonly AuthoredLine[] {
  const [first, ...rest] = lines.slice(line - 1)
  if (!first) return []
  const end = rest.findIndex(({ text }) => text.trim() !== '' && indentOf(text) <= indentOf(first.text))
  return [first, ...(end === -1 ? rest : rest.slice(0, end))]
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}
