import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { Played } from '../../support/pipelines/gitlab/play-pipeline.ts'
import { editShopFlag, liveShopFlag, shopFlag } from '../../support/pipelines/shop.ts'
import { variants } from '../../support/rounds.ts'
import { aShopOnGitlab, type ShopOnGitlab } from './shop-on-gitlab.ts'

/** `examples/ci/gitlab`: every job of it, against the sandbox and a code host with GitLab's routes. */

let service: ShopOnGitlab['service']
let host: ShopOnGitlab['host']
let remote: ShopOnGitlab['remote']
let play: ShopOnGitlab['play']

beforeEach(async () => {
  ;({ service, host, remote, play } = await aShopOnGitlab())
})

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
  expectCodes(await play('schedule'), { install: 0, drift: 0 })
  expect(host.issues).toMatchObject([
    { state: 'opened', description: expect.stringContaining('[Pipeline 1004]') },
  ])
  await editShopFlag(service, true)
  expectCodes(await play('schedule'), { install: 0, drift: 0 })
  expect(host.issues).toMatchObject([{ state: 'closed' }])
})

it('shows what is wrong with files at its lines, once for each', async () => {
  const broken = `${shopFlag(100).replace('active', 'actve').replace('name', 'nmae')}  other: { nmae: Other, active: false }\n`
  await remote.push('broken', { 'flags.yaml': broken })
  const played = await play('merge_request_event', { ref: 'broken' })
  expectCodes(played, { install: 0, check: 1 })
  const report = await readFile(join(played.jobs.check?.directory ?? '', 'problems.json'), 'utf8')
  const found: { fingerprint: string }[] = JSON.parse(report)
  const unknown = (begin: number) => ({
    description: expect.stringContaining('is not a field of a flag'),
    check_name: 'unknown-key',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    severity: 'major',
    location: { path: 'flags.yaml', lines: { begin } },
  })
  expect(found).toEqual(expect.arrayContaining([unknown(3), unknown(4), unknown(7)]))
  expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length)
})

const forkRuns: readonly [string, string][] = [
  ['in the project, where a member has started it', '1'],
  ['in the fork', '9'],
]

it.each(variants(forkRuns))(
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
