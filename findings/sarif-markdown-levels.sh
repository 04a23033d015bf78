#!/bin/sh
# @security-alert/sarif-to-markdown 1.11.1 takes the level of a finding from its rule alone: a finding whose rule has no
# default level is not shown at all, and an error of a rule with the default `note` is a note.
. "$(dirname "$0")/lib.sh"
npm_packages @security-alert/sarif-to-markdown@1.11.1
cat > read.cjs <<'PROGRAM'
const { sarifToMarkdown } = require('@security-alert/sarif-to-markdown')
const locations = [{ physicalLocation: { artifactLocation: { uri: 'f.yaml' }, region: { startLine: 3 } } }]
const results = [{ ruleId: 'r1', level: 'error', message: { text: 'broken' }, locations }]
for (const more of [{}, { defaultConfiguration: { level: 'note' } }]) {
  const driver = { name: 't', rules: [{ id: 'r1', shortDescription: { text: 'About r1.' }, ...more }] }
  const log = { version: '2.1.0', runs: [{ tool: { driver }, results }] }
  const [{ body }] = sarifToMarkdown({ title: 'T', owner: 'o', repo: 'r', branch: 'b', sourceRoot: '' })(log)
  console.log(body.match(/## Results\n+(.*?) *\n/)[1])
}
PROGRAM
seen 'without a default, with note' 'Nothing here., - **[NOTE]** **[r1]**  `broken`' "$(node read.cjs | tr '\n' ',' | sed 's/,$//;s/,/, /')"
