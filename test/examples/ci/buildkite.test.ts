import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { PlayedBuild } from '../../support/pipelines/buildkite/play-build.ts'
import { editShopFlag, liveShopFlag, shopFlag } from '../../support/pipelines/shop.ts'
import { aShopOnBuildkite, type ShopOnBuildkite } from './shop-on-buildkite.ts'

/** `examples/ci/buildkite/pipeline.yml`: every step of it, against the sandbox and an agent that keeps what it is asked. */

let service: ShopOnBuildkite['service']
let remote: ShopOnBuildkite['remote']
let play: ShopOnBuildkite['play']

beforeEach(async () => {
  ;({ service, remote, play } = await aShopOnBuildkite())
})

const codes = ({ ran }: PlayedBuild) =>
  Object.fromEntries(Object.entries(ran).map(([key, { code }]) => [key, code]))

it('plans a pull request, and applies after the merge what somebody has looked at', async () => {
  await remote.push('more', { 'flags.yaml': shopFlag(100) })
  const opened = await play({ branch: 'more', beforeUnblock: async () => {} })
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
  const applied = await play({ beforeUnblock: async () => {} })
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
  const failed = await play({ beforeUnblock: async () => {} })
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
