import {
  diffLines,
  type Hunk,
  hunksOf,
  hunkTitle,
  type LineEdit,
  lineSigns,
  linesOf,
  withoutEnd,
} from '../../../model/text/line-diff.ts'
import { shortenPair, visible } from '../../../targeting/index.ts'

type Files = Readonly<Record<string, string | null>>

/** The most lines of a difference that are shown of one file; how many more there are is said. */
const mostLines = 24
const longestLine = 120

/**
 * What happens to source files: a small unified difference of each, with counts. `before` is undefined where the
 * service does not show them.
 */
export function fileSummary(files: Files, before: Files | undefined): string[] {
  return Object.keys(files)
    .sort()
    .flatMap(name => wordsOf(visible(name), before, before?.[name] ?? null, files[name] ?? null))
}

function wordsOf(
  name: string,
  known: Files | undefined,
  was: string | null,
  becomes: string | null,
): string[] {
  const [left, right] = [linesOf(was), linesOf(becomes)]
  if (!known) {
    return becomes === null
      ? [`source ${name} removed, which the service does not show`]
      : [`source ${name} written: ${counted(right.length)}, over what the service does not show`]
  }
  const edits = diffLines(left, right)
  if (was === null) return [`source ${name} added: ${counted(right.length)}`, ...limited(changedLines(edits))]
  if (becomes === null)
    return [`source ${name} removed: ${counted(left.length)}`, ...limited(changedLines(edits))]
  const count = (is: LineEdit['is']) => edits.filter(edit => edit.is === is).length
  const title = `source ${name} changed: ${counted(count('added'))} added, ${count('removed')} removed`
  return [title, ...limited(hunksOf(edits).flatMap(hunkLines))]
}

function hunkLines(hunk: Hunk): string[] {
  return [hunkTitle(hunk), ...changedLines(hunk.edits)]
}

/** Lines with their signs; of long ones that take each other's place, the part in which they differ. */
function changedLines(edits: readonly LineEdit[]): string[] {
  const partners = partnersOf(edits)
  return edits.map(({ is, line }, at) => {
    const partner = edits[partners.get(at) ?? at]?.line ?? line
    const [shown] = shortenPair(line.replace(withoutEnd, ''), partner.replace(withoutEnd, ''), longestLine)
    const end = line.endsWith(withoutEnd) ? ', without a line end' : ''
    // A tab is part of source code, and whoever shows the line says how.
    const safe = shown.text.split('\t').map(visible).join('\t')
    return `${lineSigns[is]}${safe}${shown.note}${end}`
  })
}

/** By place: which added line stands for which removed one, the first for the first. */
function partnersOf(edits: readonly LineEdit[]): Map<number, number> {
  const partners = new Map<number, number>()
  let waiting: number[] = []
  edits.forEach(({ is }, at) => {
    if (is === 'removed') waiting.push(at)
    const partner = is === 'added' ? waiting.shift() : undefined
    if (is === 'same') waiting = []
    if (partner === undefined) return
    partners.set(at, partner)
    partners.set(partner, at)
  })
  return partners
}

function limited(lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostLines).map(line => `  ${line}`)
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `  … and ${counted(more).replace(' ', ' more ')} of this difference`]
}

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`
}
