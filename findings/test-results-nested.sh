#!/bin/sh
# test-results-parser 0.4.6 leaves out the cases of a suite inside a suite, and skipped cases are not in its total.
. "$(dirname "$0")/lib.sh"
npm_packages test-results-parser@0.4.6
cat > in.xml <<'XML'
<testsuites tests="3" failures="1" skipped="1">
  <testsuite name="outer" tests="3" failures="1" skipped="1">
    <testcase name="a"/><testcase name="b"><skipped message="held"/></testcase>
    <testsuite name="inner" tests="1" failures="1"><testcase name="c"><failure message="m"/></testcase></testsuite>
  </testsuite>
</testsuites>
XML
cat > read.cjs <<'PROGRAM'
const { suites, total, skipped } = require('test-results-parser').parse({ type: 'junit', files: ['in.xml'] })
console.log(suites.flatMap(({ cases }) => cases.map(({ name }) => name)).join(' '), total, skipped)
PROGRAM
seen 'cases, total, skipped' 'a b 2 1' "$(node read.cjs)"
