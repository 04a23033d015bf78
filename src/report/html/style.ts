/**
 * What a page of Vexil looks like: colours, type and space, light and dark. Text has a contrast of at least 4.5
 * to each background here. Added, changed and removed also differ for people who see few colours, and a sign
 * or a word always accompanies a colour.
 */
export const designTokens = `
:root { color-scheme: light dark;
  --page: light-dark(#f6f7f9, #0e1013); --sheet: light-dark(#fff, #15181d); --edge: light-dark(#dcdfe5, #2b3038);
  --ink: light-dark(#191c22, #e4e8ee); --quiet: light-dark(#5a6270, #a0a9b5); --link: light-dark(#0b57a8, #86b7ff);
  --added: light-dark(#0a6f5c, #6fe8c8); --added-back: light-dark(#e2f5ef, #10302a);
  --changed: light-dark(#4a34b5, #ab95ff); --changed-back: light-dark(#eeebfc, #26213f);
  --removed: light-dark(#b23400, #ff8358); --removed-back: light-dark(#fdebe3, #3a1d12);
  --good: light-dark(#116329, #7ee787); --good-back: light-dark(#e6f6ea, #12261e);
  --caution: light-dark(#7d4e00, #f2cc60); --caution-back: light-dark(#fff6d6, #2b2411);
  --bad: light-dark(#a40e26, #ff9d95); --bad-back: light-dark(#ffebe9, #341a1d); --worst: light-dark(#a40e26, #b62324);
  --rail: light-dark(#e3e6ec, #2b3038); --fill: light-dark(#3f6db0, #76a6ea);
  --sans: system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --text: .875rem; --small: .8125rem; --tiny: .75rem; --title: 1.375rem;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-6: 1.5rem; --radius: 6px }
`

/** A bar is hatched where only some people get a flag. */
export const barStyle = `.bar { flex: none; width: 4.5rem; height: .5rem; border-radius: 2px; overflow: hidden; print-color-adjust: exact }
svg.bar { background: repeating-linear-gradient(-45deg, var(--fill) 0 1.5px, var(--rail) 1.5px 4px) }
.bar .rail { fill: var(--rail) } .bar .fill { fill: var(--fill) }`

