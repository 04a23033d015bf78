import type { Document } from '../document.ts'
import { type Format, textOf, type View } from '../format.ts'
import type { Report, SectionKind } from '../lines/report.ts'
import { reportOf } from '../lines/report-of.ts'
import { text } from '../text/text.ts'
import { code, inline } from './inline.ts'
import { rowsOf, sectionText } from './section.ts'
import { shareRoom } from './share-room.ts'

/** A comment on GitHub takes 65,536 characters; a pipeline may add some of its own. */
export const mostCharacters = 60_000

/** So many alerts are shown at the most; each is told with its change as well. */
const mostAlerts = 20

/** Room for the title of a section, the head of its table and the number of what is left out. */
const sectionRoom = 500

/**
 * Markdown for a comment that a pipeline keeps on a pull request, or for an issue: whether it is safe and what nobody may
 * overlook first, then the riskiest changes; what need not be looked at is folded, and what has no room is counted. The
 * first line says which comment it is, so that a pipeline finds the one to replace: `<!-- vexil:plan:production -->`.
 */
export const markdown: Format = {
  render: (document, view) => [{ text: markdownOf(document, view) }],
}

function markdownOf(document: Document, view: View): string {
  const report = reportOf(document, { isVerbose: view.isVerbose })
  if (!report) return fencedText(document, view)
  const head = [...headLines(report, markerOf(document, report, view)), ...leadLines(report)].join('\n')
  const end = endLines(report).join('\n')
  const sections = report.sections.filter(({ items }) => items.length > 0)
  const room = mostCharacters - head.length - end.length - sectionRoom * sections.length
  const shown = shareRoom(
    sections.map(section => rowsOf(section, report.people)),
    room,
  )
  const body = sections.map((section, index) => sectionText(section, shown[index] ?? []))
  return `${[head, ...body, end].join('\n').trimEnd()}\n`
}

function headLines({ headline, alerts, counts, notes, asides = [] }: Report, marker: string): string[] {
  const left = alerts.length - mostAlerts
  const shown = alerts.slice(0, mostAlerts).map(alert => `> - ${code(alert)}`)
  const more = left > 0 ? [`> - and ${left} more`] : []
  return [
    marker,
    ...(headline ? [`### ${inline(headline.verdict)}: ${inline(headline.about)}`, ''] : []),
    ...(alerts.length > 0 ? ['> [!CAUTION]', ...shown, ...more, ''] : []),
    ...(counts.length > 0 ? [counts.map(({ text: words }) => inlineCount(words)).join(', '), ''] : []),
    ...[...notes, ...asides].flatMap(note => [inline(note), '']),
  ]
}

/** So many names of each are listed before anything else. */
const mostLed = 3

/** What a person who reads no further has to know of: the riskiest changes, and what is not going to be as declared. */
function leadLines({ sections }: Report): string[] {
  const led = sections.flatMap(({ is, risk, title, items }) => {
    const isRisky = is === 'changes' && (risk === 'critical' || risk === 'high')
    if (items.length === 0 || !(isRisky || heldBack.has(is))) return []
    const what = title.replace(/^[^(]*/, words => words.toLowerCase())
    const names = items.slice(0, mostLed).map(({ name }) => code(name))
    const more = items.length > mostLed ? ` and ${items.length - mostLed} more` : ''
    return [`- ${items.length} ${inline(what)}: ${names.join(', ')}${more}`]
  })
  return led.length === 0 ? [] : ['**Look at these first**', '', ...led, '']
}

const heldBack: ReadonlySet<SectionKind> = new Set(['lost', 'blocked', 'conflict', 'held'])

/** Counts begin with a number. */
function inlineCount(words: string): string {
  const [, number, rest] = /^(\d+) (.*)$/.exec(words) ?? []
  return rest === undefined ? inline(words) : `${number} ${inline(rest)}`
}

function endLines({ place, reading = [], closing, risk, next }: Report): string[] {
  const commit =
    place.commit === undefined
      ? []
      : [`Commit ${code(place.commit)}${place.dirty ? ' with local changes' : ''}`]
  return [
    ...[...closing, ...reading].flatMap(line => [inline(line), '']),
    ...[
      ...commit,
      ...(risk === undefined ? [] : [`Highest risk: **${risk}**`]),
      ...(next === undefined ? [] : [`Next: ${code(next)}`]),
    ].flatMap(line => [line, '']),
  ]
}

/** A comment in HTML, which nobody sees. */
function markerOf(document: Document, { place: { environment } }: Report, { part = [] }: View): string {
  const parts = [commandOf(document), ...(environment === undefined ? part : [environment])]
  // What ends a comment, or would be taken out of it, is written as in addresses of pages.
  return `<!-- vexil:${parts.map(part => encodeURIComponent(part).replaceAll('--', '-%2D')).join(':')} -->`
}

function commandOf(document: Document): string {
  switch (document.is) {
    case 'saved_plan':
      return 'plan'
    case 'run':
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

/** What is told of no objects, as it is at a terminal. */
function fencedText(document: Document, view: View): string {
  const said = textOf(text.render(document, { ...view, isColourful: false })).slice(
    0,
    mostCharacters - sectionRoom,
  )
  const fence = '`'.repeat(Math.max(3, ...[...said.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `<!-- vexil:${document.is} -->\n${fence}text\n${said.trimEnd()}\n${fence}\n`
}
