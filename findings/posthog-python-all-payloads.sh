#!/bin/sh
# posthog 7.91.1 for Python: get_all_flags_and_payloads gives payloads as JSON text, so that the string "text" has quotes.
# get_feature_flag_payload and evaluate_flags give them parsed.
. "$(dirname "$0")/lib.sh"
pip_packages posthog==7.91.1
flag_server <<'FLAGS'
{ "a": { "payload": "\"text\"" }, "b": { "payload": "{\"x\":1}" }, "c": { "payload": "12" } }
FLAGS
cat > program.py <<'PROGRAM'
import os
from posthog import Posthog

for secret in [None, "phx_x"]:
    sdk = Posthog("t", host=os.environ["host"], personal_api_key=secret, sync_mode=True)
    if secret:
        sdk.load_feature_flags()
    flags = sdk.evaluate_flags("u")
    print(sdk.get_all_flags_and_payloads("u")["featureFlagPayloads"])
    print([sdk.get_feature_flag_payload(key, "u") for key in "abc"], [flags.get_flag_payload(key) for key in "abc"])
print(end="", flush=True)
os._exit(0)
PROGRAM
venv/bin/python program.py > out 2> errors.log || { cat errors.log; exit 1; }
one="{'a': '\"text\"', 'b': '{\"x\":1}', 'c': '12'}
['text', {'x': 1}, 12] ['text', {'x': 1}, 12]"
seen 'remote, then local' "$one
$one" "$(cat out)"
