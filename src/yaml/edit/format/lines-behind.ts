import { columnOf, lineStart, nextLine } from '../splice.ts'
import type { Entry } from '../yaml-tree.ts'

/**
 * Where the lines of an entry of a block end: those of its value, and comments right below them that are indented further than
 * the block: they are about something inside of it.
 */
export function linesBehind(text: string, entry: Entry): number {
  const column = columnOf(text, entry.start)
  let at = nextLine(text, entry.end)
  while (at < text.length) {
    const comment = /^( *)#/.exec(text.slice(at, nextLine(text, at)))
    if (!comment || (comment[1]?.length ?? 0) <= column) return at
    at = nextLine(text, at)
  }
  return at
}

/** Whether nothing stands before an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === ''
}
