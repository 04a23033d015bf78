#!/bin/sh
# sarif-tools 3.0.5: `codeclimate` makes the fingerprint of the line and ignores `partialFingerprints`, so a finding that only
# moved by one line is a fixed one and a new one for GitLab.
. "$(dirname "$0")/lib.sh"
pip_packages sarif-tools==3.0.5
for line in 3 4; do
  cat > $line.sarif <<SARIF
{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":"r1"}]}},"results":[{"ruleId":"r1","message":{"text":"m"},
 "partialFingerprints":{"object/v1":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":$line}}}]}]}]}
SARIF
  venv/bin/sarif codeclimate $line.sarif -o $line.json > sarif.log
done
seen 'different fingerprints' '2' "$(cat 3.json 4.json | grep fingerprint | sort -u | wc -l | tr -d ' ')"
