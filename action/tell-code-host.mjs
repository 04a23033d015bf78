/* Tells what came of a command in a comment or an issue. Runs after it, also where it has failed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, exit } from 'node:process'
import { CodeHostError, codeHost, withPatience } from './code-host.mjs'
import { writeComment } from './comment.mjs'
import { writeIssue } from './issue.mjs'
import { annotate, input, required } from './workflow-files.mjs'

/** The most characters that GitHub takes of a comment or an issue, https://docs.github.com/rest. */
const mostCharacters = 65_536

const command = input('COMMAND')
const environment = input('ENVIRONMENT')
const directory = input('WORKING_DIRECTORY') || '.'
const exitCode = env.VEXIL_EXIT_CODE ?? ''
const author = input('AUTHOR')
const host = codeHost({
  apiUrl: required('GITHUB_API_URL'),
  repository: required('GITHUB_REPOSITORY'),
  token: input('TOKEN'),
})

if (input('COMMENT') === 'true') await tell('comment', 'pull-requests: write', comment)
// The issue is all that anybody sees of a nightly run: where it cannot be written, the run has failed.
if (input('ISSUE') === 'true' && !(await tell('issue', 'issues: write', issue))) exit(1)

async function comment() {
  const { pull_request } = JSON.parse(readFileSync(required('GITHUB_EVENT_PATH'), 'utf8'))
  if (pull_request === undefined) return console.log('no comment: this run is not about a pull request')
  await writeComment(host, {
    pullRequest: pull_request.number,
    author,
    marker: markerOf(),
    run: required('GITHUB_RUN_ID'),
    text: textOf(),
  })
}

async function issue() {
  // Anything else says nothing about drift, and the step before has failed.
  if (exitCode !== '0' && exitCode !== '6') return console.log(`no issue: vexil drift ended in ${exitCode}`)
  const marker = `${markerOf()} -->`
  await writeIssue(host, {
    author,
    marker,
    title: `Drift in ${environment || 'the service'}`,
    body: `${marker}\n${textOf()}`,
    isDrift: exitCode === '6',
    closing: `The service is as it is declared again: ${runLink()}.`,
  })
}

/**
 * Answers whether it was told; a line on the page of the run says why not.
 * @param {string} what @param {string} permission @param {() => Promise<void>} write
 */
async function tell(what, permission, write) {
  try {
    await withPatience(write)
    return true
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error
    const isRefused = [401, 403, 404].includes(error.status) && error.waitMs === undefined
    const hint = isRefused ? `; the job needs \`permissions: { ${permission} }\`, and a fork has none` : ''
    annotate('warning', `the ${what} was not written: ${error.message}${hint}`)
    return false
  }
}

/** How the first line begins, by which a later run finds what this one has written. Nobody sees it. */
function markerOf() {
  const parts = [command, environment, directory].map(part =>
    encodeURIComponent(part).replaceAll('--', '-%2D'),
  )
  return `<!-- vexil-action:${parts.join(':')}`
}

/** A report, with the run that made it; short enough for a comment with its marker. */
function textOf() {
  const failed = `### Failed: vexil ${command}\n\nIt ended before it could tell anything: see the log of the run.`
  const end = `\n\nBy ${runLink()}\n`
  // Reports end below 60,000 characters themselves.
  return `${(report() ?? failed).trimEnd().slice(0, mostCharacters - 2000)}${end}`
}

function report() {
  const folder = env.VEXIL_REPORTS
  if (!folder) return undefined
  try {
    return readFileSync(join(folder, 'report.md'), 'utf8')
  } catch {
    return undefined
  }
}

function runLink() {
  const page = `${required('GITHUB_SERVER_URL')}/${required('GITHUB_REPOSITORY')}/actions/runs/${required('GITHUB_RUN_ID')}`
  return `[run ${required('GITHUB_RUN_NUMBER')}](${page})`
}
