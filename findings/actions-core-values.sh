#!/bin/sh
# @actions/core 3.0.1: `setOutput` of an Error or a Map gives the text {}. A table of the summary has a cell without content and
# end for a number, and texts in a summary are not escaped, so that `a < b` and a flag's `<name>` are read as HTML.
. "$(dirname "$0")/lib.sh"
npm_packages @actions/core@3.0.1
node_program <<'PROGRAM'
import { readFileSync, writeFileSync } from 'node:fs'
import { setOutput, summary } from '@actions/core'
process.env.GITHUB_OUTPUT = 'output.txt'
for (const value of [new Error('refused'), new Map([['key', 'a']]), { key: 'a' }, undefined]) {
  writeFileSync('output.txt', '')
  setOutput('answer', value)
  console.log(JSON.stringify(readFileSync('output.txt', 'utf8').split('\n')[1]))
}
console.log(summary.addTable([['flags', '5'], ['changes', 5]]).addRaw('a <b> c').stringify())
PROGRAM
seen 'outputs; the summary' '"{}"
"{}"
"{\"key\":\"a\"}"
""
<table><tr><td>flags</td><td>5</td></tr><tr><td>changes</td><td></tr></table>
a <b> c' "$(cat out)"
