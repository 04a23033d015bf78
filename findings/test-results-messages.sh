#!/bin/sh
# test-results-parser 0.4.6 does not decode `&#10;` in the message of a failure, though it decodes `&quot;`, and it keeps no
# reason of a skipped case.
. "$(dirname "$0")/lib.sh"
npm_packages test-results-parser@0.4.6
cat > in.xml <<'XML'
<testsuites tests="2" failures="1" skipped="1"><testsuite name="s" tests="2" failures="1" skipped="1">
  <testcase name="a"><failure message="one&#10;&quot;two&quot;"/></testcase><testcase name="b"><skipped message="held"/></testcase>
</testsuite></testsuites>
XML
cat > read.cjs <<'PROGRAM'
const [{ cases: [a, b] }] = require('test-results-parser').parse({ type: 'junit', files: ['in.xml'] }).suites
console.log(a.failure, JSON.stringify(b).includes('held'))
PROGRAM
seen 'message, reason' 'one&#10;"two" false' "$(node read.cjs)"
