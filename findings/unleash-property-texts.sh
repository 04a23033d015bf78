#!/bin/sh
# A property in the context of Unleash that is no text: true is "true" in unleash-client 6.12.1 (JavaScript) and "True" in
# UnleashClient 6.9.1 (Python), 1.0 is "1" and "1.0". As numbers, "0x10" is 16 and "" is 0 in JavaScript only.
. "$(dirname "$0")/lib.sh"
npm_packages unleash-client@6.12.1
pip_packages UnleashClient==6.9.1
cat > cases.json <<'CASES'
{
  "true": [{ "operator": "IN", "values": ["true"] }, true],
  "True": [{ "operator": "IN", "values": ["True"] }, true],
  "one": [{ "operator": "IN", "values": ["1"] }, 1.0],
  "hexadecimal": [{ "operator": "NUM_EQ", "value": "16" }, "0x10"],
  "empty": [{ "operator": "NUM_GT", "value": "-1" }, ""]
}
CASES
node -e "
const strategies = constraint => [{ name: 'default', parameters: {}, constraints: [{ contextName: 'p', ...constraint }] }]
const features = Object.entries(require('./cases.json')).map(([name, [each]]) => ({ name, enabled: true, strategies: strategies(each) }))
require('fs').writeFileSync('features.json', JSON.stringify({ version: 2, features }))"
node_program <<'PROGRAM'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { InMemStorageProvider, Unleash } from 'unleash-client'
const read = file => JSON.parse(readFileSync(file, 'utf8'))
const storage = { storageProvider: new InMemStorageProvider(), bootstrap: { data: read('features.json').features } }
const client = new Unleash({ appName: 'a', url: 'http://127.0.0.1:1', refreshInterval: 0, disableMetrics: true, ...storage })
client.on('error', () => {})
await once(client, 'ready')
for (const [name, [, p]] of Object.entries(read('cases.json'))) console.log(name, client.isEnabled(name, { properties: { p } }))
PROGRAM
cat > program.py <<'PROGRAM'
import json, os
from UnleashClient import UnleashClient
from UnleashClient.cache import FileCache
cache = FileCache("a", directory="cache")
cache.bootstrap_from_dict(json.load(open("features.json")))
client = UnleashClient("http://127.0.0.1:1", "a", disable_metrics=True, disable_registration=True, cache=cache)
client.initialize_client(fetch_toggles=False)
for name, (_, p) in json.load(open("cases.json")).items():
    print(client.is_enabled(name, {"properties": {"p": p}}), flush=True)
os._exit(0)
PROGRAM
venv/bin/python program.py > other 2> errors.log || { cat errors.log; exit 1; }
seen 'enabled, in JavaScript and in Python' 'true true False
True false True
one true False
hexadecimal true False
empty true False' "$(paste -d ' ' out other)"
