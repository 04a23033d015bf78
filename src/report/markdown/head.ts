import type { Action } from '../../core/change.ts'
import { declaredByAll } from '../lines/people.ts'
import type { HeadlineParts, Lead, Report, ReportPlace } from '../lines/report.ts'
import { firstLooks, isGreat } from '../lines/sections/first-looks.ts'
import { commitParts, madeLines } from '../lines/sections/place-words.ts'
import { signs, someOf } from '../object-names.ts'
import { code, inline } from './inline.ts'

/** So many alerts are shown at the most; each is told with its change as well. */
const mostAlerts = 20

/** What stands above the sections: what it is, what nobody may overlook, how much there is, and where to look first. */
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

/** What stands below them. */
export function endLines({ headline, place, reading = [], closing, risk, next }: Report): string[] {
  const isTold = headline?.parts !== undefined
  const made = madeLines({ headline, reading })
  const facts = isTold
    ? []
    : [
        ...reading.map(line => inline(line)),
        ...commitWords(place).map(words => `Commit ${words}`),
        ...(risk === undefined ? [] : [`Highest risk: **${risk}**`]),
      ]
  const folded =
    isTold && made.length > 0
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
  const told = [
    ...leads.map(leadLine),
    ...(moreLeads > 0 ? [`- and ${moreLeads} more, below`] : []),
    ...sections.map(({ count: { number, what }, items, more }) => {
      const names = items.map(({ name }) => code(name)).join(', ')
      return `- ${number} ${inline(what)}: ${names}${more > 0 ? ` and ${more} more` : ''}`
    }),
  ]
  return told.length === 0 ? [] : ['**Look at these first**', '', ...told, '']
}

function leadLine({ risk, about, reason, objects = [] }: Lead): string {
  const great = isGreat(risk) ? `**${risk.toUpperCase()}** ` : ''
  const { shown, more } = someOf(objects.map(({ name }) => name))
  const of = shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`
  return `- ${great}${code(about.name)}: ${inline(`${reason}${of}`)}`
}

/** What the signs mean that occur, and what is the same for all: a line each, above the tables. */
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
