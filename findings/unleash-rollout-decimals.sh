#!/bin/sh
# A rollout of Unleash by `userId`: 33.3 percent are about a third in unleash-client 6.12.1 (JavaScript), and nobody in
# UnleashClient 6.9.1 (Python). An empty id is nobody in JavaScript and somebody in Python. With 34 percent they agree.
. "$(dirname "$0")/lib.sh"
unleash_clients
node -e "
const feature = rollout => {
  const parameters = { rollout, stickiness: 'userId', groupId: 'g' }
  return { name: rollout, enabled: true, strategies: [{ name: 'flexibleRollout', parameters }] }
}
require('fs').writeFileSync('features.json', JSON.stringify({ version: 2, features: ['33.3', '34', '100'].map(feature) }))"
unleash_node <<'PROGRAM'
const users = [...Array(300).keys()].map(n => `user-${n}`)
console.log(...['33.3', '34'].map(rollout => users.filter(userId => client.isEnabled(rollout, { userId })).length))
console.log(client.isEnabled('100', { userId: '' }))
PROGRAM
unleash_python <<'PROGRAM'
print(*[sum(client.is_enabled(rollout, {"userId": f"user-{n}"}) for n in range(300)) for rollout in ["33.3", "34"]])
print(client.is_enabled("100", {"userId": ""}))
PROGRAM
seen 'of 300 people; an empty id: in JavaScript, in Python' '87 91
false
0 91
True' "$(cat out other)"
