import type { Action } from '../../core/change.ts'
import type { HeadlineParts, Lead, Report, ReportPlace, SectionKind } from '../lines/report.ts'
import { signs } from '../object-names.ts'
import { code, inline } from './inline.ts'
import { declaredByAll } from './whose.ts'

/** So many alerts are shown at the most; each is told with its change as well. */
const mostAlerts = 20

/** So many things to look at first are told before anything else. */
const mostLeads = 10

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
  const made = [...reading, ...(headline?.parts?.faint ?? [])]
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

function commitWords({ commit, dirty }: ReportPlace): string[] {
  return commit === undefined ? [] : [`${code(commit.slice(0, 12))}${dirty ? ' with local changes' : ''}`]
}

/** So many names of each are listed before anything else. */
const mostNames = 3

/** What a person who reads no further has to know of: what it does to people, and what is not going to be as declared. */
function leadLines({ sections, leads }: Report): string[] {
  const left = (leads?.length ?? 0) - mostLeads
  const led = [
    ...(leads ?? []).slice(0, mostLeads).map(leadLine),
    ...(left > 0 ? [`- and ${left} more, below`] : []),
    ...sections.flatMap(({ is, risk, title, items }) => {
      const isRisky = leads === undefined && is === 'changes' && (risk === 'critical' || risk === 'high')
      if (items.length === 0 || !(isRisky || heldBack.has(is))) return []
      const what = title.replace(/^[^(]*/, words => words.toLowerCase())
      const names = items.slice(0, mostNames).map(({ name }) => code(name))
      const more = items.length > mostNames ? ` and ${items.length - mostNames} more` : ''
      return [`- ${items.length} ${inline(what)}: ${names.join(', ')}${more}`]
    }),
  ]
  return led.length === 0 ? [] : ['**Look at these first**', '', ...led, '']
}

function leadLine({ risk, names, reason }: Lead): string {
  const great = risk === 'critical' || risk === 'high' ? `**${risk.toUpperCase()}** ` : ''
  return `- ${great}${names.map(code).join(', ')}: ${inline(reason)}`
}

const heldBack: ReadonlySet<SectionKind> = new Set(['lost', 'blocked', 'conflict', 'held'])

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
