#!/bin/sh
# `negate` in a clause of LaunchDarkly: a missing attribute does not match, negated or not. A segment that does not exist, and an
# operator that the SDK does not know, match everyone if negated. @launchdarkly/node-server-sdk 9.13.7 and the one for Python
# 9.18.4 agree.
. "$(dirname "$0")/lib.sh"
npm_packages @launchdarkly/node-server-sdk@9.13.7
pip_packages launchdarkly-server-sdk==9.18.4
node -e "
const flag = (key, clause) => {
  const rules = [{ id: 'r', variation: 0, clauses: [{ negate: true, ...clause }] }]
  return [key, { key, version: 1, on: true, salt: 's', variations: ['match', 'other'], rules, fallthrough: { variation: 1 } }]
}
const clauses = {
  attribute: { attribute: 'plan', op: 'in', values: ['pro'] },
  segment: { attribute: '', op: 'segmentMatch', values: ['deleted'] },
  operator: { attribute: 'plan', op: 'newOperator', values: ['pro'] },
}
const flags = Object.fromEntries(Object.entries(clauses).map(([key, clause]) => flag(key, clause)))
require('fs').writeFileSync('flags.json', JSON.stringify({ flags, segments: {} }))"
node_program <<'PROGRAM'
import { init } from '@launchdarkly/node-server-sdk'
import { FileDataSourceFactory } from '@launchdarkly/node-server-sdk/integrations'
const logger = Object.fromEntries(['error', 'warn', 'info', 'debug'].map(level => [level, () => {}]))
const updateProcessor = new FileDataSourceFactory({ paths: ['flags.json'] }).getFactory()
const client = init('sdk-x', { logger, sendEvents: false, diagnosticOptOut: true, updateProcessor })
await client.waitForInitialization({ timeout: 5 })
for (const [key, plan] of [['attribute'], ['segment'], ['operator', 'free']])
  console.log(key, await client.variation(key, { kind: 'user', key: 'u', ...(plan && { plan }) }, 'default'))
PROGRAM
cat > program.py <<'PROGRAM'
import os
from ldclient import Config, Context, LDClient
from ldclient.integrations import Files
source = Files.new_data_source(paths=["flags.json"])
client = LDClient(Config("sdk-x", update_processor_class=source, send_events=False, diagnostic_opt_out=True), start_wait=5)
for key, more in [("attribute", {}), ("segment", {}), ("operator", {"plan": "free"})]:
    print(client.variation(key, Context.from_dict({"kind": "user", "key": "u", **more}), "default"), flush=True)
os._exit(0)
PROGRAM
venv/bin/python program.py > other 2> errors.log || { cat errors.log; exit 1; }
seen 'in JavaScript and in Python' 'attribute other other
segment match match
operator match match' "$(paste -d ' ' out other)"
