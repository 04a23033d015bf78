import { createHash } from 'node:crypto'
import { html, Markup } from './details-markup.ts'
import { liveScript } from './live-script.generated.js'
import { barStyle, designTokens } from './style.ts'

/** The page of `vexil dev` and `vexil sandbox`: one file, whose policy only lets it ask its own server. */
export function livePage(title: string): { readonly html: string; readonly policy: string } {
  const policy = `default-src 'none'; script-src ${hashOf(liveScript)}; style-src ${hashOf(liveStyle)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { html: pageMarkup(title).text, policy }
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function pageMarkup(title: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(liveStyle)}</style>
</head>
<body>
<header><h1>${title}</h1><p class="quiet">Project token <code id="token"></code></p></header>
<p id="lost" class="alert" role="status" hidden>The server does not answer. This page tries again each second.</p>
<section id="mistakes" class="alert" aria-labelledby="mistakes-title" hidden><h2 id="mistakes-title">Mistakes in files</h2>
<p>The last good flags are still served.</p><ul id="mistake-list"></ul></section>
<div class="columns">
<main>
<section id="who" aria-labelledby="who-title"><h2 id="who-title">Who gets what</h2>
<div class="fields"><label>Person <input id="person" autocomplete="off" spellcheck="false" placeholder="distinct id"></label>
<label>Properties <textarea id="properties" rows="2" spellcheck="false" placeholder="country=DE"></textarea></label>
<label>Groups <textarea id="groups" rows="2" spellcheck="false" placeholder="company=acme&#10;company.size=500"></textarea></label></div>
<p id="person-problem" class="bad" role="status"></p></section>
<section aria-labelledby="flags-title"><h2 id="flags-title">Flags</h2>
<form id="tools" role="search"><label><span class="unseen">Search</span><input type="search" id="find" autocomplete="off" spellcheck="false" placeholder="Search"></label> <output id="count"></output>
<span class="quiet keys"><kbd>/</kbd> search <kbd>p</kbd> person <kbd>j</kbd> <kbd>k</kbd> flags</span></form>
<div id="flags"></div></section>
</main>
<aside aria-label="What happens">
<section aria-labelledby="requests-title"><h2 id="requests-title">Requests of SDKs</h2><p id="no-requests" class="quiet">None yet.</p><ol id="requests"></ol></section>
<section aria-labelledby="changes-title"><h2 id="changes-title">Activity</h2><p id="no-changes" class="quiet">None yet.</p><ol id="changes"></ol></section>
</aside>
</div>
<script>${new Markup(liveScript)}</script>
</body>
</html>
`
}

const liveStyle = `${designTokens}
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0 auto; max-width: 80rem; padding: 0 var(--space-6) var(--space-6); background: var(--page); color: var(--ink); font: var(--text)/1.5 var(--sans); overflow-wrap: anywhere }
h1, h2, p, ol, ul { margin: 0; padding: 0 }
ol, ul { list-style: none }
h1 { font-size: var(--title); line-height: 1.25 }
h2 { font-size: 1rem; margin-bottom: var(--space-2) }
code, kbd, .flag summary > b { font-family: var(--mono); font-size: .9em }
kbd { border: 1px solid var(--edge); border-radius: 4px; padding: 0 var(--space-1); background: var(--sheet) }
button, input, textarea { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius); padding: var(--space-1) var(--space-2); max-width: 100% }
button, summary { cursor: pointer }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.quiet { color: var(--quiet) } .good { color: var(--good) } .caution { color: var(--caution) } .bad { color: var(--bad) }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--space-1) var(--space-4); padding: var(--space-6) 0 var(--space-4) }
header p { margin-left: auto }
.alert { margin-bottom: var(--space-4); padding: var(--space-3) var(--space-4); color: var(--bad); background: var(--bad-back); border: 1px solid var(--bad); border-left-width: 4px; border-radius: var(--radius) }
.alert h2 { margin: 0 }
#mistake-list { margin-top: var(--space-2) }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-6) }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr) 21rem } }
main > section, aside > section { margin-bottom: var(--space-6) }
aside > section, #who { padding: var(--space-3) var(--space-4); background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius) }
aside li { padding: var(--space-1) 0; font-size: var(--small) }
aside li + li { border-top: 1px solid var(--edge) }
aside li .quiet { display: block }
time { color: var(--quiet); font-variant-numeric: tabular-nums }
.fields { display: flex; flex-wrap: wrap; gap: var(--space-3) }
.fields label { flex: 1 1 12rem; font-size: var(--small); color: var(--quiet) }
.fields input, .fields textarea { display: block; width: 100%; color: var(--ink); background: var(--page); font-family: var(--mono); resize: vertical }
::placeholder { color: var(--quiet); opacity: 1 }
#tools { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); margin-bottom: var(--space-2) }
#tools label { flex: 1 1 12rem } #tools input { width: 100% }
.keys { font-size: var(--small) }
#flags { background: var(--sheet); border: 1px solid var(--edge); border-radius: var(--radius); overflow: clip }
.flag + .flag { border-top: 1px solid var(--edge) }
.flag { content-visibility: auto; contain-intrinsic-size: auto 2.5rem }
.flag summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--space-1) var(--space-2); padding: var(--space-2) var(--space-4) }
.flag summary:hover { background: var(--page) }
.flag summary:focus-visible { outline-offset: -2px }
.brief { flex-basis: 100%; font-size: var(--small) }
.got { margin-left: auto; font-weight: 600 }
.chip { font-size: var(--tiny); border: 1px solid currentColor; border-radius: 99px; padding: 0 var(--space-2) }
.inner { padding: 0 var(--space-4) var(--space-3) }
.conditions { counter-reset: condition; margin: var(--space-1) 0 }
.conditions li { counter-increment: condition; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); padding: var(--space-1) 0 }
.conditions li::before { content: counter(condition) "."; color: var(--quiet) }
.conditions input { width: 5.5em }
${barStyle}
@media (max-width: 40rem) { body { padding: 0 var(--space-3) var(--space-6) } .keys { display: none } header p { margin-left: 0 } }
`
