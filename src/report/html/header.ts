import { declaredByAll } from '../lines/people.ts'
import type { Headline, Lead, Mention, Report, Toned } from '../lines/report.ts'
import { firstLooks, isGreat, type SectionLook } from '../lines/sections/first-looks.ts'
import { commitParts } from '../lines/sections/place-words.ts'
import { counted, someOf } from '../object-names.ts'
import { toned } from './item.ts'
import { html, type Markup, type Part } from './markup.ts'
import { Places, type ShownSection } from './shown.ts'

/** So many alerts are open; the others are folded, and each is told with its change as well. */
const mostAlerts = 8

/** What stands above the sections: what it is, how much there is, what nobody may overlook, and where to look first. */
export function headerMarkup(report: Report, sections: readonly ShownSection[], name: string): Markup {
  const { notes, asides = [], counts, next } = report
  return html`<header>
${titleMarkup(report, name)}
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

/** Counts begin with a number, which is what people look for. */
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

/** What a person who reads no further has to know of, each with a link to where all of it is told. */
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
    : html`<p class="quiet">All of it was last declared by ${author}.</p>`
}
