import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import { playBuild } from '../../support/pipelines/buildkite/play-build.ts'
import { aRemote, type Remote } from '../../support/pipelines/remote.ts'
import { aRunner, type Runner } from '../../support/pipelines/runner.ts'
import { editShopFlag, liveShopFlag, shopFiles, shopFlag, shopKeys } from '../../support/pipelines/shop.ts'
import { type Service, startService } from '../../support/service.ts'

/** `examples/ci/buildkite/pipeline.yml`: every step of it, against the sandbox and an agent that keeps what it is asked. */

let service: Service
let remote: Remote
let runner: Runner

beforeEach(async () => {
  service = await startService({ empty: false })
  runner = await aRunner()
  remote = await aRemote({
    ...shopFiles(service),
    '.buildkite/pipeline.yml': await readFile(join(packageRoot, 'examples/ci/buildkite/pipeline.yml')),
  })
})

afterEach(() => service.close())

interface Kind {
  readonly branch?: string
  readonly source?: 'webhook' | 'schedule'
  readonly isFork?: boolean
  readonly isUnblocked?: boolean
}

async function play({ branch = 'main', source = 'webhook', isFork = false, isUnblocked = false }: Kind) {
  const isMain = branch === 'main'
  const { read, write } = shopKeys(service)
  const played = await playBuild({
    runner,
    remote,
    ref: branch,
    isUnblocked,
    conditions: {
      build: {
        source,
        branch,
        pull_request: { id: isMain ? null : '7', repository: { fork: isMain ? null : isFork } },
      },
      pipeline: { default_branch: 'main' },
    },
    secrets: isFork ? {} : { VEXIL_READ_KEY: read, ...(isMain ? { VEXIL_WRITE_KEY: write } : {}) },
  })
  const installing = await readFile(join(runner.home, 'npm-ci.env'), 'utf8')
  const logs = Object.values(played.ran).map(({ log }) => log)
  const told = played.calls.flatMap(({ words, input }) => [words, input])
  for (const secret of [read, write])
    for (const text of [...logs, ...told, installing]) expect(text.includes(secret)).toBe(false)
  return played
}

const codes = ({ ran }: Awaited<ReturnType<typeof play>>) =>
  Object.fromEntries(Object.entries(ran).map(([key, { code }]) => [key, code]))

it('plans a pull request, and applies after the merge what somebody has looked at', async () => {
  await remote.push('more', { 'flags.yaml': shopFlag(100) })
  const opened = await play({ branch: 'more', isUnblocked: true })
  expect(codes(opened), opened.ran.plan?.log).toEqual({ check: 0, plan: 0 })
  expect(opened.ran.check?.log).toContain('1 test of 1 flag: 1 passed')
  expect(opened.calls.map(({ words }) => words)).toEqual([
    'secret get VEXIL_READ_KEY',
    'annotate --context vexil-plan --style info',
  ])
  expect(opened.calls[1]?.input).toMatch(/^<!-- vexil:plan:production -->\n[\s\S]*flag checkout_v2/)
  expect(opened.calls[1]?.input).not.toContain('local changes')
  expect((await readdir(join(opened.folder, 'artifacts/plan/plan'))).sort()).toEqual([
    'plan.html',
    'plan.json',
    'plan.md',
  ])

  await remote.merge('more')
  expect(codes(await play({}))).toEqual({ check: 0, plan: 0 })
  expect(await liveShopFlag(service)).toBeUndefined()
  const applied = await play({ isUnblocked: true })
  expect(codes(applied), applied.ran.apply?.log).toEqual({ check: 0, plan: 0, approve: 0, apply: 0 })
  expect(applied.calls.at(-1)?.words).toBe('annotate --context vexil-apply --style success')
  expect((await liveShopFlag(service))?.filters.groups[0]?.rollout_percentage).toBe(100)
  expect(await readdir(join(applied.folder, 'artifacts/apply/.vexil/runs'))).not.toEqual([])

  expect(codes(await play({ source: 'schedule' }))).toEqual({ drift: 0 })
  await editShopFlag(service, false)
  const drifted = await play({ source: 'schedule' })
  expect(codes(drifted)).toEqual({ drift: 6 })
  expect(drifted.calls.at(-1)).toMatchObject({
    words: 'annotate --context vexil-drift --style warning',
    input: expect.stringMatching(/^<!-- vexil:drift:production -->\n[\s\S]*checkout_v2/),
  })
})

it('tells why a plan failed, and has no plan to apply', async () => {
  service.faults('status=401')
  const failed = await play({ isUnblocked: true })
  expect(codes(failed)).toEqual({ check: 0, plan: 1 })
  expect(failed.calls.at(-1)).toMatchObject({
    words: 'annotate --context vexil-plan --style error',
    input: expect.stringContaining('401'),
  })
})

it('checks and tests a pull request of a fork, and says why there is no plan', async () => {
  await remote.push('theirs', { 'flags.yaml': shopFlag(100) })
  const { result: fork, requests } = await service.watch(() => play({ branch: 'theirs', isFork: true }))
  expect(codes(fork)).toEqual({ check: 0, fork: 0 })
  expect(fork.ran.fork?.log).toContain('comes from a fork, which gets no keys')
  expect([requests, fork.calls]).toEqual([[], []])
})
