import type { ExposureChange } from '../../core/change.ts'
import { type Line, type LineKind, plainText, type Toned } from '../lines/report.ts'
import { placeOf } from '../object-names.ts'
import type { SideHeads } from './details.ts'
import { barMarkup, detailsMarkup } from './details-markup.ts'
import type { Facts } from './facts.ts'
import { html, type Markup, type Part } from './markup.ts'
import type { ShownItem, Sides } from './shown.ts'
import { actionWords } from './words.ts'

/** One object: what happens to it, why, and how to go on; unfolded, what it is before and after. */
export function itemMarkup(shown: ShownItem): Markup {
  const { item, id, facts, isChange, sides, columns } = shown
  const { sign, name, became, because, remark, alert, cells, source, path } = item
  const place = placeOf(source && { ...source, file: path ?? source.file })
  const signed =
    sign && html`<span class="sign ${sign.tone ?? 'plain'}" aria-hidden="true">${sign.text}</span>`
  const end = became && html` <span class="became ${became.tone ?? 'plain'}">${became.text}</span>`
  return html`<li class="item" id="${id}"${attributes(facts)} tabindex="-1">
<div class="head"><h3>${signed}<span>${name}${end}</span></h3>${isChange ? changeMarkup(shown) : undefined}${peopleMarkup(facts)}${part('place', place)}</div>
${alert === undefined ? undefined : html`<p class="alert"><b>Alert</b> ${alert}</p>`}${part('remark', remark)}${part('because', because)}${cells && cellsMarkup(cells, columns)}${linesMarkup(item.lines)}${sidesMarkup(sides)}</li>
`
}

function part(name: 'place' | 'remark' | 'because', text: string | undefined): Part {
  return text === undefined || text === '' ? undefined : html`<p class="${name}">${text}</p>`
}

/** What people look for by a choice stands in attributes; what they type is looked for in the text. */
function attributes(facts: Facts | undefined): Part {
  if (!facts) return undefined
  const { action, risk, owners } = facts
  return [
    action === undefined ? undefined : html` data-action="${action}"`,
    risk === undefined ? undefined : html` data-risk="${risk}"`,
    owners.length === 0 ? undefined : html` data-owner="${JSON.stringify(owners)}"`,
  ]
}

/** What a change does, in a word, and how far it reaches; of a run it is said what became of it. */
function changeMarkup({ facts, item: { became } }: ShownItem): Part {
  const { action, change } = facts ?? {}
  return [
    action === undefined || became ? undefined : html`<span class="chip">${actionWords[action]}</span>`,
    exposureMarkup(change?.exposure),
  ]
}

/** Who answers for it, and who asked for it. */
function peopleMarkup(facts: Facts | undefined): Part {
  const { owners = [], askedBy } = facts ?? {}
  return [
    owners.map(owner => html`<span class="chip">owner ${owner}</span>`),
    askedBy === undefined ? undefined : html`<span class="chip">by ${askedBy}</span>`,
  ]
}

function exposureMarkup(exposure: ExposureChange | undefined): Part {
  if (!exposure || (exposure.before === 0 && exposure.after === 0)) return undefined
  const { before, after } = exposure
  return html`<span class="reach"><span class="unseen">reaches at the most</span> <span class="number">${before}%</span>${barMarkup(before)}<span aria-hidden="true">→</span> <span class="unseen">before, and afterwards</span> <span class="number">${after}%</span>${barMarkup(after)}</span>`
}

function cellsMarkup(cells: readonly string[], columns: readonly string[]): Markup {
  const pairs = cells.map((cell, at) => html`<div><dt>${columns[at]}</dt><dd>${cell}</dd></div>`)
  return html`<dl class="cells">${pairs}</dl>`
}

/** Lines of one kind that follow each other are one list. */
function linesMarkup(lines: readonly Line[]): Part {
  const runs: Line[][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last?.[0]?.is === line.is) last.push(line)
    else runs.push([line])
  }
  return runs.map(run => {
    const [{ is } = { is: 'detail' as const }] = run
    const rows = run.map(lineMarkup)
    const lead = is === 'remedy' && run.length > 1 ? 'To go on, one of' : leads[is]
    return html`${lead === undefined ? undefined : html`<p class="lead">${lead}</p>`}<ul class="lines ${is}">${rows}</ul>`
  })
}

function lineMarkup({ words, depth = 0, source }: Line): Markup {
  // What is further in already is set as code: lines of a source stand below each other.
  const look = depth > 0 ? 'deep' : plainText(words).startsWith('  ') ? 'code' : undefined
  return html`<li${look === undefined ? undefined : html` class="${look}"`}>${words.map(toned)}${source && html` <span class="at">${placeOf(source)}</span>`}</li>`
}

const leads: Readonly<Partial<Record<LineKind, string>>> = { would: 'It would', remedy: 'To go on' }

export function toned({ text, tone = 'plain' }: Toned): Part {
  return tone === 'plain' ? text : html`<span class="${tone}">${text}</span>`
}

const summaryWords = {
  before_after: 'Before and after',
  live_declared: 'Live and declared',
} as const satisfies Record<SideHeads, string>

function sidesMarkup(sides: Sides): Part {
  if (sides.are === 'none') return undefined
  const summary = html`<summary>${summaryWords[sides.heads]}</summary>`
  return sides.are === 'here'
    ? html`<details class="both">${summary}${detailsMarkup(sides.details)}</details>`
    : html`<details class="both" data-kept="${sides.at}">${summary}</details>`
}
