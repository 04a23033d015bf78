#!/bin/sh
# Patterns that JavaScript and RE2 (re2js 2.10.0) both accept and that match other people: `[[:alpha:]]`, `\x{61}` and `\z` mean
# something else in JavaScript, `\s` has the no-break space there, and `.` has the carriage return in RE2. `\u0061` and a
# lookahead RE2 refuses.
. "$(dirname "$0")/lib.sh"
npm_packages re2js@2.10.0
node_program <<'PROGRAM'
import { RE2JS } from 're2js'
const cases = [['^[[:alpha:]]+$', 'pro'], ['^\\x{61}$', 'a'], ['^pro\\z', 'pro'], ['^a\\sb$', 'a\u00a0b'], ['^a.b$', 'a\rb']]
cases.push(['^\\u0061', 'a'], ['^(?!b)a', 'a'])
for (const [pattern, text] of cases) {
  let other
  try {
    other = RE2JS.compile(pattern).matcher(text).find()
  } catch {
    other = 'refused'
  }
  console.log(pattern, new RegExp(pattern).test(text), other)
}
PROGRAM
seen 'JavaScript, RE2' '^[[:alpha:]]+$ false true
^\x{61}$ false true
^pro\z false true
^a\sb$ true false
^a.b$ false true
^\u0061 true refused
^(?!b)a true refused' "$(cat out)"
