#!/bin/sh
# @microsoft/sarif-multitool 5.7.0: `merge` makes one run of two runs of one tool, though their `automationDetails` differ, and
# keeps the id of one of them. The findings of both then look as if they came from that one.
. "$(dirname "$0")/lib.sh"
npm_packages @microsoft/sarif-multitool@5.7.0
for name in production staging; do
  cat > $name.sarif <<SARIF
{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":"r1"}]}},"automationDetails":{"id":"t/$name/"},
 "results":[{"ruleId":"r1","message":{"text":"in $name"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":3}}}]}]}]}
SARIF
done
npx sarif-multitool merge production.sarif staging.sarif --output-directory . --output-file out.sarif > merge.log 2>&1
cat > read.cjs <<'PROGRAM'
const { runs } = JSON.parse(require('node:fs').readFileSync('out.sarif', 'utf8').replace(/^\uFEFF/, ''))
const known = ['t/production/', 't/staging/'].includes(runs[0].automationDetails.id)
console.log(runs.length, known, runs[0].results.map(({ message }) => message.text).sort().join(', '))
PROGRAM
seen 'runs, an id of one, findings' '1 true in production, in staging' "$(node read.cjs)"
