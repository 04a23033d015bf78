import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { declared, nothing, sharesOf, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })

describe('a newer commit was applied, and then an older pipeline runs', () => {
  it('and ends in 5, whatever it would do', async () => {
    const world = await worldOf(both({}))
    const first = await world.git('rev-parse', 'HEAD')
    await world.apply()
    await world.commit(both({ percent: 20 }))
    await world.apply()
    const pipeline = await world.clone()
    await pipeline.git('checkout', '--quiet', first)
    const { result, requests } = await world.service.watch(() => pipeline.apply())
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('older_commit')
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
    expect(sharesOf(await world.flag('checkout'))).toEqual([20])
    expect(await pipeline.plan()).toMatchObject({ changes: [], edits: ['checkout filters behind'] })
  })

  it('and ends in 5 also after one that knew nothing of the newer commit', async () => {
    const world = await worldOf(both({}))
    await world.apply()
    const late = await world.clone()
    await world.commit(both({ percent: 20 }))
    await world.apply()
    await cp(join(world.folder, '.vexil'), join(late.folder, '.vexil'), { recursive: true })
    expect((await late.apply()).code).toBe(0)
    await late.git('fetch', '--quiet', 'origin')
    const again = await late.apply()
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('older_commit')])
    expect((await late.apply('--allow older_commit')).code).toBe(0)
    expect(sharesOf(await world.flag('checkout'))).toEqual([20])
  })
})

describe('a branch without what main has merged and applied', () => {
  it('does not take it back, and its own change goes on', async () => {
    const { apply, commit, flag, git, plan } = await worldOf(both({}))
    await apply()
    await git('branch', 'feature')
    const merged = await commit(both({ percent: 20 }))
    await apply()
    await git('checkout', '--quiet', 'feature')
    await commit(both({}, { percent: 15 }))
    const planned = await plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      blocked: [],
      edits: ['checkout filters behind'],
    })
    expect(planned.text).toContain(merged.slice(0, 12))
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([20])
    expect(sharesOf(await flag('other'))).toEqual([15])
  })

  it('does not prune what main has declared since', async () => {
    const { apply, commit, flags, git, plan } = await worldOf({
      ...both({}),
      'vexil.yaml': 'version: 1\nownership: { tag: managed, prune: owned }\n',
    })
    await apply()
    await git('branch', 'feature')
    await commit({ 'fresh.yaml': declared({ fresh: {} })['flags.yaml'] ?? '' })
    await apply()
    await git('checkout', '--quiet', 'feature')
    await commit(both({}, { percent: 15 }))
    expect(await plan()).toMatchObject({
      changes: ['update other: filters'],
      blocked: ['fresh behind'],
      edits: [],
    })
    await apply()
    expect((await flags()).map(({ key }) => key).sort()).toEqual(['checkout', 'fresh', 'other'])
  })

  it('and takes main in: nothing is behind any more', async () => {
    const { apply, commit, git, plan } = await worldOf({
      ...declared({ checkout: {} }),
      'other.yaml': declared({ other: {} })['flags.yaml'] ?? '',
    })
    await apply()
    await git('branch', 'feature')
    await commit(declared({ checkout: { percent: 20 } }))
    await apply()
    await git('checkout', '--quiet', 'feature')
    await commit({ 'other.yaml': declared({ other: { percent: 15 } })['flags.yaml'] ?? '' })
    expect(await plan()).toMatchObject({ edits: ['checkout filters behind'] })
    await git('merge', '--quiet', '--no-edit', 'main')
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update other: filters'] })
    await apply()
    expect(await plan()).toMatchObject(nothing)
  })
})

