#!/bin/sh
# posthog-node 5.70.0: waitForLocalEvaluationReady is false, at once, for a project without flags, although its
# definitions have been loaded and localEvaluationFlagsLoaded was emitted. A program that exits on false cannot start
# before the first flag.
. "$(dirname "$0")/lib.sh"
npm_packages posthog-node@5.70.0
flag_server <<'FLAGS'
{}
FLAGS
node_program <<'PROGRAM'
import { PostHog } from 'posthog-node'
const sdk = new PostHog('t', { host: process.env.host, personalApiKey: 'phx_x' })
let loaded = 0
sdk.on('localEvaluationFlagsLoaded', () => (loaded += 1))
const isReady = await sdk.waitForLocalEvaluationReady(5000)
console.log(isReady, sdk.isLocalEvaluationReady(), loaded)
PROGRAM
seen 'waitForLocalEvaluationReady, isLocalEvaluationReady, loads' 'false false 1' "$(cat out)"
