#!/bin/sh
# @posthog/react 1.11.1: PostHogFeature without `match` shows its content for a flag that is off. It shows the fallback
# only if the flag does not exist. With match={true} it shows the fallback for a variant as well.
. "$(dirname "$0")/lib.sh"
host=http://127.0.0.1:9 && export host && touch requests.log
in_browser @posthog/react@1.11.1 react@19.2.0 react-dom@19.2.0 <<'PROGRAM'
import { PostHogFeature, PostHogProvider } from '@posthog/react'
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
window.IntersectionObserver = globalThis.IntersectionObserver = class { observe() {} disconnect() {} }
const featureFlags = { off: false, variant: 'a' }
const client = start('t', { advanced_disable_flags: true, bootstrap: { distinctID: 'u', featureFlags } })
const shown = props => {
  const place = document.createElement('div')
  const feature = createElement(PostHogFeature, { ...props, fallback: 'fallback' }, 'content')
  flushSync(() => createRoot(place).render(createElement(PostHogProvider, { client }, feature)))
  return place.textContent
}
for (const flag of ['off', 'missing', 'variant']) console.log(flag, shown({ flag }), shown({ flag, match: true }))
PROGRAM
seen 'without match, with match={true}' 'off content fallback
missing fallback fallback
variant content fallback' "$(cat out)"