describe('a hotfix that the clone lacks', () => {
  /** A hotfix turned the flag off from a branch that the other clone never sees. */
  async function hotfix(change: object) {
    const world = await worldOf(both({}))
    await world.apply()
    await world.git('checkout', '--quiet', '-b', 'hotfix')
    await world.commit(both(change))
    expect((await world.apply()).code).toBe(0)
    await world.git('checkout', '--quiet', 'main')
    return world
  }

  it('because it was squashed and pruned, and never came to main: behind, and not taken back', async () => {
    const world = await hotfix({ active: false })
    const clone = await world.clone('--single-branch', '--branch', 'main')
    await clone.commit(both({}, { percent: 15 }))
    const planned = await clone.plan()
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      edits: ['checkout active behind'],
    })
    await clone.apply()
    expect((await world.flag('checkout')).active).toBe(false)
  })

  it('because it was squashed into main: nothing to do, and turned on later it is turned on', async () => {
    const world = await hotfix({ active: false })
    const clone = await world.clone('--single-branch', '--branch', 'main')
    await clone.commit(both({ active: false }))
    expect(await clone.plan()).toMatchObject(nothing)
    await clone.commit(both({}))
    expect(await clone.plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    await clone.apply()
    expect((await world.flag('checkout')).active).toBe(true)
    expect(await clone.plan()).toMatchObject(nothing)
  })

  it('and no record of it either: off is held, and so is the share', async () => {
    const world = await worldOf(both({}))
    await world.apply()
    const clone = await world.clone()
    await world.git('checkout', '--quiet', '-b', 'hotfix')
    await world.commit(both({ active: false, percent: 20 }))
    await world.apply()
    await clone.commit(both({}, { percent: 15 }))
    expect(await clone.plan()).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      edits: ['checkout active held', 'checkout filters held'],
    })
    await clone.apply()
    const live = await world.flag('checkout')
    expect([live.active, sharesOf(live)]).toEqual([false, [20]])
  })
})

describe('a shallow clone', () => {
  it('goes by the digests, and one line says how to fetch the rest', async () => {
    const world = await worldOf(both({}))
    await world.apply()
    await world.click('checkout', { active: false })
    await world.commit(both({}, { percent: 15 }))
    await world.commit(both({}, { percent: 20 }))
    const clone = await world.clone('--depth', '1')
    expect((await clone.vexil('plan')).stderr).toContain('fetch-depth: 0')
    expect(await clone.plan()).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      edits: ['checkout active held'],
    })
  })
})

describe('a commit that was cherry-picked and applied from a release branch', () => {
  it('and then main, which has it too: nothing to do but what main has more', async () => {
    const { apply, commit, flag, git, plan } = await worldOf({
      ...declared({ checkout: {} }),
      'other.yaml': declared({ other: {} })['flags.yaml'] ?? '',
    })
    await apply()
    await git('branch', 'release')
    await commit({ 'other.yaml': declared({ other: { percent: 15 } })['flags.yaml'] ?? '' })
    const fix = await commit(declared({ checkout: { active: false } }))
    await git('checkout', '--quiet', 'release')
    await git('cherry-pick', fix)
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    await apply()
    expect((await flag('checkout')).active).toBe(false)
    await git('checkout', '--quiet', 'main')
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update other: filters'] })
    await apply()
    expect(sharesOf(await flag('other'))).toEqual([15])
    expect(await plan()).toMatchObject(nothing)
  })

  it('and main has taken that back since: behind, until somebody says to go ahead', async () => {
    const { apply, commit, flag, git, plan } = await worldOf({
      ...declared({ checkout: {} }),
      'other.yaml': declared({ other: {} })['flags.yaml'] ?? '',
    })
    await apply()
    await git('branch', 'release')
    const fix = await commit(declared({ checkout: { active: false } }))
    await commit(declared({ checkout: { percent: 15 } }))
    await git('checkout', '--quiet', 'release')
    await commit({ 'other.yaml': declared({ other: { percent: 15 } })['flags.yaml'] ?? '' })
    await git('cherry-pick', fix)
    await apply()
    expect((await flag('checkout')).active).toBe(false)
    await git('checkout', '--quiet', 'main')
    expect(await plan()).toMatchObject({
      code: 0,
      changes: ['update checkout: filters'],
      edits: ['checkout active behind', 'other filters behind'],
    })
    await apply('--allow live_edit=feature_flag.checkout')
    expect((await flag('checkout')).active).toBe(true)
    expect(sharesOf(await flag('other'))).toEqual([15])
  })
})
