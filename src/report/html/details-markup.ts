import type { SideCell, SideRow, SideTable } from '../../targeting/index.ts'
import type { Details, FileDetails } from './details.ts'

/**
 * The markup for both sides of a change. The page's script also calls this with stored data, so this file
 * depends on neither.
 */
export function detailsMarkup({ tables, files }: Details): Markup {
  return html`${tables.map(tableMarkup)}${files.map(fileMarkup)}`
}

/** A run of unchanged parts is shown in full up to this number. */
const mostSame = 3

function tableMarkup({ title, rows }: SideTable): Markup {
  const sides = (['before', 'after'] as const).filter(side => rows.some(row => row[side] !== undefined))
  const head = sides.map(side => html`<th scope="col">${sideWords[side]}</th>`)
  return html`<table class="sides sides-${sides.length}"><caption>${title}</caption>
<thead><tr><th scope="col"><span class="unseen">What happens</span></th>${head}</tr></thead>
<tbody>${runsOf(rows).map(run => runMarkup(run, sides))}</tbody></table>
`
}

/** Groups rows: unchanged rows that follow each other form one run. */
function runsOf(rows: readonly SideRow[]): readonly (readonly SideRow[])[] {
  const runs: SideRow[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.[0] && isQuiet(row) && isQuiet(last[0])) last.push(row)
    else runs.push([row])
  }
  return runs
}

function isQuiet({ isSame, isMoved }: SideRow): boolean {
  return isSame && !isMoved
}

const sideWords = { before: 'Before', after: 'After' } as const

type Sides = readonly ('before' | 'after')[]

function runMarkup(run: readonly SideRow[], sides: Sides): Part {
  if (run.length <= mostSame) return run.map(row => rowMarkup(row, sides))
  return html`<tr class="same"><th scope="row">${words.same}</th><td colspan="${sides.length}">${run.length} unchanged parts</td></tr>`
}

const words = {
  same: 'same',
  changed: 'changed',
  moved: 'moved',
  added: 'added',
  removed: 'removed',
} as const

function verdictOf({ before, after, isSame, isMoved }: SideRow): keyof typeof words {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  return isSame ? (isMoved ? 'moved' : 'same') : 'changed'
}

function rowMarkup(row: SideRow, sides: Sides): Markup {
  const verdict = verdictOf(row)
  const cells = sides.map(side => cellMarkup(row[side], { side, head: sideWords[side] }, row))
  return html`<tr class="${verdict}"><th scope="row">${words[verdict]}</th>${cells}</tr>
`
}

function cellMarkup(
  cell: SideCell | undefined,
  { side, head }: { readonly side: Sides[number]; readonly head: string },
  { before, after, isSame }: SideRow,
): Markup {
  if (!cell) return html`<td class="none"><span class="unseen">nothing</span></td>`
  const other = side === 'before' ? after : before
  const mark = (text: string, isNamed: boolean): Part => {
    if (isSame || !other || isNamed) return text
    return side === 'before' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`
  }
  const { name, lines, share, percent, isUpTo } = cell
  const kept = new Set(other?.lines.map(bare))
  const shared =
    share === undefined
      ? undefined
      : html`<span class="share">${mark(share, other?.share === share)}</span>${percent === undefined ? undefined : barMarkup({ most: percent, sure: isUpTo ? 0 : percent })}`
  const marked = lines.map(line => html`<span class="line">${mark(line, kept.has(bare(line)))}</span>`)
  return html`<td data-side="${head}"><span class="part"><b>${name}</b> ${shared}</span>${marked}</td>`
}

/** A line of JSON without the comma of its list. */
function bare(line: string): string {
  return line.replace(/,$/, '')
}

/**
 * A bar for a percentage: solid for the share that everybody gets, hatched for the rest. It is decoration only,
 * because the number is next to it.
 */
export function barMarkup({ sure, most }: { readonly sure: number; readonly most: number }): Markup {
  const [solid, whole] = [sure, most].map(percent => Math.min(100, Math.max(0, percent)))
  return html`<svg class="bar" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="fill" width="${solid}" height="8"></rect><rect class="rail" x="${whole}" width="${100 - (whole ?? 0)}" height="8"></rect></svg>`
}

const signs = { same: ' ', removed: '-', added: '+' } as const

function fileMarkup({ name, note, hunks }: FileDetails): Markup {
  const lines = hunks.map(({ title, lines }) => [
    html`<span class="hunk">${title}</span>\n`,
    lines.map(({ is, line }) => html`<span class="${is}">${signs[is]}${line}</span>\n`),
  ])
  const code =
    hunks.length === 0
      ? undefined
      : html`<pre tabindex="0" role="group" aria-label="Source ${name}"><code>${lines}</code></pre>`
  return html`<figure class="source"><figcaption>Source <code>${name}</code></figcaption>
${code}${note === undefined ? undefined : html`<p class="quiet">${note}</p>`}</figure>
`
}

/** Text that is already HTML. The type ensures that all other text is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = Markup | string | number | undefined | readonly Part[]

/** A template tag for HTML. It escapes values for elements and for attributes in double quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(literals.map((literal, at) => `${literal}${written(values[at])}`).join(''))
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
