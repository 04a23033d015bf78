#!/bin/sh
# junit-to-ctrf 0.0.14 keeps neither the reason of a skipped case nor the line of a case, though CTRF has both.
. "$(dirname "$0")/lib.sh"
npm_packages junit-to-ctrf@0.0.14
cat > in.xml <<'XML'
<testsuites><testsuite name="s" tests="1"><testcase name="a" file="f.yaml" line="7"><skipped message="held"/></testcase></testsuite></testsuites>
XML
npx junit-to-ctrf in.xml -o out.json > ctrf.log
seen 'the case' '{"name":"s: a","status":"skipped","duration":0,"filePath":"f.yaml","suite":["s"]}' \
  "$(node -p "JSON.stringify(require('./out.json').results.tests[0])")"
