import type { Plan } from '../../core/change.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { type AuthoredLine, commitOrder, isShallow, lineAuthors } from '../../git/files.ts'
import type { GitFolder } from '../../git/run.ts'
import { parentAddress } from '../../kinds/index.ts'
import type { Source } from '../../model/problem.ts'
import type { Author, Authors } from '../../report/document.ts'
import type { Host } from '../host/host.ts'

/** The largest number of files to ask git about. A plan that touches more is not one person's request. */
const mostFiles = 40

/** A plan, or the part that a command applies, with the commit of its declarations. */
export interface Authored {
  readonly plan: Pick<Plan, 'changes' | 'blocked'>
  readonly meta: Pick<PlanMeta, 'commit' | 'dirty'>
  /** The reports of a command. */
  readonly report?: readonly string[] | undefined
  /** The files may be from another folder, so lines that do not name their objects are ignored. */
  readonly isFolderGuessed?: boolean
}

/** The authors for a document. Only reports for reviewers name them, so only those ask git. */
export async function authorsForReports(
  { env }: Pick<Host, 'env'>,
  directory: string,
  { plan, meta, report = [], isFolderGuessed }: Authored,
): Promise<{ readonly authors?: Authors }> {
  if (!report.some(name => /\.(?:md|html)$/i.test(name))) return {}
  return { authors: await declarationAuthors({ directory, env }, plan, meta, isFolderGuessed) }
}

/**
 * Who last changed the declaration of each planned change, by address: the author of its newest line. Unknown
 * if the folder differs from the commit, since lines may have moved, and beyond the end of a shallow clone.
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
  // Dates are not reliable: a rebase keeps them, and several commits may have the same second.
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

/** Whether each object is at its recorded line. Grants are exempt, since lists of roles declare them. */
function namesAll(lines: readonly AuthoredLine[], declared: readonly Declared[]): boolean {
  return declared.every(
    ({ address, source: { line } }) =>
      parentAddress(address) !== undefined ||
      lines[line - 1]?.text.includes(address.slice(address.indexOf('.') + 1)) === true,
  )
}

/** The lines of a declaration: the line of its key, and the lines after it with a deeper indent. */
function declarationAt({ line }: Source, lines: readonly AuthoredLine[]): readonly AuthoredLine[] {
  const [first, ...rest] = lines.slice(line - 1)
  if (!first) return []
  const end = rest.findIndex(({ text }) => text.trim() !== '' && indentOf(text) <= indentOf(first.text))
  return [first, ...(end === -1 ? rest : rest.slice(0, end))]
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}
