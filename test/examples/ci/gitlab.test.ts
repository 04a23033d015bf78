import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import { aFakeGitlab, type FakeGitlab } from '../../support/pipelines/gitlab/fake-gitlab.ts'
import { type Played, playPipeline } from '../../support/pipelines/gitlab/play-pipeline.ts'
import { aRemote, type Remote } from '../../support/pipelines/remote.ts'
import { aRunner, type Runner } from '../../support/pipelines/runner.ts'
import { editShopFlag, liveShopFlag, shopFiles, shopFlag, shopKeys } from '../../support/pipelines/shop.ts'
import { ways } from '../../support/rounds.ts'
import { type Service, startService } from '../../support/service.ts'

/** `examples/ci/gitlab`: every job of it, against the sandbox and a code host with GitLab's routes. */

const token = 'glpat-of-the-project-0001'

let service: Service
let host: FakeGitlab
let remote: Remote
let runner: Runner
let pipeline: number

beforeEach(async () => {
  service = await startService({ empty: false })
  host = await aFakeGitlab(token)
  runner = await aRunner()
  pipeline = 1000
  remote = await aRemote({
    ...shopFiles(service),
    '.gitlab-ci.yml': await readFile(join(packageRoot, 'examples/ci/gitlab/.gitlab-ci.yml')),
  })
})

afterEach(() => service.close())

interface Kind {
  readonly ref?: string
  /** The project that a merge request comes from; 1 is the project itself. */
  readonly fork?: string
  /** The project that the pipeline runs in, with its variables: that of a fork, unless a member starts it in the other. */
  readonly runsIn?: string
  readonly started?: string
}

async function play(
  source: 'merge_request_event' | 'push' | 'schedule',
  { ref = 'main', fork = '1', runsIn = fork, started }: Kind = {},
): Promise<Played> {
  const id = String(pipeline++)
  const isMergeRequest = source === 'merge_request_event'
  const { read, write } = shopKeys(service)
  const played = await playPipeline({
    runner,
    remote,
    ref,
    ...(started === undefined ? {} : { started }),
    predefined: {
      CI_PIPELINE_SOURCE: source,
      CI_PIPELINE_ID: id,
      CI_PIPELINE_URL: `https://gitlab.example.com/acme/flags/-/pipelines/${id}`,
      CI_API_V4_URL: `${host.url}/api/v4`,
      CI_PROJECT_ID: runsIn,
      CI_DEFAULT_BRANCH: 'main',
      ...(isMergeRequest
        ? {
            CI_MERGE_REQUEST_IID: '7',
            CI_MERGE_REQUEST_PROJECT_ID: '1',
            CI_MERGE_REQUEST_SOURCE_PROJECT_ID: fork,
          }
        : { CI_COMMIT_BRANCH: 'main' }),
    },
    variables:
      runsIn === '1'
        ? {
            VEXIL_READ_KEY: { 'production/read': read },
            VEXIL_GITLAB_TOKEN: { 'production/read': token },
            // Protected: only pipelines of protected branches have it.
            ...(isMergeRequest ? {} : { VEXIL_WRITE_KEY: { production: write } }),
          }
        : {},
  })
  expect(host.unknown).toEqual([])
  const installing = await readFile(join(runner.home, 'npm-ci.env'), 'utf8')
  for (const secret of [read, write, token]) {
    for (const text of [played.log, installing, JSON.stringify([host.issues, ...host.notes])])
      expect(text.includes(secret)).toBe(false)
  }
  return played
}

/** Expects that just these jobs ran, and ended so. */
function expectCodes({ jobs, log }: Played, expected: Readonly<Record<string, number>>): void {
  expect(Object.fromEntries(Object.entries(jobs).map(([name, { code }]) => [name, code])), log).toEqual(
    expected,
  )
}

const planned = { install: 0, check: 0, plan: 0 }

it('notes plans of a merge request in one note, applies after the merge, and tells of drift in one issue', async () => {
  await remote.push('more', { 'flags.yaml': shopFlag(100) })
  service.faults('status=401')
  expectCodes(await play('merge_request_event', { ref: 'more' }), { ...planned, plan: 1 })
  service.faults()
  const first = structuredClone(host.notes.get('7') ?? [])
  expect(first.map(({ body }) => body)).toEqual([expect.stringContaining('401')])

  await remote.push('more', { 'plugins.yaml': 'plugins: { geo: { plugin_type: source } }\n' })
  const opened = await play('merge_request_event', { ref: 'more' })
  expectCodes(opened, planned)
  expect(opened.jobs.check?.log).toContain('1 test of 1 flag: 1 passed')
  const [note, ...more] = host.notes.get('7') ?? []
  expect([note?.id, more]).toEqual([first[0]?.id, []])
  expect(note?.body).toMatch(/^<!-- vexil:plan:production -->\n/)
  expect(note?.body).toMatch(/flag checkout_v2[\s\S]*everyone at 100%[\s\S]*plugin geo/)
  expect(note?.body).toContain('[Pipeline 1001](https://gitlab.example.com/acme/flags/-/pipelines/1001)')
  expect(note?.body).not.toMatch(/401|local changes/)
  expect(await liveShopFlag(service)).toBeUndefined()

  const merged = await remote.merge('more')
  expectCodes(await play('push', { started: 'apply' }), { ...planned, apply: 0 })
  expect((await liveShopFlag(service))?.filters.groups[0]?.rollout_percentage).toBe(100)
  expect(await remote.git('show', 'refs/vexil/runs', '--format=')).toContain(merged)
  expect(host.notes.get('7')).toHaveLength(1)

  await editShopFlag(service, false)
  expectCodes(await play('schedule'), { install: 0, drift: 0 })
  expect(host.issues).toMatchObject([
    {
      title: 'Feature flags of production are not as declared',
      labels: ['vexil-drift'],
      state: 'opened',
      description: expect.stringMatching(/^<!-- vexil:drift:production -->\n[\s\S]*\[Pipeline 1003\]/),
    },
  ])
  await editShopFlag(service, true)
  expectCodes(await play('schedule'), { install: 0, drift: 0 })
  expect(host.issues).toMatchObject([{ state: 'closed' }])
})

const forkRuns: readonly [string, string][] = [
  ['in the project, where a member has started it', '1'],
  ['in the fork', '9'],
]

it.each(ways(forkRuns))(
  'checks and tests a merge request of a fork, and says why there is no plan: %s',
  async (_, runsIn) => {
    await remote.push('theirs', { 'flags.yaml': shopFlag(100) })
    const { result: fork, requests } = await service.watch(() =>
      play('merge_request_event', { ref: 'theirs', fork: '9', runsIn }),
    )
    expectCodes(fork, { install: 0, check: 0 })
    expect(fork.jobs.check?.log).toContain(
      'comes from a fork, which gets no keys: files are checked and tested',
    )
    expect([requests, host.log]).toEqual([[], []])
  },
)
