import type { Action } from '../core/change.ts'
import type { Document } from './document.ts'
import { type Format, joinPieces, type View } from './format.ts'
import { counted, placeOf, signs, someOf } from './line-text.ts'
import { commitParts, madeLines } from './lines/place-words.ts'
import {
  declaredByAll,
  firstLooks,
  type HeadlineParts,
  type Item,
  isGreat,
  type Lead,
  type Line,
  type People,
  peopleBeside,
  type Report,
  type ReportPlace,
  type Section,
} from './lines/report.ts'
import { reportOf } from './lines/report-of.ts'
import { text } from './text.ts'

/** GitHub limits a comment to 65,536 characters, and a pipeline may add text of its own. */
export const mostCharacters = 60_000

/** Characters reserved for a section's title, the head of its table and the number of omitted rows. */
const sectionRoom = 500

/**
 * Markdown for a comment on a pull request, or for an issue. It starts with whether the plan is safe and with
 * alerts, then the riskiest changes. The rest is folded. What does not fit is counted. The first line
 * identifies the comment, so that a pipeline can find and replace it: `<!-- vexil:plan:production -->`.
 */
export const markdown: Format = {
  render: (document, view) => [{ text: markdownOf(document, view) }],
}

function markdownOf(document: Document, view: View): string {
  const report = reportOf(document, {
    isVerbose: view.isVerbose,
    isForReview: true,
    foldsGrants: !view.isVerbose,
  })
  if (!report) return fencedText(document, view)
  const head = [markerOf(document, report, view), ...headLines(report)].join('\n')
  const end = endLines(report).join('\n')
  const sections = report.sections.filter(({ items }) => items.length > 0)
  const room = mostCharacters - head.length - end.length - sectionRoom * sections.length
  const forAll = declaredByAll(report)
  const shown = shareRoom(
    sections.map(section => rowsOf(section, { people: report.people, forAll })),
    room,
  )
  const used = shown.flat().reduce((sum, row) => sum + row.length + 1, 0)
  // Blocks below a table only add details, so all rows get space first.
  const beneath = shareRoom(sections.map(blocksOf), Math.max(0, room - used))
  const body = sections.map((section, at) => sectionText(section, shown[at] ?? [], beneath[at] ?? []))
  return `${[head, ...body, end].join('\n').trimEnd()}\n`
}

/** An HTML comment, which is invisible. */
function markerOf(document: Document, { place: { environment } }: Report, { part = [] }: View): string {
  const parts = [commandOf(document), ...(environment === undefined ? part : [environment])]
  // Percent-encoding removes characters that would end or change the comment.
  return `<!-- vexil:${parts.map(part => encodeURIComponent(part).replaceAll('--', '-%2D')).join(':')} -->`
}

function commandOf(document: Document): string {
  switch (document.is) {
    case 'saved_plan':
      return 'plan'
    case 'run':
    case 'environments':
      return document.command
    case 'comparison':
      return 'compare'
    case 'validation':
      return 'validate'
    case 'tests':
      return 'test'
    case 'failure':
      return document.command === 'show' ? 'plan' : (document.command ?? 'failure')
    default:
      return document.is
  }
}

/** A document without objects looks the same as on a terminal. */
function fencedText(document: Document, view: View): string {
  const plain = joinPieces(text.render(document, { ...view, isColourful: false })).slice(
    0,
    mostCharacters - sectionRoom,
  )
  return `<!-- vexil:${document.is} -->\n${fenced(plain.trimEnd(), 'text')}\n`
}

/** The largest number of alerts. Each alert is also shown with its change. */
const mostAlerts = 20

/** The part above the sections: title, alerts, counts, and what to read first. */
export function headLines(report: Report): string[] {
  const { alerts, counts, notes, asides = [] } = report
  const left = alerts.length - mostAlerts
  const shown = alerts.slice(0, mostAlerts).map(alert => `> - ${code(alert)}`)
  const more = left > 0 ? [`> - and ${left} more`] : []
  return [
    ...titleLines(report),
    ...(alerts.length > 0 ? ['> [!CAUTION]', ...shown, ...more, ''] : []),
    ...(counts.length > 0 ? [counts.map(({ text: words }) => inlineCount(words)).join(', '), ''] : []),
    ...[...notes, ...asides].flatMap(note => [inline(note), '']),
    ...leadLines(report),
    ...keyLines(report),
  ]
}

