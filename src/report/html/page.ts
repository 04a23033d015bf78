import { createHash } from 'node:crypto'
import { jsonText } from '../escape-json.ts'
import type { Details } from './details.ts'
import { html, Markup } from './markup.ts'
import { pageScript } from './page-script.generated.js'
import { pageStyle } from './page-style.ts'

export interface Page {
  readonly title: string
  readonly body: Markup
  /** What the page shows when it is asked for. */
  readonly kept: readonly Details[]
}

/** By this a later report knows an earlier one. */
export const generator = '<meta name="generator" content="vexil">'

/** A page that runs its own script and style and nothing else, whatever should get into it, and asks for nothing. */
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

const noScript = html`<noscript><p class="quiet">There are so many changes that a script shows their two sides. Every change is told in words below.</p></noscript>
`

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function keptMarkup(kept: readonly Details[]): Markup | undefined {
  if (kept.length === 0) return undefined
  // Nothing in it can end the element: JSON has another way to write each sign.
  const json = jsonText(kept).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="kept">${new Markup(json)}</script>
`
}
