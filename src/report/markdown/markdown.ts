import type { Document } from '../document.ts'
import { type Format, textOf, type View } from '../format.ts'
import { declaredByAll } from '../lines/people.ts'
import type { Report } from '../lines/report.ts'
import { reportOf } from '../lines/report-of.ts'
import { text } from '../text/text.ts'
import { endLines, headLines } from './head.ts'
import { fenced } from './inline.ts'
import { blocksOf, rowsOf, sectionText } from './section.ts'
import { shareRoom } from './share-room.ts'

/** A comment on GitHub takes 65,536 characters; a pipeline may add some of its own. */
export const mostCharacters = 60_000

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
  // What is beneath a table says more of what is in it, so every row comes before any of that.
  const beneath = shareRoom(sections.map(blocksOf), Math.max(0, room - used))
  const body = sections.map((section, at) => sectionText(section, shown[at] ?? [], beneath[at] ?? []))
  return `${[head, ...body, end].join('\n').trimEnd()}\n`
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
  return `<!-- vexil:${document.is} -->\n${fenced(said.trimEnd(), 'text')}\n`
}
