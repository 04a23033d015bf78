#!/bin/sh
# junit2html 31.1.4 shows no suite inside a suite: a report whose only failure is in one shows no test and no failure.
. "$(dirname "$0")/lib.sh"
pip_packages junit2html==31.1.4
cat > in.xml <<'XML'
<testsuites tests="1" failures="1"><testsuite name="outer" tests="1" failures="1"><testsuite name="inner" tests="1" failures="1">
  <testcase name="broken" classname="c"><failure message="why"/></testcase>
</testsuite></testsuite></testsuites>
XML
venv/bin/junit2html in.xml out.html > junit2html.log
seen 'suites' 'outer' "$(grep -oE 'outer|inner|broken' out.html | sort -u | tr '\n' ' ' | sed 's/ $//')"
