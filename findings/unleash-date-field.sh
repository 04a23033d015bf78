#!/bin/sh
# A constraint DATE_AFTER of Unleash on a property: unleash-client 6.12.1 (JavaScript) compares the time of now, whatever the
# property is; UnleashClient 6.9.1 (Python) compares the property. A bare day as its value works in JavaScript only.
. "$(dirname "$0")/lib.sh"
npm_packages unleash-client@6.12.1
pip_packages UnleashClient==6.9.1
cat > features.json <<'FEATURES'
{ "version": 2, "features": [
  { "name": "joined", "enabled": true, "strategies": [{ "name": "default", "parameters": {}, "constraints":
    [{ "contextName": "joined", "operator": "DATE_AFTER", "value": "2020-01-01T00:00:00Z" }] }] },
  { "name": "day", "enabled": true, "strategies": [{ "name": "default", "parameters": {}, "constraints":
    [{ "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2020-01-01" }] }] }] }
FEATURES
node_program <<'PROGRAM'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { InMemStorageProvider, Unleash } from 'unleash-client'
const data = JSON.parse(readFileSync('features.json', 'utf8')).features
const storage = { storageProvider: new InMemStorageProvider(), bootstrap: { data } }
const client = new Unleash({ appName: 'a', url: 'http://127.0.0.1:1', refreshInterval: 0, disableMetrics: true, ...storage })
client.on('error', () => {})
await once(client, 'ready')
for (const joined of ['2019-01-01T00:00:00Z', '2021-01-01T00:00:00Z'])
  console.log(joined, client.isEnabled('joined', { properties: { joined } }), client.isEnabled('day', {}))
PROGRAM
seen 'in JavaScript: the property, the day' '2019-01-01T00:00:00Z true true
2021-01-01T00:00:00Z true true' "$(cat out)"
cat > program.py <<'PROGRAM'
import json, os
from UnleashClient import UnleashClient
from UnleashClient.cache import FileCache
cache = FileCache("a", directory="cache")
cache.bootstrap_from_dict(json.load(open("features.json")))
client = UnleashClient("http://127.0.0.1:1", "a", disable_metrics=True, disable_registration=True, cache=cache)
client.initialize_client(fetch_toggles=False)
for joined in ["2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"]:
    print(joined, client.is_enabled("joined", {"properties": {"joined": joined}}), client.is_enabled("day", {}), flush=True)
os._exit(0)
PROGRAM
venv/bin/python program.py > out 2> errors.log || { cat errors.log; exit 1; }
seen 'in Python' '2019-01-01T00:00:00Z False False
2021-01-01T00:00:00Z True False' "$(cat out)"
