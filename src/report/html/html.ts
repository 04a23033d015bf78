import { createHash } from 'node:crypto'
import { risks } from '../../core/change.ts'
import type { Document } from '../document.ts'
import { type Format, joinPieces, jsonText } from '../format.ts'
import { counted, someOf } from '../line-text.ts'
import { commitParts, madeLines } from '../lines/place-words.ts'
import {
  declaredByAll,
  firstLooks,
  type Headline,
  type Item,
  isGreat,
  type Lead,
  type Mention,
  type Report,
  type Section,
  type SectionKind,
  type SectionLook,
  type Toned,
} from '../lines/report.ts'
import { reportOf } from '../lines/report-of.ts'
import { text } from '../text.ts'
import { type Details, detailsOf } from './details.ts'
import { html, Markup, html as markup, type Part } from './details-markup.ts'
import {
  actions,
  actionWord,
  changedIn,
  factsOf,
  headingOf,
  itemMarkup,
  Places,
  rowMarkup,
  type ShownItem,
  type ShownSection,
  type Sides,
  sectionId,
  toned,
} from './item.ts'
import { pageScript } from './page-script.generated.js'
import { reachOf } from './reach.ts'
import { pageStyle } from './style.ts'

/** How many changes show both sides in the page; the others are stored as data, shown on request. */
const mostWhole = 400

/**
 * One file for reviewers. It loads nothing else, and its policy forbids loading. All text is in the page, so
 * people can read and search it without scripts. Scripts only fold, filter and navigate. Every object is
 * separate, except new grants of a flag that also changes.
 */
export const htmlFormat: Format = {
  render: document => [{ text: htmlOf(document) }],
}

function htmlOf(document: Document): string {
  const report = reportOf(document, {
    isVerbose: document.is !== 'tests',
    isForReview: true,
    foldsGrants: true,
  })
  if (!report) return pageMarkup({ title: titleOf(document.is), body: plainMarkup(document), kept: [] }).text
  const { sections, kept } = shownSections(document, report)
  return pageMarkup({
    title: plainTitle(report, titleOf(document.is)),
    body: reportMarkup(report, sections, titleOf(document.is)),
    kept,
  }).text
}

function shownSections(document: Document, report: Report) {
  const facts = factsOf(document, report)
  const { groupTypes } = changedIn(document)
  const many = [...facts.values()].filter(({ change }) => change).length
  const kept: Details[] = []
  const seen = new Set<string>()
  let count = 0
  const sections = report.sections.map(
    (section): ShownSection => ({ section, items: section.items.map(item => shownItem(section, item)) }),
  )
  return { sections, kept }

  function shownItem({ is }: Section, item: Item): ShownItem {
    const { address = '' } = item
    const known = facts.get(address)
    // Live edits, and lines shown with another change, are rendered elsewhere.
    const isChange = known?.change !== undefined && changeSections.includes(is) && !seen.has(address)
    if (isChange) seen.add(address)
    count += 1
    const change = isChange ? known?.change : undefined
    const details = change && detailsOf(change, groupTypes)
    return {
      item,
      id: `object-${count}`,
      facts: known,
      isChange,
      sides: sidesOf(details),
      reach: change && reachOf(change, details),
      sourceUrl: report.sourceUrl,
    }
  }

  function sidesOf(details: Details | undefined): Sides {
    if (!details) return { are: 'none' }
    return many <= mostWhole ? { are: 'here', details } : { are: 'kept', at: kept.push(details) - 1 }
  }
}

const changeSections: readonly SectionKind[] = ['changes', 'events', 'drift']

/** A document without objects looks the same as on a terminal. */
function plainMarkup(document: Document): Markup {
  return markup`<main id="report"><h1>${titleOf(document.is)}</h1><pre tabindex="0">${joinPieces(text.render(document, {}))}</pre></main>`
}

