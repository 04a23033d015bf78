#!/bin/sh
# posthog-node 5.70.0 drops its definitions when the project is over its quota (402), but keeps their ETag. When the quota
# is there again, it gets a 304 and stays without flags until a flag changes. posthog 7.91.1 for Python drops the ETag as
# well.
. "$(dirname "$0")/lib.sh"
npm_packages posthog-node@5.70.0
pip_packages posthog==7.91.1
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
node_program <<'PROGRAM'
import { PostHog } from 'posthog-node'
const { host } = process.env
const sdk = new PostHog('t', { host, personalApiKey: 'phx_x' })
await sdk.waitForLocalEvaluationReady()
const show = async () => console.log(JSON.stringify(await sdk.getAllFlags('u', { onlyEvaluateLocally: true })))
await show()
for (const quota of ['over', 'back']) {
  await fetch(`${host}/quota/${quota}`)
  await sdk.reloadFeatureFlags()
  await show()
}
PROGRAM
seen 'node: before, over the quota, after' '{"a":true}
{}
{}' "$(cat out)"
cat > program.py <<'PROGRAM'
import logging, os, urllib.request
from posthog import Posthog
logging.disable(logging.CRITICAL)
host = os.environ['host']
sdk = Posthog('t', host=host, personal_api_key='phx_x')
def show():
    sdk.load_feature_flags()
    print(sdk.get_all_flags('u', only_evaluate_locally=True))
show()
for quota in ['over', 'back']:
    urllib.request.urlopen(f'{host}/quota/{quota}')
    show()
PROGRAM
venv/bin/python program.py > out 2> errors.log || { cat errors.log; exit 1; }
seen 'python' "{'a': True}
{}
{'a': True}" "$(cat out)"
