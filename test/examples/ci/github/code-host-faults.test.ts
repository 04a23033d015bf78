import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { packageRoot } from '../../../support/built.ts'
import { writeFiles } from '../../../support/folder.ts'
import type { HostAnswer, HostRequest } from '../../../support/pipelines/code-host.ts'
import {
  aGitHubHost,
  bot,
  type GitHubHost,
  repository,
} from '../../../support/pipelines/github/github-host.ts'
import { aRunner, type Runner } from '../../../support/pipelines/runner.ts'

/** What becomes of the comment where the code host, or another run, gets in the way. No command of Vexil runs here. */

let host: GitHubHost
let runner: Runner
const isCreate = ({ method }: HostRequest) => method === 'POST'

beforeEach(async () => {
  host = await aGitHubHost()
  runner = await aRunner()
  await writeFiles(runner.folder, {
    'event.json': JSON.stringify({ pull_request: { number: 1 } }),
    'reports/report.md': '<!-- vexil:plan:production -->\n### Plan for production\n',
  })
})

const tell = (run = 70, more: Readonly<Record<string, string>> = {}) =>
  runner.run(`exec node ${join(packageRoot, 'action/tell-code-host.mjs')}`, {
    directory: runner.folder,
    env: {
      GITHUB_API_URL: host.url,
      GITHUB_EVENT_PATH: join(runner.folder, 'event.json'),
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ID: String(run),
      GITHUB_RUN_NUMBER: '7',
      GITHUB_SERVER_URL: 'https://github.example',
      INPUT_COMMAND: 'plan',
      INPUT_ENVIRONMENT: 'production',
      INPUT_COMMENT: 'true',
      INPUT_AUTHOR: bot,
      INPUT_TOKEN: host.tokenFor({ 'pull-requests': 'write' }),
      VEXIL_EXIT_CODE: '0',
      VEXIL_REPORTS: join(runner.folder, 'reports'),
      ...more,
    },
  })

const later: HostAnswer = {
  status: 429,
  body: { message: 'API rate limit exceeded' },
  headers: { 'retry-after': '0' },
}

it.each([
  ['502', { ...later, status: 502 }],
  ['503', { ...later, status: 503 }],
  ['429', later],
  ['403 for too many requests', { ...later, status: 403 }],
])('asks again after %s, and writes one comment', async (_, answer) => {
  let left = 2
  host.disturb(() => (left-- > 0 ? answer : undefined))
  expect(await tell()).toEqual({ code: 0, log: '' })
  expect(host.comments).toHaveLength(1)
})

it('writes no second comment where the answer to the first was lost', async () => {
  let isLost = false
  host.disturb(request => {
    if (!isCreate(request) || isLost) return undefined
    isLost = true
    host.comments.push({
      id: 1,
      issue: 1,
      user: { login: bot },
      body: (request.body as { body: string }).body,
    })
    return { ...later, status: 502 }
  })
  expect(await tell()).toEqual({ code: 0, log: '' })
  expect(host.comments).toHaveLength(1)
  expect(host.log.filter(line => line.startsWith('POST'))).toHaveLength(1)
})

it.each([
  ['401', { status: 401, body: { message: 'Bad credentials' } }, 'pull-requests: write'],
  ['403', { status: 403, body: { message: 'not for you' } }, 'pull-requests: write'],
  ['404', { status: 404, body: { message: 'Not Found' } }, 'pull-requests: write'],
  ['5xx all the time', { ...later, status: 500 }, '500'],
  [
    'something else than a list',
    { status: 200, body: { message: 'Welcome' } },
    '200 the answer is not a list',
  ],
  ['a list of something else', { status: 200, body: [null] }, '200 the answer is not a list'],
  ['a limit that lasts an hour', { ...later, headers: { 'retry-after': '3600' } }, 'rate limit'],
])('says why there is no comment, and fails nothing: %s', async (_, answer: HostAnswer, hint) => {
  host.disturb(() => answer)
  const token = host.tokenFor({ 'pull-requests': 'write' })
  const ran = await tell(70, { INPUT_TOKEN: token })
  expect(ran).toEqual({
    code: 0,
    log: expect.stringMatching(/^::warning::the comment was not written: .*\n$/),
  })
  expect(ran.log).toContain(hint)
  expect(ran.log).not.toContain(token)
})

it('writes nothing with a token that only reads', async () => {
  const ran = await tell(70, { INPUT_TOKEN: host.tokenFor({ 'pull-requests': 'read' }) })
  expect(ran).toMatchObject({
    code: 0,
    log: expect.stringContaining('permissions: { pull-requests: write }'),
  })
  expect(host.comments).toEqual([])
})

it('finds its comment on a later page, and leaves those of others alone', async () => {
  const said = (id: number, login: string, body: string) => ({ id, issue: 1, user: { login }, body })
  const marker = '<!-- vexil-action:plan:production:.'
  const others = [
    said(1, 'mallory', `${marker} of 1 -->\nmine`),
    said(2, bot, `<!-- vexil-action:plan:staging:. of 1 -->\nanother environment`),
    said(3, bot, 'Quoted:\n<!-- vexil-action:plan:production:. of 1 -->'),
    said(4, bot, `${marker.slice(0, -1)}infra of 1 -->\nanother folder`),
  ]
  host.comments.push(...structuredClone(others), said(5, bot, `${marker} of 1 -->\nold`))
  expect(await tell()).toEqual({ code: 0, log: '' })
  expect(host.comments).toEqual([...others, said(5, bot, expect.stringContaining('Plan for production'))])
  expect(host.log.at(-1)).toBe(`PATCH /repos/${repository}/issues/comments/5 200`)
})

it('leaves one comment of two runs at once, that of the later run', async () => {
  // Both have looked, and found nothing, before either writes.
  let isFirst = true
  host.disturb(({ method }) => {
    if (method !== 'GET' || !isFirst) return undefined
    isFirst = false
    host.comments.push({
      id: 1,
      issue: 1,
      user: { login: bot },
      body: '<!-- vexil-action:plan:production:. of 69 -->\nof the other run',
    })
    return { status: 200, body: [] }
  })
  await tell(70)
  expect(host.comments).toEqual([
    expect.objectContaining({ id: 1, body: expect.stringContaining(' of 70 -->') }),
  ])

  await tell(68)
  expect(host.comments).toEqual([expect.objectContaining({ body: expect.stringContaining(' of 70 -->') })])
})
