#!/bin/sh
# junit2json 4.0.0 makes numbers of names: a test case with the name 007 and the class 1e5 has the name 7 and the class 1.
. "$(dirname "$0")/lib.sh"
npm_packages junit2json@4.0.0
cat > read.mjs <<'PROGRAM'
import { parse } from 'junit2json'
const { testsuite } = await parse('<testsuites><testsuite name="s"><testcase name="007" classname="1e5"/></testsuite></testsuites>')
console.log(JSON.stringify(testsuite[0].testcase[0]))
PROGRAM
seen 'the case' '{"name":7,"classname":1}' "$(node read.mjs)"
