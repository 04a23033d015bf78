import type { Plan } from '../../core/change.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { type AuthoredLine, commitOrder, isShallow, lineAuthors } from '../../git/line-authors.ts'
import type { GitFolder } from '../../git/run-git.ts'
import type { Source } from '../../model/problem.ts'
import type { Author, Authors } from '../../report/document.ts'

/** So many files are asked for at the most: a plan that touches more is no request of one person. */
const mostFiles = 40

/**
 * Who last changed the declaration of what a plan would do, by address: the newest of its lines. Nobody is named where the
 * folder holds anything else than the commit, whose lines could be others, and where a shallow clone does not reach back.
 */
export async function declarationAuthors(
  place: GitFolder,
  { changes, blocked }: Pick<Plan, 'changes' | 'blocked'>,
  { commit, dirty }: Pick<PlanMeta, 'commit' | 'dirty'>,
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
  for (const file of files) read.set(file, (await lineAuthors(place, commit, file)) ?? [])
  return new Map(
    declared.flatMap(({ address, source }): [string, Author][] => {
      const lines = declarationAt(source, read.get(source.file) ?? [])
      const [newest] = [...lines].sort((left, right) => depth(left) - depth(right))
      if (!newest || (newest.isBoundary && !reachesBack)) return []
      return [[address, { name: newest.author, commit: newest.commit, at: newest.at }]]
    }),
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
