import { type Item, type Line, plainText } from '../lines/report.ts'
import { counted, placeOf } from '../object-names.ts'
import { clip, fenced } from './inline.ts'

/** So many lines of an item are shown in its place at the most. */
const mostLines = 8

/** An item as a cell of a table has room for it, and what stands beneath the table. */
export interface SplitItem {
  readonly inCell: readonly Line[]
  readonly beneath: readonly Beneath[]
}

export interface Beneath {
  readonly language: 'diff' | 'text'
  /** What of the item it is: `index.ts`, `9 more lines`. */
  readonly title: string
  readonly lines: readonly string[]
}

/**
 * Parts what a reader takes in at a glance from what is read as a block: differences of source files, and the lines of a
 * long list after its first ones.
 */
export function splitItem(item: Item): SplitItem {
  const { lines, sources } = sourcesOf(item.lines)
  const left = lines.slice(lines.length <= mostLines + 1 ? lines.length : mostLines)
  const rest: Beneath[] =
    left.length === 0
      ? []
      : [
          {
            language: 'text',
            title: counted(left.length, 'more line'),
            lines: left.map(({ words, source }) =>
              [plainText(words), ...(source ? [placeOf(source)] : [])].join('  '),
            ),
          },
        ]
  return { inCell: firstLines({ lines }), beneath: [...sources, ...rest] }
}

/** The first lines; remedies are among them, whatever else there is. */
export function firstLines({ lines }: Pick<Item, 'lines'>): readonly Line[] {
  // To say that there is one more takes as much room as that one.
  if (lines.length <= mostLines + 1) return lines
  const remedies = lines.filter(({ is }) => is === 'remedy').slice(0, mostLines / 2)
  const others = lines.filter(({ is }) => is !== 'remedy')
  const shown = others.slice(0, mostLines - remedies.length)
  const left = lines.length - shown.length - remedies.length
  const more: Line = { is: 'detail', words: [{ text: `and ${counted(left, 'more line')}` }] }
  return [...shown, more, ...remedies]
}

/** A block that is unfolded by a click. Nothing in a name or in a line is read as anything else, or pings anybody. */
export function beneathText({ name }: Item, { language, title, lines }: Beneath): string {
  const summary = `<summary><code>${htmlText(clip(`${name}: ${title}`))}</code></summary>`
  return ['<details>', summary, '', fenced(lines.map(clip).join('\n'), language), '', '</details>', ''].join(
    '\n',
  )
}

export function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The difference of a source file stands below the line that names the file, further in. */
function sourcesOf(all: readonly Line[]): {
  readonly lines: readonly Line[]
  readonly sources: readonly Beneath[]
} {
  const lines: Line[] = []
  const sources: { language: 'diff'; title: string; lines: string[] }[] = []
  let open: (typeof sources)[number] | undefined
  for (const line of all) {
    const text = plainText(line.words)
    if (open && text.startsWith('  ')) {
      open.lines.push(text.slice(2))
      continue
    }
    const [, title] = /^source (.*) (?:added|changed|removed): /.exec(text) ?? []
    open = title === undefined ? undefined : { language: 'diff', title, lines: [] }
    if (open) sources.push(open)
    lines.push(line)
  }
  return { lines, sources: sources.filter(({ lines }) => lines.length > 0) }
}
