#!/bin/sh
# sarif-tools 3.0.5: `summary` and `codeclimate` count suppressed findings, checks that passed, and findings that a baseline
# calls absent, as open ones.
. "$(dirname "$0")/lib.sh"
pip_packages sarif-tools==3.0.5
cat > make.py <<'PROGRAM'
import json
place = [{'physicalLocation': {'artifactLocation': {'uri': 'f.yaml'}, 'region': {'startLine': 3}}}]
states = [{'suppressions': [{'kind': 'inSource', 'status': 'accepted'}]}, {'baselineState': 'absent'}, {'kind': 'pass', 'level': 'none'}]
results = [{'ruleId': 'r1', 'level': 'error', 'message': {'text': f'n{n}'}, 'locations': place, **state} for n, state in enumerate(states)]
run = {'tool': {'driver': {'name': 't', 'rules': [{'id': 'r1'}]}}, 'results': results}
json.dump({'version': '2.1.0', 'runs': [run]}, open('in.sarif', 'w'))
PROGRAM
venv/bin/python make.py
seen 'summary' 'error: 2 warning: 0 note: 0 none: 1' "$(venv/bin/sarif summary in.sarif | grep -E '^[a-z]+: ' | tr '\n' ' ' | sed 's/ $//')"
venv/bin/sarif codeclimate in.sarif -o out.json > sarif.log
seen 'codeclimate' '3' "$(grep -c '"fingerprint"' out.json)"
