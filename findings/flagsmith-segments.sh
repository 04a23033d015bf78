#!/bin/sh
# Segments of Flagsmith, in flagsmith-nodejs 8.1.2 and flagsmith 6.3.0 for Python. The trait "10" is over 9 in Python only; 10 is
# over 9.5, 1 is "1.0" and 5 is not equal to "abc" in JavaScript only. `REGEX` finds the pattern anywhere in JavaScript, and only
# at the start in Python. `IN` with a JSON list of numbers holds for a number in Python only.
. "$(dirname "$0")/lib.sh"
npm_packages flagsmith-nodejs@8.1.2
pip_packages flagsmith==6.3.0
cat > cases.json <<'CASES'
{
  "text-over": ["GREATER_THAN", "9", "10"],
  "over-fraction": ["GREATER_THAN", "9.5", 10],
  "equal-fraction": ["EQUAL", "1.0", 1],
  "other-type": ["NOT_EQUAL", "abc", 5],
  "inside": ["REGEX", "@example\\.com$", "ann@example.com"],
  "start": ["REGEX", "ann@", "ann@example.com"],
  "numbers": ["IN", "[1,2]", 1],
  "texts": ["IN", "[\"1\",\"2\"]", "1"]
}
CASES
cat > environment.cjs <<'PROGRAM'
const cases = Object.entries(require('./cases.json'))
const feature = (id, name) => ({ id, name, type: 'STANDARD' })
const state = (id, name, enabled) => {
  const own = { django_id: id, featurestate_uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}` }
  return { feature: feature(id % 100, name), enabled, feature_state_value: null, multivariate_feature_state_values: [], ...own }
}
const segments = cases.map(([name, [operator, value]], id) => {
  const conditions = [{ operator, property_: 'trait', value }]
  return { id, name, rules: [{ type: 'ALL', rules: [], conditions }], feature_states: [state(id + 101, name, true)] }
})
const organisation = { id: 1, name: 'o', feature_analytics: false, stop_serving_flags: false, persist_trait_data: true }
const project = { id: 1, name: 'p', hide_disabled_flags: false, organisation, segments, server_key_only_feature_ids: [] }
const feature_states = cases.map(([name], id) => state(id + 1, name, false))
const environment = { id: 1, api_key: 'ser.a', name: 'e', project, feature_states, identity_overrides: [] }
require('node:fs').writeFileSync('environment.json', JSON.stringify({ ...environment, updated_at: '2026-01-01T00:00:00Z' }))
PROGRAM
node environment.cjs
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { Flagsmith, LocalFileHandler } from 'flagsmith-nodejs'
const sdk = new Flagsmith({ offlineMode: true, offlineHandler: new LocalFileHandler('environment.json') })
for (const [name, [, , trait]] of Object.entries(JSON.parse(readFileSync('cases.json', 'utf8'))))
  console.log(name, (await sdk.getIdentityFlags('u', { trait })).isFeatureEnabled(name))
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json
from flagsmith import Flagsmith
from flagsmith.offline_handlers import LocalFileHandler
sdk = Flagsmith(offline_mode=True, offline_handler=LocalFileHandler("environment.json"))
for name, (_, _, trait) in json.load(open("cases.json")).items():
    print(sdk.get_identity_flags("u", {"trait": trait}).is_feature_enabled(name))
PROGRAM
seen 'in the segment, in JavaScript and in Python' 'text-over false True
over-fraction true False
equal-fraction true False
other-type true False
inside true False
start true True
numbers false True
texts true True' "$(paste -d ' ' out other)"
