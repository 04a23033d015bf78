#!/bin/sh
# A rollout of Unleash by `userId`: 33.3 percent are about a third in unleash-client 6.12.1 (JavaScript), and nobody in
# UnleashClient 6.9.1 (Python). An empty id is nobody in JavaScript and somebody in Python. With 34 percent they agree.
. "$(dirname "$0")/lib.sh"
npm_packages unleash-client@6.12.1
pip_packages UnleashClient==6.9.1
node -e "
const feature = rollout => {
  const parameters = { rollout, stickiness: 'userId', groupId: 'g' }
  return { name: rollout, enabled: true, strategies: [{ name: 'flexibleRollout', parameters }] }
}
require('fs').writeFileSync('features.json', JSON.stringify({ version: 2, features: ['33.3', '34', '100'].map(feature) }))"
node_program <<'PROGRAM'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { InMemStorageProvider, Unleash } from 'unleash-client'
const data = JSON.parse(readFileSync('features.json', 'utf8')).features
const storage = { storageProvider: new InMemStorageProvider(), bootstrap: { data } }
const client = new Unleash({ appName: 'a', url: 'http://127.0.0.1:1', refreshInterval: 0, disableMetrics: true, ...storage })
client.on('error', () => {})
await once(client, 'ready')
const users = [...Array(300).keys()].map(n => `user-${n}`)
console.log(...['33.3', '34'].map(rollout => users.filter(userId => client.isEnabled(rollout, { userId })).length))
console.log(client.isEnabled('100', { userId: '' }))
PROGRAM
cat > program.py <<'PROGRAM'
import json, os
from UnleashClient import UnleashClient
from UnleashClient.cache import FileCache
cache = FileCache("a", directory="cache")
cache.bootstrap_from_dict(json.load(open("features.json")))
client = UnleashClient("http://127.0.0.1:1", "a", disable_metrics=True, disable_registration=True, cache=cache)
client.initialize_client(fetch_toggles=False)
print(*[sum(client.is_enabled(rollout, {"userId": f"user-{n}"}) for n in range(300)) for rollout in ["33.3", "34"]])
print(client.is_enabled("100", {"userId": ""}), flush=True)
os._exit(0)
PROGRAM
venv/bin/python program.py > other 2> errors.log || { cat errors.log; exit 1; }
seen 'of 300 people; an empty id: in JavaScript, in Python' '87 91
false
0 91
True' "$(cat out other)"
