#!/bin/sh
# @microsoft/sarif-multitool 5.7.0: `merge` makes one run of two runs of one tool, so what one of them has at its own
# invocation or in its own version of a file can no longer be told apart.
. "$(dirname "$0")/lib.sh"
npm_packages @microsoft/sarif-multitool@5.7.0
for name in production staging; do
  cat > $name.sarif <<SARIF
{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":"r1"}]}},"automationDetails":{"id":"t/$name/"},
 "results":[{"ruleId":"r1","message":{"text":"in $name"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":3}}}]}]}]}
SARIF
done
npx sarif-multitool merge production.sarif staging.sarif --output-directory . --output-file out.sarif > merge.log 2>&1
seen 'runs' '2' "$(node -p "JSON.parse(require('fs').readFileSync('out.sarif', 'utf8').replace(/^\uFEFF/, '')).runs.length")"
