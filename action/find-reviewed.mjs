/*
 * Finds what reviewers have seen: the plan of the newest commit of the pull request that this commit has merged.
 *
 * | there is                                              | run-id                     |
 * |-------------------------------------------------------|----------------------------|
 * | no pull request that ends in this commit              | empty: nobody has reviewed |
 * | no plan of its newest commit, or only an expired one  | empty                      |
 * | a plan that a fork has kept under that name           | empty: a stranger wrote it |
 * | several plans of that commit                          | that of the newest         |
 */
import { exit } from 'node:process'
import { CodeHostError, codeHost, withPatience } from './code-host.mjs'
import { annotate, input, required, setOutputs } from './workflow-files.mjs'

/**
 * @typedef {{ merged_at: string | null, merge_commit_sha: string | null, number: number, head: { sha: string } }} Pull
 * @typedef {{ id: number, expired: boolean, workflow_run: { id: number, head_sha: string, repository_id: number,
 *   head_repository_id: number } | null }} Artifact
 */

const host = codeHost({
  apiUrl: required('GITHUB_API_URL'),
  repository: required('GITHUB_REPOSITORY'),
  token: input('TOKEN'),
})
const commit = required('GITHUB_SHA')
const name = input('ARTIFACT')

try {
  setOutputs({ 'run-id': await withPatience(find) })
} catch (error) {
  if (!(error instanceof CodeHostError)) throw error
  annotate('error', `the reviewed plan was not looked for: ${error.message}`)
  exit(1)
}

/** The run's id, or an empty text; a line in the log says why. */
async function find() {
  const pulls = /** @type {Pull[]} */ (await host.all(`/commits/${commit}/pulls`))
  const pull = pulls.find(
    ({ merged_at, merge_commit_sha }) => merged_at !== null && merge_commit_sha === commit,
  )
  if (pull === undefined) return nobody('no pull request ends in this commit')
  const artifacts = /** @type {Artifact[]} */ (
    await host.all(`/actions/artifacts?name=${encodeURIComponent(name)}`, 'artifacts')
  )
  const [newest] = artifacts
    .filter(({ expired, workflow_run: run }) => !expired && run?.head_sha === pull.head.sha)
    .filter(({ workflow_run: run }) => run?.head_repository_id === run?.repository_id)
    .sort((left, right) => right.id - left.id)
  if (!newest?.workflow_run)
    return nobody(`#${pull.number} has no plan of ${pull.head.sha} under the name "${name}"`)
  console.log(`the reviewed plan is that of run ${newest.workflow_run.id}, of #${pull.number}`)
  return String(newest.workflow_run.id)
}

/** @param {string} why */
function nobody(why) {
  console.log(`no reviewed plan: ${why}`)
  return ''
}
