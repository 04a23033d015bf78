import { risks } from '../../core/change.ts'
import type { Report, Section } from '../lines/report.ts'
import { madeLines } from '../lines/sections/place-words.ts'
import { headerMarkup } from './header.ts'
import { itemMarkup } from './item.ts'
import { html, type Markup, type Part } from './markup.ts'
import { type ShownSection, sectionId } from './shown.ts'
import { actionWords, headingOf, riskWords } from './words.ts'

/** A report from its title to how it came about. */
export function reportMarkup(report: Report, sections: readonly ShownSection[], name: string): Markup {
  return html`${headerMarkup(report, sections, name)}
${toolsMarkup(sections)}
<div class="columns">${contentsMarkup(sections)}
<main id="report" tabindex="-1">${sections.length === 0 ? html`<p class="quiet">Nothing else is to be told.</p>` : undefined}${sections.map(sectionMarkup)}
<p class="quiet" id="nothing" hidden>Nothing fits what you look for.</p></main></div>
<footer>${report.closing.map(line => html`<p>${line}</p>`)}${madeMarkup(report)}</footer>`
}

/** How it came about is told in the title itself where that has no parts. */
function madeMarkup({ headline, reading }: Report): Part {
  const lines = madeLines({ headline, reading })
  if (lines.length === 0) return undefined
  if (!headline?.parts) return lines.map(line => html`<p>${line}</p>`)
  return html`<details><summary>How it was made</summary><ul>${lines.map(line => html`<li>${line}</li>`)}</ul></details>`
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
  const hasSides = sections.some(({ items }) => items.some(({ sides }) => sides.are !== 'none'))
  return html`<form class="tools" id="tools" role="search" hidden>
<label class="find"><span>Search</span> <input type="search" id="find" autocomplete="off" spellcheck="false"></label>
${choices}<output id="found"></output>
<span class="buttons">${hasSides ? unfoldButton : undefined}<button type="button" id="theme">Theme: system</button><button type="button" id="keys" aria-haspopup="dialog">Keys</button></span>
</form>`
}

const unfoldButton = html`<button type="button" id="unfold">Unfold all</button>`

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
    return html`<li><a href="#${sectionId(at)}"><span>${heading}</span> <span class="number">${items.length}</span></a></li>`
  })
  return html`<nav aria-label="Contents"><ol>${rows}</ol></nav>`
}

function sectionMarkup({ section, items }: ShownSection, at: number): Markup {
  const { heading, note } = headingOf(section.title, section.is)
  const id = sectionId(at)
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