/** The part below the sections. */
export function endLines({ headline, place, reading = [], closing, risk, next }: Report): string[] {
  const hasParts = headline?.parts !== undefined
  const made = madeLines({ headline, reading })
  const facts = hasParts
    ? []
    : [
        ...reading.map(line => inline(line)),
        ...commitWords(place).map(words => `Commit ${words}`),
        ...(risk === undefined ? [] : [`Highest risk: **${risk}**`]),
      ]
  const folded =
    hasParts && made.length > 0
      ? [
          '<details>\n<summary>How it was made</summary>',
          made.map(line => `- ${inline(line)}`).join('\n'),
          '</details>',
        ]
      : []
  return [
    ...closing.map(line => inline(line)),
    ...facts,
    ...folded,
    ...(next === undefined ? [] : [`Next: ${code(next)}`]),
  ].flatMap(line => [line, ''])
}

function titleLines({ headline, place }: Report): string[] {
  if (!headline) return []
  const { verdict, about, parts } = headline
  if (!parts) return [`### ${inline(verdict)}: ${inline(about)}`, '']
  const where = [...parts.place.map(inline), ...commitWords(place).map(words => `commit ${words}`)].join(', ')
  return [`### ${titleOf(parts)}: ${inline(verdict)}`, '', ...(where === '' ? [] : [where, ''])]
}

function titleOf({ what, name }: HeadlineParts): string {
  return name === undefined ? inline(what) : `${inline(what)} **${inline(name)}**`
}

function commitWords(place: ReportPlace): string[] {
  const parts = commitParts(place)
  return parts === undefined ? [] : [`${code(parts.short)}${parts.remark}`]
}

function leadLines(report: Report): string[] {
  const { leads, moreLeads, sections } = firstLooks(report)
  const looks = [
    ...leads.map(leadLine),
    ...(moreLeads > 0 ? [`- and ${moreLeads} more, below`] : []),
    ...sections.map(({ count: { number, what }, items, more }) => {
      const names = items.map(({ name }) => code(name)).join(', ')
      return `- ${number} ${inline(what)}: ${names}${more > 0 ? ` and ${more} more` : ''}`
    }),
  ]
  return looks.length === 0 ? [] : ['**Look at these first**', '', ...looks, '']
}

