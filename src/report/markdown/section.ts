import { peopleBeside } from '../lines/people.ts'
import { type Item, type Line, type People, plainText, type Report, type Section } from '../lines/report.ts'
import { counted, placeOf } from '../object-names.ts'
import { beneathText, firstLines, htmlText, splitItem } from './beneath.ts'
import { code, codeCell, inline, inlineCell, sentence } from './inline.ts'
import type { Rows } from './share-room.ts'

/** What people have to look at stands open; the rest is folded. */
export function isFolded({ is, risk }: Section): boolean {
  switch (is) {
    case 'changes':
      return risk === 'low'
    case 'not_compared':
    case 'unchanged':
    case 'outcomes':
    case 'coverage':
    case 'passed_tests':
      return true
    default:
      return false
  }
}

/** Who answers for objects, and who asked for all of it where that is one. */
interface Whose {
  readonly people: Report['people']
  readonly forAll: string | undefined
}

/** The items of a section, a row each: of a table for changes and comparisons, of a list for everything else. */
export function rowsOf(section: Section, { people = new Map<string, People>(), forAll }: Whose): Rows {
  const { items } = section
  const write = (item: Item) => {
    const known = people.get(item.address ?? '')
    const whose = known ? peopleBeside(known, forAll) : []
    return isTable(section) ? tableRow(item, whose) : listRow(item, whose)
  }
  const row = (index: number) =>
    items
      .slice(index, index + 1)
      .map(write)
      .join('')
  return { count: items.length, row }
}

/** What stands beneath the table of a section, a block each. */
export function blocksOf(section: Section): Rows {
  const blocks = isTable(section)
    ? section.items.flatMap(item => splitItem(item).beneath.map(beneath => ({ item, beneath })))
    : []
  const row = (index: number) =>
    blocks
      .slice(index, index + 1)
      .map(({ item, beneath }) => beneathText(item, beneath))
      .join('')
  return { count: blocks.length, row }
}

/** A section with some of its rows, of which the others are counted, and of the blocks beneath them. */
export function sectionText(section: Section, rows: readonly string[], blocks: readonly string[]): string {
  const { items, title, counts } = section
  const left = items.length - rows.length
  const shown = rows.length === 0 ? [] : [...(isTable(section) ? tableHead(section) : []), ...rows, '']
  const more =
    left > 0
      ? [
          `_${shown.length === 0 ? '' : 'and '}${left}${shown.length === 0 ? '' : ' more'}, not shown here_`,
          '',
        ]
      : []
  const body = [...shown, ...more, ...blocks]
  if (!isFolded(section)) return [...(title === '' ? [] : [`#### ${inline(title)}`, '']), ...body].join('\n')
  const summary = counts ?? `${counted(items.length, 'object')}: ${summaries[title] ?? title.toLowerCase()}`
  return ['<details>', `<summary>${htmlText(summary)}</summary>`, '', ...body, '</details>', ''].join('\n')
}

const summaries: Readonly<Record<string, string>> = { '': 'how each came out' }

function isTable({ is }: Section): boolean {
  return is === 'changes' || is === 'comparison'
}

function tableHead({ is, columns = [] }: Section): string[] {
  const heads =
    is === 'comparison'
      ? ['', 'Object', ...columns.map(inlineCell), 'Difference']
      : ['', 'Change', 'What happens', 'From']
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`]
}

function tableRow(item: Item, whose: readonly string[]): string {
  const { sign, name, remark, cells } = item
  const place = placeOf(item.source)
  const lines = [
    ...(remark === undefined ? [] : [inlineCell(remark)]),
    ...splitItem(item).inCell.map((line, index, all) => cellLine(line, all[index - 1])),
  ]
  const ends =
    cells === undefined
      ? [lines.join('<br>'), [codeCell(place), ...whose.map(inlineCell)].filter(Boolean).join('<br>')]
      : [...cells.map(inlineCell), lines.join('<br>')]
  return `| ${[codeCell(sign?.text ?? ''), codeCell(name), ...ends].join(' | ')} |`
}

function cellLine(line: Line, before: Line | undefined): string {
  const { words, depth = 0 } = line
  const place = line.source ? ` ${codeCell(placeOf(line.source))}` : ''
  return `${'&emsp;'.repeat(depth)}${leadOf(line, before)}${inlineCell(plainText(words))}${place}`
}

function listRow(item: Item, whose: readonly string[]): string {
  const { sign, name, became, because, remark, path } = item
  const place =
    path === undefined ? placeOf(item.source) : placeOf(item.source && { ...item.source, file: path })
  const head = [
    ...(sign === undefined ? [] : [code(sign.text)]),
    `**${code(name)}**`,
    ...(became === undefined ? [] : [inline(became.text)]),
    ...(because === undefined ? [] : [inline(because)]),
    ...(remark === undefined ? [] : [inline(remark)]),
    ...(place === '' ? [] : [code(place)]),
    ...whose.map(inline),
  ].join(' ')
  const lines = firstLines(item).map(
    (line, index, all) =>
      `${'  '.repeat((line.depth ?? 0) + 1)}- ${leadOf(line, all[index - 1])}${writtenOf(line)}`,
  )
  return [`- ${head}`, ...lines].join('\n')
}

/** Ways to go on are sentences of ours with commands in them. */
function writtenOf({ is, words }: Line): string {
  return is === 'remedy' ? sentence(plainText(words)) : inline(plainText(words))
}

function leadOf({ is }: Line, before: Line | undefined): string {
  if (is === 'remedy') return before?.is === is ? 'or: ' : 'to go on: '
  return is === 'would' ? 'would: ' : ''
}