/** The style of a report. */
export const pageStyle = `${designTokens}
[data-theme=light] { color-scheme: light }
[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--page); color: var(--ink); font: var(--text)/1.5 var(--sans); overflow-wrap: anywhere }
body > header, body > footer, .columns, .tools, body > main, body > noscript { display: block; max-width: 76rem; margin: 0 auto; padding: 0 var(--space-6) }
a { color: var(--link); text-decoration: underline 1px color-mix(in srgb, currentColor 45%, transparent); text-underline-offset: 2px }
a:hover { text-decoration-color: currentColor }
code, pre, kbd { font-family: var(--mono); font-size: .9286em }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0 }
ul, ol { list-style: none }
/* List items are numbered anew whenever one is hidden, which takes a minute for ten thousand of them. */
li { display: block }
button, input, select { font: inherit; font-size: var(--small); color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius); padding: .1875rem var(--space-2); max-width: 100% }
button, summary { cursor: pointer }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip:focus { position: absolute; top: var(--space-2); left: var(--space-2); z-index: 3; padding: var(--space-2) var(--space-3); background: var(--sheet) }
.number, .share, .matrix td { font-variant-numeric: tabular-nums }
.quiet, .note, .remark, .faint { color: var(--quiet) }
.good { color: var(--good) } .caution { color: var(--caution) } .bad { color: var(--bad) }
.added { color: var(--added) } .changed { color: var(--changed) } .removed { color: var(--removed) }

body > header { padding-top: var(--space-6); padding-bottom: var(--space-4) }
.buttons { float: right; display: flex; flex-wrap: wrap; gap: var(--space-1); margin-left: var(--space-4) }
.buttons button { background: none; color: var(--quiet) }
.buttons button:hover { color: var(--ink); background: var(--sheet) }
.kind { color: var(--quiet); font-size: var(--small) }
h1 { font-size: var(--title); line-height: 1.35; font-weight: 650; letter-spacing: -.01em }
.verdict { white-space: nowrap }
.about { max-width: 80ch; color: var(--quiet); font-size: var(--small) }
.counts { display: flex; flex-wrap: wrap; gap: var(--space-1) 1.25rem; clear: right; margin: var(--space-4) 0; padding: var(--space-2) 0; border: solid var(--edge); border-width: 1px 0 }
.counts b { font-size: 1rem }
.counts:last-child { margin-bottom: 0 }
.counts .zero, .counts .zero .number { color: var(--quiet); font-weight: 400 }
.next { margin-top: var(--space-3) }
.next code { box-decoration-break: clone; -webkit-box-decoration-break: clone; background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius); padding: .125rem var(--space-2) }
.alerts { margin: var(--space-3) 0; padding: var(--space-2) var(--space-3); background: var(--bad-back); border-left: 3px solid var(--bad); border-radius: var(--radius) }
.alerts h2, .looks h2 { font-size: var(--text); font-weight: 650 }
.alerts h2 { color: var(--bad) }
.alerts li { white-space: pre-wrap }
.alerts li, p.alert { font-variant-numeric: tabular-nums }
.looks { margin: var(--space-3) 0; padding: var(--space-3) var(--space-4); background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius) }
.looks li { padding: .125rem 0; max-width: 110ch }
.looks b { font-weight: 600 }

.risk { padding: 0 .4em; border-radius: .25em; font-size: .875em; font-weight: 650 }
.looks .risk { font-size: .6875rem; letter-spacing: .03em; padding: .0625rem .375rem }
.risk.low { color: var(--good); background: var(--good-back) }
.risk.medium { color: var(--caution); background: var(--caution-back) }
.risk.high { color: var(--bad); background: var(--bad-back) }
.risk.critical { color: #fff; background: var(--worst) }

.tools { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4); padding-top: var(--space-2); padding-bottom: var(--space-2); background: var(--page); border-bottom: 1px solid var(--edge) }
.tools label { display: flex; align-items: center; gap: .375rem; color: var(--quiet); font-size: var(--small) }
.tools input, .tools select { color: var(--ink) }
.tools .find { flex: 1 1 14rem }
.tools .find input { flex: 1; min-width: 0 }
.tools output { color: var(--quiet); font-size: var(--small); font-variant-numeric: tabular-nums }

.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-6); padding-top: var(--space-4) }
@media (min-width: 64rem) {
  .columns:has(> nav) { grid-template-columns: 11rem minmax(0, 1fr) }
  nav { position: sticky; top: 3.5rem; align-self: start; max-height: calc(100vh - 5rem); overflow: auto; margin-left: calc(-1 * var(--space-2)) }
}
nav { font-size: var(--small) }
nav a { display: flex; justify-content: space-between; gap: var(--space-3); padding: var(--space-1) var(--space-2); border-radius: var(--radius); color: inherit; text-decoration: none }
nav a:hover { background: var(--sheet); text-decoration: underline }
nav .number { color: var(--quiet); white-space: nowrap }
main { min-width: 0 }
main > pre { overflow-x: auto }

.part-of { margin-bottom: var(--space-6); scroll-margin-top: 3.5rem }
.fold > summary { margin-bottom: var(--space-2) }
.fold > summary h2 { display: inline; font-size: 1rem; font-weight: 650 }
.fold > summary .number { color: var(--quiet); font-weight: 400; margin-left: var(--space-1) }
.fold > summary .note { margin-left: var(--space-2); font-size: var(--small) }
.items, .matrix { background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius); overflow: clip }
.item { padding: .625rem var(--space-4); content-visibility: auto; contain-intrinsic-size: auto 6rem; scroll-margin-top: 3.5rem }
.item + .item { border-top: 1px solid var(--edge) }
.item:focus { outline: 2px solid var(--link); outline-offset: -2px; border-radius: var(--radius) }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-3); padding-left: 1.75rem }
.sign { flex: none; width: 1.25rem; margin-left: -1.75rem; border-radius: .25rem; font: 700 .875rem/1.25rem var(--mono); text-align: center }
.sign.added, .code.added { background: var(--added-back) }
.sign.changed { background: var(--changed-back) }
.sign.removed, .code.removed { background: var(--removed-back) }
h3 { display: flex; gap: var(--space-2); align-items: baseline; min-width: 0; font-size: var(--text); font-weight: 650 }
.became { font-weight: 400 }
.action { font-size: var(--small) }
.chip, .place, .at { font-size: var(--tiny); color: var(--quiet) }
.place, .at { font-family: var(--mono) }
.place { margin-left: auto }
.place a, .at a { color: inherit }
.reach, .bars { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 .375rem; font-size: var(--small); position: relative }
.arrow { color: var(--quiet) }
.reach .number { white-space: nowrap }
/* The hatching shows where no rectangle lies above it. */
${barStyle}
.item > :not(.head, tr) { margin-left: 1.75rem }
p.alert { color: var(--bad) }
p.alert b { text-transform: uppercase; font-size: .6875rem; letter-spacing: .04em; margin-right: var(--space-1) }
.remark, .because, .lines { font-size: var(--small) }
.lines { max-width: 100ch; white-space: pre-wrap }
.lines .at { margin-left: var(--space-2) }
.lines .deep { padding-left: 1.25rem }
.lines .code { font: var(--tiny)/1.6 var(--mono) }
.lines .code.added, .lines .code.removed, .lines .hunk { padding-right: var(--space-2) }
.lines .of-condition { max-width: 42rem; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0 var(--space-4) }
.lines.why, .lines.names { color: var(--quiet) }
.lead { margin-top: var(--space-1); font-size: var(--tiny); font-weight: 600; color: var(--quiet) }
.lines.remedy li { padding: .125rem var(--space-2); margin-top: .1875rem; border-left: 2px solid var(--link); background: var(--page) }

.both { margin-top: var(--space-1) }
.both > summary { display: inline-block; font-size: var(--small); color: var(--link) }
.sides { width: 100%; table-layout: fixed; border-collapse: collapse; margin: var(--space-1) 0 var(--space-2); font-size: var(--small) }
.sides caption { text-align: left; font-weight: 600; padding: var(--space-1) 0 }
.sides th, .sides td { text-align: left; vertical-align: top; padding: var(--space-1) var(--space-2); border: 1px solid var(--edge); font-variant-numeric: tabular-nums }
.sides thead th { font-weight: 600; color: var(--quiet); background: var(--page) }
.sides th:first-child { width: 5.5rem }
.sides tbody th { font-weight: 400; color: var(--quiet) }
.sides .part { display: flex; flex-wrap: wrap; align-items: center; gap: .125rem var(--space-2) }
.sides .part b { font-weight: 600 }
.sides .line { display: block; font-family: var(--mono); font-size: var(--tiny); white-space: pre-wrap }
.sides .same td { color: var(--quiet) }
.sides td { color: var(--ink) }
.sides .added td:not(.none), ins { background: var(--added-back) }
.sides .removed td:not(.none), del { background: var(--removed-back) }
.sides-1 tbody tr td:not(.none) { background: none }
.sides .added th { color: var(--added) } .sides .removed th { color: var(--removed) }
.sides .changed th, .sides .moved th { color: var(--changed) }
.sides .changed th, .sides .added th, .sides .removed th, .sides .moved th { font-weight: 600 }
ins { color: var(--added); text-decoration: underline; text-underline-offset: 2px }
del { color: var(--removed) }
.source { margin-top: var(--space-2) }
.source figcaption { font-size: var(--small); font-weight: 600 }
.source pre { margin: var(--space-1) 0 0; padding: var(--space-1) 0; overflow-x: auto; border: 1px solid var(--edge); border-radius: var(--radius); font-size: var(--tiny); tab-size: 2 }
.source pre code { display: block; min-width: max-content; font-size: 1em }
.source pre span { display: inline-block; min-width: 100%; padding: 0 var(--space-3) }
.source .added { background: var(--added-back) } .source .removed { background: var(--removed-back) }
.hunk { color: var(--quiet); background: var(--page) }

/* Positioned, so that hidden words in it do not widen the page. */
.matrix { position: relative; overflow-x: auto }
.matrix table { width: 100%; border-collapse: collapse; font-size: var(--small) }
.matrix th, .matrix td { padding: var(--space-1) var(--space-4); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: normal }
.matrix thead th { padding-top: var(--space-2); padding-bottom: var(--space-2); color: var(--quiet); font-weight: 600 }
.matrix thead th, .matrix tr:first-child > td { white-space: nowrap }
.matrix tbody { border-top: 1px solid var(--edge) }
.matrix th:first-child { position: sticky; left: 0; background: var(--sheet) }
.matrix tbody th { overflow-wrap: anywhere; min-width: 12rem }
.matrix .differs { background: var(--changed-back); color: var(--changed); font-weight: 600 }
.matrix h3 { margin-left: 1.75rem; font-size: var(--small) }
.matrix .equal, .matrix .equal h3 { color: var(--quiet); font-weight: 400 }
.matrix tr + tr td { padding-top: 0 }
.matrix .both { margin: 0 0 0 1.75rem }
body > footer { padding-top: var(--space-2); padding-bottom: 2rem; color: var(--quiet); font-size: var(--small) }
dialog { background: var(--sheet); color: inherit; border: 1px solid var(--edge); border-radius: var(--radius); padding: 1.25rem var(--space-6); max-width: min(30rem, 92vw) }
dialog::backdrop { background: #0008 }
dialog h2 { font-size: 1rem }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: var(--space-1) var(--space-4); margin: var(--space-3) 0 var(--space-4) }
kbd { border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 4px; padding: 0 .375rem }

@media (max-width: 40rem) {
  body > header, body > footer, .columns, .tools, body > main { padding-left: var(--space-4); padding-right: var(--space-4) }
  body > header { padding-top: var(--space-3) }
  .buttons { float: none; justify-content: flex-end; margin: 0 0 var(--space-2) }
  h1 { font-size: 1.25rem }
  .looks { padding: var(--space-2) var(--space-3) }
  .tools { position: static }
  nav ol { display: flex; flex-wrap: wrap; gap: var(--space-1) }
  nav a { border: 1px solid var(--edge); padding: .125rem var(--space-2) }
  .place { margin-left: 0; flex-basis: 100% }
  .item { padding: .625rem var(--space-3) }
  .item > .both, .matrix .both { margin-left: 0 }
  .matrix th, .matrix td { padding-left: var(--space-3); padding-right: var(--space-2) }
  .matrix tbody th { min-width: 8.5rem; max-width: 45vw }
  .sides, .sides tbody, .sides tr, .sides th, .sides td { display: block; width: auto }
  .sides caption { display: block }
  .sides thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .sides tr { margin-bottom: var(--space-2); border: 1px solid var(--edge) }
  .sides th:first-child { width: auto }
  .sides th, .sides td { border: 0 }
  .sides tbody th { background: var(--page) }
  .sides td + td { border-top: 1px dashed var(--edge) }
  .sides .none { display: none }
  .sides-2 td[data-side]::before { content: attr(data-side); display: block; color: var(--quiet); font-size: var(--tiny) }
}
@media print {
  :root { color-scheme: light }
  body { background: #fff; font-size: 10pt }
  .tools, .buttons, nav, .skip, .both > summary { display: none }
  .columns, .columns:has(> nav) { display: block }
  .item { content-visibility: visible; break-inside: avoid }
  .items { border-radius: 0 }
  details::details-content { content-visibility: visible; height: auto; block-size: auto }
  pre { white-space: pre-wrap }
  .source pre code { min-width: 0 }
}
`
