import type { Plan } from '../../core/change.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { type AuthoredLine, commitOrder, isShallow, lineAuthors } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { parentAddress } from '../../kinds/index.ts'
import type { Source } from '../../model/problem.ts'
import type { Author, Authors } from '../../report/document.ts'
import type { Host } from '../host/host.ts'

/** So many files are asked for at the most: a plan that touches more is no request of one person. */
const mostFiles = 40

/** A plan, or what a command carries out of one, with the commit that its declarations were read at. */
export interface Authored {
  readonly plan: Pick<Plan, 'changes' | 'blocked'>
  readonly meta: Pick<PlanMeta, 'commit' | 'dirty'>
  /** Where the reports of a command go. */
  readonly report?: readonly string[] | undefined
  /** Nobody says that the files were read in this folder, so lines that do not name their objects are those of others. */
  readonly isFolderGuessed?: boolean
}

/** The authors for a document; git is asked only for the reports that reviewers read, which alone name them. */
export async function authorsForReports(
  { env }: Pick<Host, 'env'>,
  directory: string,
  { plan, meta, report = [], isFolderGuessed }: Authored,
): Promise<{ readonly authors?: Authors }> {
  if (!report.some(name => /\.(?:md|html)$/i.test(name))) return {}
  return { authors: await declarationAuthors({ directory, env }, plan, meta, isFolderGuessed) }
}

/**
 * Who last changed the declaration of what a plan would do, by address: the newest of its lines. Nobody is named where the
 * folder holds anything else than the commit, whose lines could be others, and where a shallow clone does not reach back.
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
  // Dates say little: a rebase leaves them, and several commits may be of one second.
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

/** Whether each object stands where it is said to, but for grants, which lists of roles declare. */
function namesAll(lines: readonly AuthoredLine[], declared: readonly Declared[]): boolean {
  return declared.every(
    ({ address, source: { line } }) =>
      parentAddress(address) !== undefined ||
      lines[line - 1]?.text.includes(address.slice(address.indexOf('.') + 1)) === true,
  )
}

/** The lines of a declaration: that of its key, and those behind it that stand further in. */
function declarationAt({ line }: Source, lines: readonly AuthoredLine[]): readonly AuthoredLine[] {
  const [first, ...rest] = lines.slice(line - 1)
  if (!first) return []
  const end = rest.findIndex(({ text }) => text.trim() !== '' && indentOf(text) <= indentOf(first.text))
  return [first, ...(end === -1 ? rest : rest.slice(0, end))]
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}
