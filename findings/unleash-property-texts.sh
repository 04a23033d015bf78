#!/bin/sh
# A property in the context of Unleash that is no text: true is "true" in unleash-client 6.12.1 (JavaScript) and "True" in
# UnleashClient 6.9.1 (Python), 1.0 is "1" and "1.0". As numbers, "0x10" is 16 and "" is 0 in JavaScript only.
. "$(dirname "$0")/lib.sh"
unleash_clients
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
unleash_node <<'PROGRAM'
for (const [name, [, p]] of Object.entries(read('cases.json'))) console.log(name, client.isEnabled(name, { properties: { p } }))
PROGRAM
unleash_python <<'PROGRAM'
for name, (_, p) in json.load(open("cases.json")).items():
    print(client.is_enabled(name, {"properties": {"p": p}}))
PROGRAM
seen 'enabled, in JavaScript and in Python' 'true true False
True false True
one true False
hexadecimal true False
empty true False' "$(paste -d ' ' out other)"
