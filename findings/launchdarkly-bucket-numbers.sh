#!/bin/sh
# A rollout of LaunchDarkly by a number: @launchdarkly/node-server-sdk 9.13.7 and launchdarkly-server-sdk 9.18.4 for Python give
# all people with a fraction, or without the attribute, the first variation, and 1.0 too in Python only. What the weights leave
# goes to the last.
. "$(dirname "$0")/lib.sh"
npm_packages @launchdarkly/node-server-sdk@9.13.7
pip_packages launchdarkly-server-sdk==9.18.4
cat > flags.json <<'FLAGS'
{ "flags": { "f": { "key": "f", "version": 1, "on": true, "salt": "s", "variations": ["first", "second", "last"], "fallthrough": { "rollout":
  { "bucketBy": "seats", "contextKind": "user", "variations": [{ "variation": 0, "weight": 1 }, { "variation": 2, "weight": 1 }] } } } } }
FLAGS
node_program <<'PROGRAM'
import { init } from '@launchdarkly/node-server-sdk'
import { FileDataSourceFactory } from '@launchdarkly/node-server-sdk/integrations'
const logger = Object.fromEntries(['error', 'warn', 'info', 'debug'].map(level => [level, () => {}]))
const updateProcessor = new FileDataSourceFactory({ paths: ['flags.json'] }).getFactory()
const client = init('sdk-x', { logger, sendEvents: false, diagnosticOptOut: true, updateProcessor })
await client.waitForInitialization({ timeout: 5 })
for (const seats of [1, 2, 1.5, 2.5, null, 1.0])
  console.log(await client.variation('f', { kind: 'user', key: 'u', seats }, 'default'))
PROGRAM
cat > program.py <<'PROGRAM'
import os
from ldclient import Config, Context, LDClient
from ldclient.integrations import Files
source = Files.new_data_source(paths=["flags.json"])
client = LDClient(Config("sdk-x", update_processor_class=source, send_events=False, diagnostic_opt_out=True), start_wait=5)
for seats in [1, 2, 1.5, 2.5, None, 1.0]:
    print(client.variation("f", Context.from_dict({"kind": "user", "key": "u", "seats": seats}), "default"), flush=True)
os._exit(0)
PROGRAM
venv/bin/python program.py > other 2> errors.log || { cat errors.log; exit 1; }
seen 'for 1, 2, 1.5, 2.5, null, 1.0, in JavaScript and in Python' 'last last
last last
first first
first first
first first
last first' "$(paste -d ' ' out other)"
