import { risks } from '../../core/change.ts'
import type { Report, Section, Toned } from '../lines/report.ts'
import { counted } from '../object-names.ts'
import { itemMarkup, type ShownItem, toned } from './item.ts'
import { html, type Markup, type Part } from './markup.ts'
import { actionWords, headingOf, riskWords } from './words.ts'

export interface ShownSection {
  readonly section: Section
  readonly items: readonly ShownItem[]
}

/** So many alerts are open; the others are folded, and each is told with its change as well. */
const mostAlerts = 8

/** A report from its verdict to the next command. */
export function reportMarkup(report: Report, sections: readonly ShownSection[], name: string): Markup {
  const { headline, reading, notes, asides = [], counts, closing, next } = report
  return html`<header>
${headline === undefined ? undefined : html`<p class="kind">${[name, report.place.environment].filter(part => part !== undefined).join(' · ')}</p>`}
<h1>${headline ? verdictMarkup(report) : name}</h1>
${headline === undefined ? undefined : html`<p class="about">${headline.about}</p>`}
${counts.length === 0 ? undefined : html`<ul class="counts">${counts.map(countMarkup)}</ul>`}
${alertsMarkup(report.alerts)}${[...notes, ...asides].map(note => html`<p>${note}</p>`)}${next === undefined ? undefined : html`<p class="next"><b>Next</b> <code>${next}</code></p>`}
</header>
${toolsMarkup(sections)}
<div class="columns">${contentsMarkup(sections)}
<main id="report" tabindex="-1">${sections.length === 0 ? html`<p class="quiet">Nothing else is to be told.</p>` : undefined}${sections.map(sectionMarkup)}
<p class="quiet" id="nothing" hidden>Nothing fits what you look for.</p></main></div>
<footer>${[...closing, ...(reading === undefined ? [] : [reading].flat())].map(line => html`<p>${line}</p>`)}</footer>`
}

function verdictMarkup({ headline }: Report): Part {
  const { verdict = '', risk } = headline ?? {}
  if (risk === undefined) return verdict
  return html`<span class="risk ${risk}">${verdict.slice(0, risk.length)}</span>${verdict.slice(risk.length)}`
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

/** What needs scripts is not there without them. */
function toolsMarkup(sections: readonly ShownSection[]): Part {
  const facts = sections.flatMap(({ items }) => items.flatMap(({ facts }) => facts ?? []))
  const found = (values: readonly (string | undefined)[]) => new Set(values)
  const [ofRisk, ofAction] = [found(facts.map(({ risk }) => risk)), found(facts.map(({ action }) => action))]
  const owners = [...new Set(facts.flatMap(each => each.owners))].sort()
  const choices = [
    choiceMarkup(
      'risk',
      'Risk',
      [...risks]
        .reverse()
        .filter(risk => ofRisk.has(risk))
        .map(risk => [risk, riskWords[risk]]),
    ),
    choiceMarkup(
      'action',
      'Action',
      Object.entries(actionWords).filter(([action]) => ofAction.has(action)),
    ),
    choiceMarkup(
      'owner',
      'Owner',
      owners.map(owner => [owner, owner]),
    ),
  ]
  return html`<form class="tools" id="tools" role="search" hidden>
<label class="find"><span>Search</span> <input type="search" id="find" autocomplete="off" spellcheck="false"></label>
${choices}<output id="found"></output>
<span class="buttons"><button type="button" id="unfold">Unfold all</button><button type="button" id="theme">Theme: system</button><button type="button" id="keys" aria-haspopup="dialog">Keys</button></span>
</form>`
}

function choiceMarkup(name: string, label: string, values: readonly (readonly [string, string])[]): Part {
  if (values.length < (name === 'owner' ? 1 : 2)) return undefined
  const options = values.map(([value, word]) => html`<option value="${value}">${word}</option>`)
  return html`<label><span>${label}</span> <select id="${name}" data-choice="${name}"><option value="">any</option>${options}</select></label>
`
}

function contentsMarkup(sections: readonly ShownSection[]): Part {
  if (sections.length < 2) return undefined
  const rows = sections.map(({ section, items }, at) => {
    const { heading } = headingOf(section.title, section.is)
    return html`<li><a href="#part-${at + 1}"><span>${heading}</span> <span class="number">${items.length}</span></a></li>`
  })
  return html`<nav aria-label="Contents"><ol>${rows}</ol></nav>`
}

function sectionMarkup({ section, items }: ShownSection, at: number): Markup {
  const { heading, note } = headingOf(section.title, section.is)
  const id = `part-${at + 1}`
  const risk = section.risk === undefined ? undefined : html` risk ${section.risk}`
  return html`<section class="part-of ${section.is}" id="${id}" aria-labelledby="${id}-title">
<details class="fold"${isFolded(section) ? undefined : html` open`}><summary><h2 id="${id}-title"><span class="${risk ?? 'name'}">${heading}</span> <span class="number">${items.length}</span></h2>${note === undefined ? undefined : html`<span class="note">${note}</span>`}</summary>
<ol class="items">
${items.map(itemMarkup)}</ol></details></section>
`
}

/** What nobody has to look at. */
function isFolded({ is }: Section): boolean {
  return is === 'unchanged' || is === 'outcomes' || is === 'passed_tests'
}
