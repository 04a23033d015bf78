#!/usr/bin/env node
// Writes a SARIF report of Vexil as a Code Quality report, which is what GitLab shows at the lines of a merge request:
//
//   code-quality.mjs REPORT.sarif OUT.json
//
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { env, exit } from 'node:process'

const severities = { error: 'major', warning: 'minor', note: 'info' }

/** What an earlier report and a later one know a finding by: not its line, which moves with the lines above. */
function fingerprint({ ruleId, message, partialFingerprints }, path) {
  return createHash('sha256')
    .update(JSON.stringify([ruleId, message.text, path, partialFingerprints ?? {}]))
    .digest('hex')
}

/** Findings without a place in a file are left out: GitLab shows none of them. */
function findings(result) {
  const { ruleId, level, message, locations = [] } = result
  return locations.slice(0, 1).map(({ physicalLocation: { artifactLocation, region } }) => {
    // Paths in SARIF are escaped, and begin at the folder in which the command ran.
    const path = posix.join(env.VEXIL_FOLDER ?? '.', decodeURIComponent(artifactLocation.uri))
    return {
      description: message.text.replaceAll('\n', ' - '),
      check_name: ruleId,
      fingerprint: fingerprint(result, path),
      severity: severities[level] ?? 'minor',
      location: { path, lines: { begin: region?.startLine ?? 1 } },
    }
  })
}

const [from, to] = process.argv.slice(2)
if (!from || !to) {
  console.error('usage: code-quality.mjs REPORT.sarif OUT.json')
  exit(64)
}
try {
  const { runs } = JSON.parse(readFileSync(from, 'utf8'))
  writeFileSync(
    to,
    `${JSON.stringify(
      runs.flatMap(({ results }) => results.flatMap(findings)),
      null,
      2,
    )}\n`,
  )
} catch (error) {
  console.error(`no Code Quality report: ${error.message}`)
  exit(1)
}
