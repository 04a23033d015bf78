#!/bin/sh
# A constraint DATE_AFTER of Unleash on a property: unleash-client 6.12.1 (JavaScript) compares the time of now, whatever the
# property is; UnleashClient 6.9.1 (Python) compares the property. A bare day as its value works in JavaScript only.
. "$(dirname "$0")/lib.sh"
unleash_clients
cat > features.json <<'FEATURES'
{ "version": 2, "features": [
  { "name": "joined", "enabled": true, "strategies": [{ "name": "default", "parameters": {}, "constraints":
    [{ "contextName": "joined", "operator": "DATE_AFTER", "value": "2020-01-01T00:00:00Z" }] }] },
  { "name": "day", "enabled": true, "strategies": [{ "name": "default", "parameters": {}, "constraints":
    [{ "contextName": "currentTime", "operator": "DATE_AFTER", "value": "2020-01-01" }] }] }] }
FEATURES
unleash_node <<'PROGRAM'
for (const joined of ['2019-01-01T00:00:00Z', '2021-01-01T00:00:00Z'])
  console.log(joined, client.isEnabled('joined', { properties: { joined } }), client.isEnabled('day', {}))
PROGRAM
seen 'in JavaScript: the property, the day' '2019-01-01T00:00:00Z true true
2021-01-01T00:00:00Z true true' "$(cat out)"
unleash_python <<'PROGRAM'
for joined in ["2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"]:
    print(joined, client.is_enabled("joined", {"properties": {"joined": joined}}), client.is_enabled("day", {}))
PROGRAM
seen 'in Python' '2019-01-01T00:00:00Z False False
2021-01-01T00:00:00Z True False' "$(cat other)"
