#!/bin/sh
# junit-report-merger 9.0.4 makes one suite of two suites of one name, so cases of one name in two files are next to each
# other, and it leaves out the name of the root. junit-merge 2.0.0 keeps both suites, but the root has no counts.
. "$(dirname "$0")/lib.sh"
npm_packages junit-report-merger@9.0.4 junit-merge@2.0.0
for name in plan drift; do
  echo "<testsuites name=\"$name\" tests=\"1\"><testsuite name=\"production\" tests=\"1\"><testcase name=\"a\"/></testsuite></testsuites>" > $name.xml
done
npx jrm jrm.xml plan.xml drift.xml > jrm.log
npx junit-merge plan.xml drift.xml --out junit-merge.xml > junit-merge.log
roots() { grep -oE '<testsuites?( [^>]*)?>' "$1" | tr '\n' ' ' | sed 's/ $//'; }
seen 'junit-report-merger' '<testsuites tests="2"> <testsuite name="production" tests="2">' "$(roots jrm.xml)"
seen 'junit-merge' '<testsuites> <testsuite name="production" tests="1"> <testsuite name="production" tests="1">' "$(roots junit-merge.xml)"
