import type { Action } from '../core/change.ts'
import type { Document } from './document.ts'
import { type Format, textOf, type View } from './format.ts'
import { commitParts, madeLines } from './lines/place-words.ts'
import {
  declaredByAll,
  firstLooks,
  type HeadlineParts,
  isGreat,
  type Lead,
  type Report,
  type ReportPlace,
} from './lines/report.ts'
import { reportOf } from './lines/report-of.ts'
import { blocksOf, code, fenced, inline, rowsOf, sectionText, shareRoom } from './markdown-section.ts'
import { signs, someOf } from './object-names.ts'
import { text } from './text/text.ts'

/** A comment on GitHub takes 65,536 characters; a pipeline may add some of its own. */
export const mostCharacters = 60_000

/** Room for the title of a section, the head of its table and the number of omitted rows. */
const sectionRoom = 500

/**
 * Markdown for a comment on a pull request, or for an issue. First whether it is safe and what people must
 * see, then the riskiest changes. The rest is folded, and what does not fit is counted. The first line
 * identifies the comment, so that a pipeline finds the one to replace: `<!-- vexil:plan:production -->`.
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
  // Blocks below a table only add details, so all rows get room first.
  const beneath = shareRoom(sections.map(blocksOf), Math.max(0, room - used))
  const body = sections.map((section, at) => sectionText(section, shown[at] ?? [], beneath[at] ?? []))
  return `${[head, ...body, end].join('\n').trimEnd()}\n`
}

/** A comment in HTML, which is invisible. */
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

/** A document without objects, as on a terminal. */
function fencedText(document: Document, view: View): string {
  const plain = textOf(text.render(document, { ...view, isColourful: false })).slice(
    0,
    mostCharacters - sectionRoom,
  )
  return `<!-- vexil:${document.is} -->\n${fenced(plain.trimEnd(), 'text')}\n`
}

/** The largest number of alerts; each is shown with its change as well. */
const mostAlerts = 20

/** The part above the sections: the title, alerts, counts, and what to look at first. */
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

/** The part below them. */
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

/** The meaning of the used signs, and facts about all objects: a line each, above the tables. */
function keyLines({ sections, people = new Map() }: Report): string[] {
  const shown = new Set(
    sections.flatMap(({ is, items }) => (is === 'changes' ? items.map(({ sign }) => sign?.text ?? '') : [])),
  )
  const meanings = Object.entries(signs).flatMap(([action, sign]) =>
    // The table of signs has an entry for each action.
    shown.has(sign) ? [`${code(sign)} ${signMeanings[action as Action]}`] : [],
  )
  const author = declaredByAll({ sections, people })
  return [
    ...(author === undefined ? [] : [`All of it was last declared by ${inline(author)}.`, '']),
    ...(meanings.length === 0 ? [] : [`_Signs: ${meanings.join(', ')}_`, '']),
  ]
}

const signMeanings: Readonly<Record<Action, string>> = {
  create: 'is new',
  update: 'changes',
  claim: 'gets the ownership tag',
  restore: 'comes back',
  delete: 'goes',
}

/** Counts begin with a number. */
function inlineCount(words: string): string {
  const [, number, rest] = /^(\d+) (.*)$/.exec(words) ?? []
  return rest === undefined ? inline(words) : `${number} ${inline(rest)}`
}
