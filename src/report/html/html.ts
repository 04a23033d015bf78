import { createHash } from 'node:crypto'
import { type Change, risks } from '../../core/change.ts'
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
  type ShownItem,
  type ShownSection,
  type Sides,
  sectionId,
  toned,
} from './item.ts'
import { pageScript } from './page-script.generated.js'

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

  function shownItem({ is, columns = [] }: Section, item: Item): ShownItem {
    const { address = '' } = item
    const known = facts.get(address)
    // Live edits, and lines shown with another change, are rendered elsewhere.
    const isChange = known?.change !== undefined && changeSections.includes(is) && !seen.has(address)
    if (isChange) seen.add(address)
    count += 1
    return {
      item,
      id: `object-${count}`,
      facts: known,
      isChange,
      sides: isChange ? sidesOf(known?.change) : { are: 'none' },
      columns,
    }
  }

  function sidesOf(change: Change | undefined): Sides {
    const details = change && detailsOf(change, groupTypes)
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

/** The tools of the page. Without scripts they stay hidden. */
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
        .map(risk => [risk, risk]),
    ),
    choiceMarkup(
      'action',
      'Action',
      actions.filter(action => ofAction.has(action)).map(action => [action, actionWord(action)]),
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

/**
 * The style of a report. Each colour has a light and a dark value, with a contrast of at least 4.5 to its
 * background. Colour alone never carries a meaning.
 */
export const pageStyle = `
:root { color-scheme: light dark;
  --back: light-dark(#f5f6f8, #0d1117); --sheet: light-dark(#fff, #161b22); --ink: light-dark(#1b1f24, #e6edf3);
  --quiet: light-dark(#57606a, #9ea8b3); --edge: light-dark(#d5dae0, #30363d); --link: light-dark(#0550ae, #79b8ff);
  --good: light-dark(#116329, #7ee787); --good-back: light-dark(#e6f6ea, #12261e);
  --caution: light-dark(#7d4e00, #f2cc60); --caution-back: light-dark(#fff6d6, #2b2411);
  --bad: light-dark(#a40e26, #ff9d95); --bad-back: light-dark(#ffebe9, #341a1d);
  --worst: light-dark(#a40e26, #b62324); --rail: light-dark(#e3e7ec, #30363d); --fill: light-dark(#3b6fb5, #6ea8fe);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
[data-theme=light] { color-scheme: light }
[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: anywhere }
body > header, body > footer, .columns, .tools, body > main, body > noscript { display: block; max-width: 78rem; margin: 0 auto; padding: 0 1.5rem }
a { color: var(--link) }
code, pre, kbd { font-family: var(--mono); font-size: .875em }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0 }
ul, ol { list-style: none }
/* List items are numbered anew whenever one is hidden, which takes a minute for ten thousand of them. */
li { display: block }
button, input, select { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: 6px; padding: .25rem .625rem; max-width: 100% }
button { cursor: pointer }
summary { cursor: pointer }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip:focus { position: absolute; top: .5rem; left: .5rem; z-index: 3; padding: .5rem .75rem; background: var(--sheet) }
.number, .share { font-variant-numeric: tabular-nums }
.quiet, .note, .remark, .faint { color: var(--quiet) }
.good { color: var(--good) } .caution { color: var(--caution) } .bad { color: var(--bad) }

body > header { padding-top: 2rem; padding-bottom: 1.25rem }
.kind { color: var(--quiet); font-size: .875rem }
h1 { font-size: 1.75rem; line-height: 1.25; font-weight: 650; margin: .25rem 0 .5rem; letter-spacing: -.01em }
.verdict { white-space: nowrap }
.about { max-width: 70ch; color: var(--quiet) }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 }
.counts li { padding: .375rem .75rem; background: var(--sheet); border: 1px solid var(--edge); border-radius: 8px }
.counts b { font-size: 1.125rem; margin-right: .125rem }
.counts .zero { color: var(--quiet); background: none }
.counts .zero b { font-weight: 400 }
.next code { box-decoration-break: clone; -webkit-box-decoration-break: clone; background: var(--sheet); border: 1px solid var(--edge); border-radius: 6px; padding: .125rem .5rem }
.next { margin-top: 1rem }
.alerts { margin: 1rem 0; padding: .75rem 1rem; background: var(--bad-back); border: 1px solid var(--bad); border-left-width: 4px; border-radius: 8px }
.alerts h2 { font-size: 1rem; color: var(--bad) }
.alerts li { white-space: pre-wrap }
.alerts li, p.alert { font-variant-numeric: tabular-nums }

.looks { margin: 1rem 0; padding: .75rem 1rem .875rem; background: var(--sheet); border: 1px solid var(--edge); border-radius: 10px }
.looks h2 { font-size: 1rem; margin-bottom: .25rem }
.looks li { padding: .1875rem 0; max-width: 100ch }
.looks b { font-weight: 600 }
.looks .risk { font-size: .75rem; font-weight: 600; letter-spacing: .02em }

.risk { padding: .0625rem .5rem; border-radius: 6px; border: 1px solid currentColor }
.risk.low { color: var(--good); background: var(--good-back) }
.risk.medium { color: var(--caution); background: var(--caution-back) }
.risk.high { color: var(--bad); background: var(--bad-back) }
.risk.critical { color: #fff; background: var(--worst); border-color: var(--worst) }

.tools { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding-top: .625rem; padding-bottom: .625rem; background: var(--back); border-bottom: 1px solid var(--edge) }
.tools label { display: flex; align-items: center; gap: .375rem; color: var(--quiet); font-size: .875rem }
.tools input, .tools select { color: var(--ink) }
.tools .find { flex: 1 1 14rem }
.tools .find input { flex: 1; min-width: 0 }
.tools output { color: var(--quiet); font-size: .875rem; font-variant-numeric: tabular-nums }
.tools .buttons { display: flex; flex-wrap: wrap; gap: .375rem; margin-left: auto }
.tools button { font-size: .875rem }

.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; padding-top: 1.25rem }
@media (min-width: 64rem) {
  .columns:has(> nav) { grid-template-columns: 13rem minmax(0, 1fr) }
  nav { position: sticky; top: 4.5rem; align-self: start; max-height: calc(100vh - 6rem); overflow: auto }
}
nav a { display: flex; justify-content: space-between; gap: .75rem; padding: .3125rem .5rem; border-radius: 6px; color: inherit; text-decoration: none }
nav a:hover { background: var(--sheet); text-decoration: underline }
nav .number { color: var(--quiet) }
main { min-width: 0 }
main > pre { overflow-x: auto }

.part-of { margin-bottom: 1.75rem; scroll-margin-top: 4.5rem }
.fold > summary { padding: .25rem 0; margin-bottom: .5rem }
.fold > summary h2 { display: inline; font-size: 1.0625rem }
.fold > summary .risk { font-size: .9375rem }
.fold > summary .number { color: var(--quiet); font-weight: 400; margin-left: .25rem }
.fold > summary .note { display: inline-block; margin-left: .5rem; font-size: .875rem }
.items { background: var(--sheet); border: 1px solid var(--edge); border-radius: 10px; overflow: clip }
.item { padding: .75rem 1rem; content-visibility: auto; contain-intrinsic-size: auto 6rem; scroll-margin-top: 4rem }
.item + .item { border-top: 1px solid var(--edge) }
.item:focus { outline: 2px solid var(--link); outline-offset: -2px; border-radius: 8px }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem }
.sign { flex: none; font: 700 1rem/1 var(--mono); width: 1ch }
h3 { display: flex; gap: .75rem; align-items: baseline; min-width: 0; font-size: 1rem; font-weight: 600 }
.became { font-weight: 400 }
.chip { font-size: .8125rem; color: var(--quiet); border: 1px solid var(--edge); border-radius: 99px; padding: 0 .5rem }
.place { margin-left: auto; color: var(--quiet); font: .8125rem var(--mono) }
.reach { display: inline-flex; align-items: center; gap: .375rem; font-size: .875rem; position: relative }
.bar { width: 4rem; height: .5rem; border-radius: 2px; overflow: hidden }
.bar .rail { fill: var(--rail) } .bar .fill { fill: var(--fill) }
.item > :not(.head) { margin-left: calc(1ch + .75rem) }
p.alert { color: var(--bad); margin-top: .25rem }
p.alert b { text-transform: uppercase; font-size: .75rem; letter-spacing: .04em; margin-right: .25rem }
.remark, .because { font-size: .9375rem }
.lines { margin-top: .125rem; max-width: 90ch; white-space: pre-wrap }
.lines .at { margin-left: .5rem; color: var(--quiet); font: .8125rem var(--mono) }
.lines .deep { padding-left: 1.25rem }
.lines .code { font: .8125rem/1.5 var(--mono) }
.lines.why { color: var(--quiet) }
.lines.names { color: var(--quiet); font-size: .875rem }
.lead { margin-top: .375rem; font-size: .8125rem; font-weight: 600; color: var(--quiet) }
.lines.remedy li { padding: .1875rem .625rem; margin-top: .1875rem; border-left: 3px solid var(--link); background: var(--back); font-size: .9375rem }
.cells { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: .25rem }
.cells dt { font-size: .8125rem; color: var(--quiet) }

.both { margin-top: .5rem }
.both > summary { display: inline-block; font-size: .875rem; color: var(--link) }
.sides { width: 100%; table-layout: fixed; border-collapse: collapse; margin-top: .5rem; font-size: .875rem }
.sides caption { text-align: left; font-weight: 600; padding: .25rem 0 }
.sides th, .sides td { text-align: left; vertical-align: top; padding: .375rem .5rem; border: 1px solid var(--edge); font-variant-numeric: tabular-nums }
.sides thead th { font-weight: 600; color: var(--quiet); background: var(--back) }
.sides th:first-child { width: 5.5rem }
.sides tbody th { font-weight: 400; color: var(--quiet) }
.sides .part { display: flex; flex-wrap: wrap; align-items: center; gap: .125rem .5rem }
.sides .part b { font-weight: 600 }
.sides .line { display: block; font-family: var(--mono); font-size: .8125rem; white-space: pre-wrap }
.sides .same td { color: var(--quiet) }
.sides .added td:not(.none), ins, .added { background: var(--good-back) }
.sides .removed td:not(.none), del, .removed { background: var(--bad-back) }
.sides .changed th, .sides .added th, .sides .removed th, .sides .moved th { color: var(--ink); font-weight: 600 }
ins { color: var(--good); text-decoration: underline; text-underline-offset: 2px }
del { color: var(--bad) }
.source { margin-top: .5rem }
.source figcaption { font-size: .875rem; font-weight: 600 }
.source pre { margin: .25rem 0 0; padding: .5rem 0; overflow-x: auto; border: 1px solid var(--edge); border-radius: 6px; font-size: .8125rem; tab-size: 2 }
.source pre code { display: block; min-width: max-content; font-size: 1em }
.source pre span { display: inline-block; min-width: 100%; padding: 0 .75rem }
.hunk { color: var(--quiet); background: var(--back) }
body > footer { padding-top: 1rem; padding-bottom: 2.5rem; color: var(--quiet); font-size: .875rem }
dialog { background: var(--sheet); color: inherit; border: 1px solid var(--edge); border-radius: 12px; padding: 1.25rem 1.5rem; max-width: min(30rem, 92vw) }
dialog::backdrop { background: #0008 }
dialog h2 { font-size: 1.125rem }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: .375rem 1rem; margin: .75rem 0 1rem }
kbd { border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 4px; padding: 0 .375rem }

@media (max-width: 40rem) {
  body > header, body > footer, .columns, .tools, body > main { padding-left: 1rem; padding-right: 1rem }
  body > header { padding-top: 1.25rem }
  h1 { font-size: 1.375rem }
  .counts { gap: .25rem; margin: .75rem 0 }
  .counts li { padding: .125rem .5rem; font-size: .875rem }
  .counts b { font-size: 1rem }
  .looks { padding: .625rem .75rem }
  .tools { position: static }
  .tools .buttons { margin-left: 0 }
  nav ol { display: flex; flex-wrap: wrap; gap: .25rem }
  nav a { border: 1px solid var(--edge); padding: .125rem .5rem }
  .place { margin-left: 0; flex-basis: 100% }
  .item { padding: .75rem }
  .item > :not(.head) { margin-left: 0 }
  .sides, .sides tbody, .sides tr, .sides th, .sides td { display: block; width: auto }
  .sides caption { display: block }
  .sides thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .sides tr { margin-bottom: .5rem; border: 1px solid var(--edge) }
  .sides th:first-child { width: auto }
  .sides th, .sides td { border: 0 }
  .sides tbody th { background: var(--back) }
  .sides td + td { border-top: 1px dashed var(--edge) }
  .sides .none { display: none }
  .sides-2 td[data-side]::before { content: attr(data-side); display: block; color: var(--quiet); font-size: .75rem }
}
@media print {
  :root { color-scheme: light }
  body { background: #fff; font-size: 10pt }
  .tools, nav, .skip, .both > summary { display: none }
  .columns, .columns:has(> nav) { display: block }
  .item { content-visibility: visible; break-inside: avoid }
  .items { border-radius: 0 }
  details::details-content { content-visibility: visible; height: auto; block-size: auto }
  pre { white-space: pre-wrap }
  .source pre code { min-width: 0 }
}
`
