#!/bin/sh
# sarif-tools 3.0.5: `codeclimate` does not decode the path of a finding (`my%20flags.yaml`), and gives one without a location
# the path `-` and the line "1", a text. GitLab finds no such file.
. "$(dirname "$0")/lib.sh"
pip_packages sarif-tools==3.0.5
cat > in.sarif <<'SARIF'
{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":"r1"}]}},"results":[
 {"ruleId":"r1","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"my%20flags.yaml"},"region":{"startLine":3}}}]},
 {"ruleId":"r1","message":{"text":"m"}}]}]}
SARIF
venv/bin/sarif codeclimate in.sarif -o out.json > sarif.log
cat > read.py <<'PROGRAM'
import json
print('; '.join(json.dumps(each['location']) for each in json.load(open('out.json'))))
PROGRAM
seen 'places' '{"path": "my%20flags.yaml", "lines": {"begin": 3}}; {"path": "-", "lines": {"begin": "1"}}' "$(venv/bin/python read.py)"
