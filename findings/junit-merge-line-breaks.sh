#!/bin/sh
# junit-report-merger 9.0.4 and junit-merge 2.0.0: `&#10;` in an attribute is written as a bare line break, and the next
# reader of XML takes that for a space: a message of two lines has one line after a merge.
. "$(dirname "$0")/lib.sh"
command -v python3 > python.log || exit 77
npm_packages junit-report-merger@9.0.4 junit-merge@2.0.0
cat > in.xml <<'XML'
<testsuites><testsuite name="s" tests="1" failures="1"><testcase name="a"><failure message="one&#10;two"/></testcase></testsuite></testsuites>
XML
message() { python3 -c "import sys, xml.etree.ElementTree as t; print(repr(next(t.parse('$1').iter('failure')).get('message')))"; }
npx jrm jrm.xml in.xml > jrm.log
npx junit-merge in.xml --out junit-merge.xml > junit-merge.log
seen 'before' "'one\\ntwo'" "$(message in.xml)"
seen 'junit-report-merger' "'one two'" "$(message jrm.xml)"
seen 'junit-merge' "'one two'" "$(message junit-merge.xml)"
