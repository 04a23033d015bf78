#!/usr/bin/env node
// Tells a report of Vexil where people of a GitLab project see it.
//
//   tell-gitlab.mjs note REPORT.md          the one note of a merge request; written again in place
//   tell-gitlab.mjs issue REPORT.md CODE    after `vexil drift`, which ended in CODE: opens or updates the one issue (6),
//                                           closes it (0), and ends in CODE for anything else
//
// VEXIL_GITLAB_TOKEN is a project access token with the scope "api" and the role Reporter: CI_JOB_TOKEN may not write
// notes. Own notes and issues are found by their author and by the first line of the report, which is a comment.
import { readFileSync } from 'node:fs'
import { env, exit } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { writeOneNote } from '../../../action/one-note.mjs'

const [what, file, code = '0'] = process.argv.slice(2)
const token = env.VEXIL_GITLAB_TOKEN
const project = `projects/${env.CI_MERGE_REQUEST_PROJECT_ID ?? env.CI_PROJECT_ID}`

/** Asks GitLab; waits where it is told to, and tries reading again where GitLab failed. */
async function ask(method, path, body, attempt = 1) {
  const answer = await fetch(`${env.CI_API_V4_URL}/${path}`, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    // No token goes to another place than this.
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  })
  // A write that failed may have been done, so it is not sent again; 429 says that it was not.
  if (attempt < 4 && (answer.status === 429 || (answer.status >= 500 && method === 'GET'))) {
    const seconds = Number(answer.headers.get('retry-after') ?? attempt * 2)
    await setTimeout(Math.min(Number.isFinite(seconds) ? seconds : 60, 60) * 1000)
    return ask(method, path, body, attempt + 1)
  }
  if (!answer.ok) {
    const hint = [401, 403, 404].includes(answer.status)
      ? '; VEXIL_GITLAB_TOKEN needs the scope "api" and the role Reporter in this project'
      : ''
    throw new Error(`${method} ${path}: GitLab answered ${answer.status}${hint}`)
  }
  return answer
}

const read = async (method, path, body) => (await ask(method, path, body)).json()

/** All pages of a list. */
async function list(path) {
  const rows = []
  for (let page = '1'; page; ) {
    const answer = await ask('GET', `${path}&per_page=100&page=${page}`)
    rows.push(...(await answer.json()))
    page = answer.headers.get('x-next-page')
  }
  return rows
}

/** The number of the pipeline that wrote a text, so that an older one that ends later does not write over it. */
const pipelineOf = text => BigInt(/<!-- pipeline (\d+) -->/.exec(text)?.[1] ?? 0)

/** The report, with where it comes from. */
function bodyOf(report) {
  const { CI_PIPELINE_ID: id, CI_PIPELINE_URL: url, CI_COMMIT_SHORT_SHA: commit } = env
  return `${report.trimEnd()}\n\n[Pipeline ${id}](${url}), commit ${commit}\n\n<!-- pipeline ${id} -->\n`
}

async function note(report, marker) {
  const path = `${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`
  const { id: author } = await read('GET', 'user')
  const id = await writeOneNote(
    {
      own: async () =>
        (await list(`${path}?sort=asc&order_by=created_at`)).filter(
          each => each.author.id === author && each.body.startsWith(marker),
        ),
      create: body => ask('POST', path, { body }),
      update: (id, body) => ask('PUT', `${path}/${id}`, { body }),
      remove: id => ask('DELETE', `${path}/${id}`),
    },
    { body: bodyOf(report), runOf: pipelineOf },
  )
  return id === undefined ? 'a newer pipeline has written the note' : `wrote note ${id}`
}

async function issue(report, marker) {
  const { id: author } = await read('GET', 'user')
  const open = await list(
    `${project}/issues?state=opened&scope=all&author_id=${author}&order_by=created_at&sort=asc`,
  )
  const mine = open.find(({ description }) => description?.startsWith(marker))
  if (code === '0') {
    if (!mine) return 'as declared, and no issue is open'
    await ask('POST', `${project}/issues/${mine.iid}/notes`, { body: bodyOf('Live is as declared again.') })
    await ask('PUT', `${project}/issues/${mine.iid}`, { state_event: 'close' })
    return `closed issue #${mine.iid}`
  }
  const description = bodyOf(report)
  if (mine) {
    await ask('PUT', `${project}/issues/${mine.iid}`, { description })
    return `updated issue #${mine.iid}`
  }
  const environment = /^<!-- vexil:drift:(.*) -->/.exec(marker)?.[1]
  const title = `Feature flags of ${environment} are not as declared`
  const { iid } = await read('POST', `${project}/issues`, { title, description, labels: 'vexil-drift' })
  return `opened issue #${iid}`
}

const tell = { __proto__: null, note, issue }[what]
if (!tell || !file) {
  console.error('usage: tell-gitlab.mjs note REPORT.md | issue REPORT.md CODE')
  exit(64)
}
if (what === 'note' && !env.CI_MERGE_REQUEST_IID) exit(0)
// Drift failed: its log says why, and nobody knows whether an issue should be open.
if (what === 'issue' && !['0', '6'].includes(code)) exit(Number(code))
// Nobody is told of drift by an issue, so the job has to fail for that.
const untold = what === 'issue' ? Number(code) : 0
if (!token) {
  console.error(`VEXIL_GITLAB_TOKEN is not set, so no ${what} is written`)
  exit(untold)
}
try {
  const report = readFileSync(file, 'utf8')
  const marker = report.slice(0, report.indexOf('\n'))
  if (!/^<!-- vexil:.+ -->$/.test(marker)) throw new Error(`${file} is no Markdown report of Vexil`)
  console.log(await tell(report, marker))
} catch (error) {
  console.error(`the ${what} was not written: ${error.cause?.message ?? error.message}`)
  exit(untold || 1)
}