function leadLine({ risk, about, reason, objects = [] }: Lead): string {
  const great = isGreat(risk) ? `**${risk.toUpperCase()}** ` : ''
  const { shown, more } = someOf(objects.map(({ name }) => name))
  const of = shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`
  return `- ${great}${code(about.name)}: ${inline(`${reason}${of}`)}`
}

/** The meaning of the used signs, and facts about all objects, a line each. They come before the tables. */
function keyLines({ sections, people = new Map() }: Report): string[] {
  const shown = new Set(
    sections.flatMap(({ is, items }) => (is === 'changes' ? items.map(({ sign }) => sign?.text ?? '') : [])),
  )
  const meanings = Object.entries(signs).flatMap(([action, sign]) =>
    // The keys of this table are the actions.
    shown.has(sign) ? [`${code(sign)} ${signMeanings[action as Action]}`] : [],
  )
  const author = declaredByAll({ sections, people })
  return [
    ...(author === undefined ? [] : [`All objects were last declared by ${inline(author)}.`, '']),
    ...(meanings.length === 0 ? [] : [`_Signs: ${meanings.join(', ')}_`, '']),
  ]
}

const signMeanings: Readonly<Record<Action, string>> = {
  create: 'is new',
  update: 'changes',
  claim: 'gets the ownership tag',
  restore: 'is restored',
  delete: 'goes',
}

/** Formats a count, which starts with a number. */
function inlineCount(words: string): string {
  const [, number, rest] = /^(\d+) (.*)$/.exec(words) ?? []
  return rest === undefined ? inline(words) : `${number} ${inline(rest)}`
}

/** Whether a section starts folded. Sections that people must read are open. */
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

/** The owners of objects, and the author if one person made all changes. */
interface Whose {
  readonly people: Report['people']
  readonly forAll: string | undefined
}

/** The items of a section: table rows for changes and comparisons, list entries for the others. */
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

/** The blocks below a section's table. */
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

/** A section with some of its rows and blocks. The omitted ones are counted. */
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

const summaries: Readonly<Record<string, string>> = { '': 'result of each object' }

function isTable({ is }: Section): boolean {
  return is === 'changes' || is === 'comparison'
}

function tableHead({
  is,
  columns = [],
  heads: [names, lines] = ['Object', 'Difference'],
}: Section): string[] {
  const heads =
    is === 'comparison'
      ? ['', names, ...columns.map(inlineCell), lines]
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
  return `${'&emsp;'.repeat(depth)}${leadOf(line, before)}${inlineCell(joinPieces(words))}${place}`
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

/** A remedy is a sentence with commands in backticks. */
function writtenOf({ is, words }: Line): string {
  return is === 'remedy' ? sentence(joinPieces(words)) : inline(joinPieces(words))
}

function leadOf({ is }: Line, before: Line | undefined): string {
  if (is === 'remedy') return before?.is === is ? 'or: ' : 'to go on: '
  return is === 'would' ? 'would: ' : ''
}

/** The largest number of lines directly in an item's row. */
const mostLines = 8

/** The part of an item for a table cell, and the blocks below the table. */
export interface SplitItem {
  readonly inCell: readonly Line[]
  readonly beneath: readonly Beneath[]
}

export interface Beneath {
  readonly language: 'diff' | 'text'
  /** The title of a block: `index.ts`, `9 more lines`. */
  readonly title: string
  readonly lines: readonly string[]
}

/** Separates short lines from longer blocks: differences of source files, and the end of a long list. */
function splitItem(item: Item): SplitItem {
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
              [joinPieces(words), ...(source ? [placeOf(source)] : [])].join('  '),
            ),
          },
        ]
  return { inCell: firstLines({ lines }), beneath: [...sources, ...rest] }
}

/** The first lines. Remedies are always included. */
function firstLines({ lines }: Pick<Item, 'lines'>): readonly Line[] {
  // A note about one more line takes as much space as the line itself.
  if (lines.length <= mostLines + 1) return lines
  const remedies = lines.filter(({ is }) => is === 'remedy').slice(0, mostLines / 2)
  const others = lines.filter(({ is }) => is !== 'remedy')
  const shown = others.slice(0, mostLines - remedies.length)
  const left = lines.length - shown.length - remedies.length
  const more: Line = { is: 'detail', words: [{ text: `and ${counted(left, 'more line')}` }] }
  return [...shown, more, ...remedies]
}

/** A foldable block. Names and lines inside have no Markdown meaning and mention no one. */
function beneathText({ name }: Item, { language, title, lines }: Beneath): string {
  const summary = `<summary><code>${htmlText(clip(`${name}: ${title}`))}</code></summary>`
  return ['<details>', summary, '', fenced(lines.map(clip).join('\n'), language), '', '</details>', ''].join(
    '\n',
  )
}

function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Separates the difference of a source file, which is indented below the line that names the file. */
function sourcesOf(all: readonly Line[]): {
  readonly lines: readonly Line[]
  readonly sources: readonly Beneath[]
} {
  const lines: Line[] = []
  const sources: { language: 'diff'; title: string; lines: string[] }[] = []
  let open: (typeof sources)[number] | undefined
  for (const line of all) {
    const text = joinPieces(line.words)
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

/** A list of rows that may be shown only in part. */
interface Rows {
  readonly count: number
  /** The text of a row. It is called only while there is space. */
  readonly row: (index: number) => string
}

/**
 * Chooses the rows to show from several lists, within a total number of characters. Each list starts with the
 * same share, so that a long list does not displace the others. The remaining characters go to the first
 * lists that need them.
 */
export function shareRoom(lists: readonly Rows[], room: number): readonly (readonly string[])[] {
  const share = Math.floor(room / Math.max(1, lists.length))
  const shown = lists.map(list => fill(list, [], share))
  let left = room - shown.flat().reduce((sum, row) => sum + lengthOf(row), 0)
  return lists.map((list, index) => {
    const before = shown[index] ?? []
    const all = fill(list, before, left)
    left -= all.slice(before.length).reduce((sum, row) => sum + lengthOf(row), 0)
    return all
  })
}

function fill({ count, row }: Rows, before: readonly string[], room: number): readonly string[] {
  const rows = [...before]
  let left = room
  for (let index = before.length; index < count; index += 1) {
    const next = row(index)
    left -= lengthOf(next)
    if (left < 0) break
    rows.push(next)
  }
  return rows
}

/** The length of a row with its line end. */
function lengthOf(row: string): number {
  return row.length + 1
}

/**
 * Formats text for Markdown so that it reads unchanged. Names, descriptions and commands may contain
 * anything, and code hosts interpret a lot: mentions, numbers of issues, commits, web and mail addresses,
 * `:words:` for pictures, HTML. They interpret none of that in code, on GitHub and on GitLab, and people can
 * copy commands. So everything except plain words is written as code.
 */

const longest = 300

/** Formats words as they are, and anything else as code. */
export function inline(text: string): string {
  return isPlainWords(text) ? text : code(text)
}

/**
 * Formats a sentence with commands between backticks. Commands, and parts that are not plain words, become
 * code. A sentence without backticks may itself be a command.
 */
export function sentence(text: string): string {
  if (!text.includes('`')) return inline(text)
  const words = clip(text).split(/ (?=(?:[^`]*`[^`]*`)*[^`]*$)/)
  if (!words.every(isWordOrCommand)) return inline(text)
  const written: string[] = []
  const other: string[] = []
  for (const word of [...words, undefined]) {
    const [, before = '', command = '', after = ''] = aCommand.exec(word ?? '') ?? []
    const isOther = word !== undefined && command === '' && !isPlainWord(word)
    if (!isOther && other.length > 0) written.push(code(other.splice(0).join(' ')))
    if (isOther) other.push(word)
    else if (word !== undefined) written.push(command === '' ? word : `${before}${code(command)}${after}`)
  }
  return written.join(' ')
}

const aCommand = /^(\(?)`([^`]+)`(\)?[,;:.]?)$/

function isWordOrCommand(word: string): boolean {
  return word !== '' && (!word.includes('`') || aCommand.test(word))
}

export function code(text: string): string {
  if (text === '') return ''
  const shown = clip(text)
  const fence = '`'.repeat(longestRun(shown) + 1)
  // Markdown strips one space at each end of code, unless the code is only spaces.
  const pad = /^`|`$|^ .*[^ ].* $/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** Formats text for a table cell, where a bar ends the cell even in code. */
export function inlineCell(text: string): string {
  return isPlainWords(text) ? text : codeCell(text)
}

export function codeCell(text: string): string {
  // A table cannot contain a backslash before a bar, so each one gets its own code.
  return clip(text)
    .split(/(?<=\\)(?=\|)/)
    .map(part => code(part).replaceAll('|', '\\|'))
    .join('<!-- -->')
}

/**
 * Whether every code host shows a text as plain words: letters first, single spaces, and signs only at the
 * end of a word or alone. No word may look like a commit or the number of an issue (`GH-12`).
 */
function isPlainWords(text: string): boolean {
  if (text.length > longest || !/^[A-Za-z]/.test(text)) return false
  return text.split(' ').every(word => word === '->' || isPlainWord(word))
}

function isPlainWord(word: string): boolean {
  if (/^\(?(?=[^a-z]*\d)[0-9a-f]{6,}\W*$/.test(word)) return false
  return /^\(?[A-Za-z0-9]+(?:-[A-Za-z]+)*%?\)?[,;:.]?$/.test(word)
}

/** A code block. Its fence is longer than any fence inside. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function clip(text: string): string {
  if (text.length <= longest) return text
  // Never cuts a surrogate pair.
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
