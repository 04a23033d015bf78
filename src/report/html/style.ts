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

/** The style of a report. */
export const pageStyle = `${designTokens}[data-theme=light] { color-scheme: light }
[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: anywhere }
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

.tools { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding-top: .625rem; padding-bottom: .625rem; background: var(--page); border-bottom: 1px solid var(--edge) }
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
.lines.remedy li { padding: .1875rem .625rem; margin-top: .1875rem; border-left: 3px solid var(--link); background: var(--page); font-size: .9375rem }
.cells { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: .25rem }
.cells dt { font-size: .8125rem; color: var(--quiet) }

.both { margin-top: .5rem }
.both > summary { display: inline-block; font-size: .875rem; color: var(--link) }
.sides { width: 100%; table-layout: fixed; border-collapse: collapse; margin-top: .5rem; font-size: .875rem }
.sides caption { text-align: left; font-weight: 600; padding: .25rem 0 }
.sides th, .sides td { text-align: left; vertical-align: top; padding: .375rem .5rem; border: 1px solid var(--edge); font-variant-numeric: tabular-nums }
.sides thead th { font-weight: 600; color: var(--quiet); background: var(--page) }
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
.hunk { color: var(--quiet); background: var(--page) }
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
  .sides tbody th { background: var(--page) }
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
