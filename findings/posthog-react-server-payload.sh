#!/bin/sh
# @posthog/react 1.11.1 on a server: useFeatureFlagPayload gives a bootstrapped JSON text as it is. In the browser the same
# bootstrap gives the parsed value, so the first rendering there differs from that of the server.
. "$(dirname "$0")/lib.sh"
host=http://127.0.0.1:9 && export host && touch requests.log
in_browser @posthog/react@1.11.1 react@19.2.0 react-dom@19.2.0 <<'PROGRAM'
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const program = `
const { createElement } = require('react')
const { renderToString } = require('react-dom/server')
const { PostHogProvider, useFeatureFlagPayload } = require('@posthog/react')
const bootstrap = { distinctID: 'u', featureFlags: { a: true }, featureFlagPayloads: { a: '{"x":1}' } }
const options = { advanced_disable_flags: true, bootstrap }
const Shown = () => (console.log(typeof useFeatureFlagPayload('a')), null)
const show = props => renderToString(createElement(PostHogProvider, props, createElement(Shown)))
`
writeFileSync('server.cjs', `${program}\nshow({ apiKey: 't', options })\nprocess.exit()`)
console.log('server', String(spawnSync('node', ['server.cjs']).stdout).trim())
const run = new Function('require', 'client', `${program}\nshow({ client: client(options) })`)
run(createRequire(import.meta.url), options => start('t', options))
PROGRAM
seen 'server, browser' 'server string
object' "$(cat out)"
