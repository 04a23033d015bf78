#!/bin/sh
# The payload in events: posthog-js 1.449.2 writes JSON text in $feature_flag_called, and the payloads of all flags in every
# event. posthog 7.91.1 for Python writes the value in $feature_flag_called, and posthog-node 5.70.0 writes none.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "payload": "{\"x\":1}" } }
FLAGS
in_browser posthog-node@5.70.0 <<'PROGRAM'
import { PostHog } from 'posthog-node'
const sent = event => events().filter(each => each.event === event)
const page = start('t', { bootstrap: { distinctID: 'u' } })
await until(() => page.getFeatureFlag('a') === true)
page.capture('other')
await until(() => sent('other').length > 0 && sent('$feature_flag_called').length > 0)
console.log(JSON.stringify(sent('$feature_flag_called')[0].properties.$feature_flag_payload))
console.log(JSON.stringify(sent('other')[0].properties.$feature_flag_payloads))
const node = new PostHog('t', { host, disableCompression: true })
await node.getFeatureFlag('a', 'u')
await node.shutdown()
console.log(asked('/batch').flatMap(({ batch }) => batch).map(({ properties }) => properties.$feature_flag_payload))
PROGRAM
seen 'posthog-js, its other events, posthog-node' '"{\"x\":1}"
{"a":"{\"x\":1}"}
[ undefined ]' "$(cat out)"
pip_packages posthog==7.91.1
cat > program.py <<'PROGRAM'
import os
from posthog import Posthog

show = lambda event: print(event["properties"]["$feature_flag_payload"]["x"])
Posthog("t", host=os.environ["host"], sync_mode=True, before_send=show).get_feature_flag("a", "u")
PROGRAM
seen python 1 "$(venv/bin/python program.py 2> errors.log)"