function titleOf(is: string): string {
  const words = is.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export interface Page {
  readonly title: string
  readonly body: Markup
  /** Sides of changes that the page shows on request. */
  readonly kept: readonly Details[]
}

/** Identifies an earlier report, which a later one may replace. */
export const generator = '<meta name="generator" content="vexil">'

/** A page that loads nothing and runs only its own script and style, even if content is injected. */
export function pageMarkup({ title, body, kept }: Page): Markup {
  const policy = `default-src 'none'; script-src ${hashOf(pageScript)}; style-src ${hashOf(pageStyle)}; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${new Markup(generator)}
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
${kept.length === 0 ? undefined : noScript}${body}
${keptMarkup(kept)}<script>${new Markup(pageScript)}</script>
</body>
</html>
`
}

const noScript = html`<noscript><p class="quiet">There are so many changes that a script shows their two sides. Every change is described below.</p></noscript>
`

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function keptMarkup(kept: readonly Details[]): Markup | undefined {
  if (kept.length === 0) return undefined
  // JSON can escape every character that could end the element.
  const json = jsonText(kept).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="kept">${new Markup(json)}</script>
`
}

/** A report from its title to its origin. */
export function reportMarkup(report: Report, sections: readonly ShownSection[], name: string): Markup {
  return html`${headerMarkup(report, sections, name)}
${toolsMarkup(sections)}
<div class="columns">${contentsMarkup(sections)}
<main id="report" tabindex="-1">${sections.length === 0 ? html`<p class="quiet">There is nothing else to show.</p>` : undefined}${sections.map(sectionMarkup)}
<p class="quiet" id="nothing" hidden>No object matches your search.</p></main></div>
<footer>${report.closing.map(line => html`<p>${line}</p>`)}${madeMarkup(report)}</footer>`
}

/** The origin of the report. It is in the title itself if the title has no parts. */
function madeMarkup({ headline, reading }: Report): Part {
  const lines = madeLines({ headline, reading })
  if (lines.length === 0) return undefined
  if (!headline?.parts) return lines.map(line => html`<p>${line}</p>`)
  return html`<details><summary>How it was made</summary><ul>${lines.map(line => html`<li>${line}</li>`)}</ul></details>`
}

/** With fewer objects than this, people need no search. */
const fewestSearched = 10

/** Search and filters. Without scripts they stay hidden. */
function toolsMarkup(sections: readonly ShownSection[]): Part {
  if (sections.flatMap(({ items }) => items).length < fewestSearched) return undefined
  const facts = sections.flatMap(({ items }) => items.flatMap(({ facts }) => facts ?? []))
  const found = (values: readonly (string | undefined)[]) => new Set(values)
  const [ofRisk, ofAction] = [found(facts.map(({ risk }) => risk)), found(facts.map(({ action }) => action))]
  const owners = [...new Set(facts.flatMap(each => each.owners))].sort()
  const ofRisks = [...risks].reverse().filter(risk => ofRisk.has(risk))
  const ofActions = actions.filter(action => ofAction.has(action))
  const choices = [
    choiceMarkup('risk', 'Risk', ofRisks),
    choiceMarkup('action', 'Action', ofActions, ofActions.map(actionWord)),
    choiceMarkup('owner', 'Owner', owners),
  ]
  return html`<form class="tools" id="tools" role="search" hidden>
<label class="find"><span>Search</span> <input type="search" id="find" autocomplete="off" spellcheck="false"></label>
${choices}<output id="found"></output>
</form>`
}

/** Without scripts they stay hidden. */
function buttonsMarkup(sections: readonly ShownSection[]): Markup {
  const hasFolds = sections.some(({ items }) => items.some(isFoldable))
  return html`<div class="buttons" id="buttons" hidden>${hasFolds ? unfoldButton : undefined}<button type="button" id="theme">Theme: system</button><button type="button" id="keys" aria-haspopup="dialog">Keys</button></div>`
}

function isFoldable({ item, sides }: ShownItem): boolean {
  return sides.are !== 'none' || (item.cells !== undefined && item.lines.length > 0)
}

const unfoldButton = html`<button type="button" id="unfold">Unfold all</button>`

function choiceMarkup(name: string, label: string, values: readonly string[], words = values): Part {
  if (values.length < (name === 'owner' ? 1 : 2)) return undefined
  const options = values.map((value, at) => html`<option value="${value}">${words[at]}</option>`)
  return html`<label><span>${label}</span> <select id="${name}" data-choice="${name}"><option value="">any</option>${options}</select></label>
`
}

function contentsMarkup(sections: readonly ShownSection[]): Part {
  if (sections.length < 2) return undefined
  const rows = sections.map(({ section, items }, at) => {
    const { heading } = headingOf(section)
    return html`<li><a href="#${sectionId(at)}"><span>${heading}</span> <span class="number">${items.length}</span></a></li>`
  })
  return html`<nav aria-label="Contents"><ol>${rows}</ol></nav>`
}

function sectionMarkup({ section, items }: ShownSection, at: number): Markup {
  const { heading, note } = headingOf(section)
  const id = sectionId(at)
  const risk = section.risk === undefined ? undefined : html` risk ${section.risk}`
  return html`<section class="part-of ${section.is}" id="${id}" aria-labelledby="${id}-title">
<details class="fold"${isFolded(section) ? undefined : html` open`}><summary><h2 id="${id}-title"><span class="${risk ?? 'name'}">${heading}</span> <span class="number">${items.length}</span></h2>${note === undefined ? undefined : html`<span class="note">${note}</span>`}</summary>
${
  section.is === 'comparison'
    ? matrixMarkup(section, items)
    : html`<ol class="items">
${items.map(itemMarkup)}</ol>`
}</details></section>
`
}

/** Objects as rows, environments as columns. */
function matrixMarkup(
  { columns = [], heads: [first] = ['Object', ''] }: Section,
  items: readonly ShownItem[],
): Markup {
  const heads = columns.map(column => html`<th scope="col">${column}</th>`)
  return html`<div class="matrix" role="region" aria-label="Objects by environment" tabindex="0"><table>
<thead><tr><th scope="col">${first}</th>${heads}</tr></thead>
${items.map(rowMarkup)}</table></div>`
}

/** Whether a section starts folded, because people rarely need it. */
function isFolded({ is }: Section): boolean {
  return is === 'unchanged' || is === 'outcomes' || is === 'passed_tests'
}

/** The number of alerts that are shown unfolded. Each alert is also shown with its change. */
const mostAlerts = 8

/** The part above the sections: title, counts, alerts, and what to read first. */
export function headerMarkup(report: Report, sections: readonly ShownSection[], name: string): Markup {
  const { notes, asides = [], counts, next } = report
  return html`<header>
${buttonsMarkup(sections)}${titleMarkup(report, name)}
${counts.length === 0 ? undefined : html`<ul class="counts">${counts.map(countMarkup)}</ul>`}
${alertsMarkup(report.alerts)}${[...notes, ...asides].map(note => html`<p>${note}</p>`)}${looksMarkup(report, new Places(sections))}${authorMarkup(report)}${next === undefined ? undefined : html`<p class="next"><b>Next</b> <code>${next}</code></p>`}
</header>`
}

/** The title of a report as plain text, for the window: `Plan for production: HIGH risk`. */
export function plainTitle({ headline, place }: Report, name: string): string {
  const { parts, verdict } = headline ?? {}
  if (parts) return `${[parts.what, parts.name].filter(part => part !== undefined).join(' ')}: ${verdict}`
  return [name, place.environment, verdict].filter(part => part !== undefined).join(' - ')
}

function titleMarkup({ headline, place }: Report, name: string): Markup {
  if (!headline) return html`<h1>${name}</h1>`
  const { parts, about } = headline
  if (!parts) {
    const kind = [name, place.environment].filter(part => part !== undefined).join(' · ')
    return html`<p class="kind">${kind}</p>
<h1>${verdictMarkup(headline)}</h1>
<p class="about">${about}</p>`
  }
  const commit = commitParts(place)
  const where: Part[] = [
    ...parts.place,
    ...(commit ? [html`commit <code>${commit.short}</code>${commit.remark}`] : []),
  ]
  const title = parts.name === undefined ? parts.what : html`${parts.what} ${parts.name}`
  return html`<h1>${title}: ${verdictMarkup(headline)}</h1>
${where.length === 0 ? undefined : html`<p class="about">${separated(where)}</p>`}`
}

function verdictMarkup({ verdict, risk }: Headline): Part {
  if (risk === undefined) return verdict
  return html`<span class="verdict"><span class="risk ${risk}">${verdict.slice(0, risk.length)}</span>${verdict.slice(risk.length)}</span>`
}

/** The number comes first, because people look for the number. */
function countMarkup({ text, tone }: Toned): Markup {
  const [, number, rest] = /^(\d+) (.*)$/.exec(text) ?? []
  if (number === undefined) return html`<li>${text}</li>`
  return html`<li${number === '0' ? html` class="zero"` : undefined}><b class="number">${number}</b> ${toned({ text: rest ?? '', ...(tone && { tone }) })}</li>`
}

function alertsMarkup(alerts: readonly string[]): Part {
  if (alerts.length === 0) return undefined
  const rows = alerts.map(alert => html`<li>${alert}</li>`)
  const rest = rows.slice(mostAlerts)
  const more =
    rest.length === 0
      ? undefined
      : html`<details><summary>and ${rest.length} more</summary><ul>${rest}</ul></details>`
  return html`<section class="alerts" aria-labelledby="alerts"><h2 id="alerts">${counted(alerts.length, 'alert')}</h2><ul>${rows.slice(0, mostAlerts)}</ul>${more}</section>
`
}

/** The facts for people who read only the top of the page, each with a link to the details. */
function looksMarkup(report: Report, places: Places): Part {
  const { leads, moreLeads, sections } = firstLooks(report)
  if (leads.length + sections.length === 0) return undefined
  const rows = [
    ...leads.map(lead => leadMarkup(lead, places)),
    ...(moreLeads > 0 ? [html`<li>and ${moreLeads} more, below</li>`] : []),
    ...sections.map(look => sectionLookMarkup(look, places)),
  ]
  return html`<section class="looks" aria-labelledby="looks-title"><h2 id="looks-title">Look at these first</h2><ul id="looks">
${rows}</ul></section>
`
}

function leadMarkup({ risk, about, reason, objects = [] }: Lead, places: Places): Markup {
  const { shown, more } = someOf(objects)
  const link = (mention: Mention) => linkMarkup(mention.name, places.of(mention))
  const of = shown.length === 0 ? undefined : html`: ${separated(shown.map(link))}${more}`
  const great = isGreat(risk) ? html`<span class="risk ${risk}">${risk.toUpperCase()}</span> ` : undefined
  return html`<li>${great}<b>${link(about)}</b>: ${reason}${of}</li>
`
}

function sectionLookMarkup({ count, items, more }: SectionLook, places: Places): Markup {
  const names = items.map(item => linkMarkup(item.name, places.ofItem(item)))
  return html`<li><b>${count.number} ${count.what}</b>: ${separated(names)}${more > 0 ? ` and ${more} more` : undefined}</li>
`
}

function linkMarkup(text: string, id: string | undefined): Part {
  return id === undefined ? text : html`<a href="#${id}">${text}</a>`
}

function separated(parts: readonly Part[]): Part {
  return parts.map((part, at) => (at === 0 ? part : html`, ${part}`))
}

function authorMarkup(report: Report): Part {
  const author = declaredByAll(report)
  return author === undefined
    ? undefined
    : html`<p class="quiet">All objects were last declared by ${author}.</p>`
}
