import { describe, expect, it, onTestFinished } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { declared, nothing, sharesOf, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })

/** Settings that let a share grow by 25 points in one step. */
const withSteps = { 'vexil.yaml': 'version: 1\nlimits: { rollout_step: 25 }\n' }

describe('what the repository changes is its own change', () => {
  it('where an apply was answered 500, and is tried again', async () => {
    const { apply, commit, flag, plan, service } = await worldOf(both({}))
    await apply()
    await commit(both({ active: false }))
    service.faults('PATCH /feature_flags/* status=500')
    expect((await apply()).code).toBe(1)
    service.faults()
    expect((await flag('checkout')).active).toBe(true)
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    expect((await apply()).code).toBe(0)
    expect((await flag('checkout')).active).toBe(false)
    expect(await plan()).toMatchObject(nothing)
  })

  it('where the answer was lost and the write was made', async () => {
    const { apply, commit, flag, plan, service } = await worldOf(both({}))
    await apply()
    await commit(both({ active: false }))
    service.faults('PATCH /feature_flags/* reset_after')
    await apply()
    service.faults()
    expect((await flag('checkout')).active).toBe(false)
    expect(await plan()).toMatchObject(nothing)
    await commit(both({}))
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
  })

  it('where it was blocked before: it is blocked again, and no live edit', async () => {
    const { apply, commit, flag, plan } = await worldOf({ ...both({}), ...withSteps })
    await apply()
    await commit(both({ percent: 100 }))
    const blocked = { code: 0, blocked: ['checkout rollout_step'], edits: [] }
    expect(await plan()).toMatchObject({ ...blocked, changes: [] })
    await apply()
    await commit(both({ percent: 100 }, { percent: 20 }))
    expect(await plan()).toMatchObject({ ...blocked, changes: ['update other: filters'] })
    await apply()
    expect(sharesOf(await flag('checkout'))).toEqual([10])
    expect(sharesOf(await flag('other'))).toEqual([20])
    expect(await plan()).toMatchObject({ ...blocked, changes: [] })
  })

  it('where only one object was applied, and all are later', async () => {
    const { apply, commit, flag, plan } = await worldOf(both({}))
    await apply()
    await commit(both({ active: false }, { percent: 20 }))
    await apply('--target other')
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    await apply()
    expect((await flag('checkout')).active).toBe(false)
    expect(await plan()).toMatchObject(nothing)
  })

  it('where production is four commits behind staging', async () => {
    const { apply, commit, flag, plan, service } = await worldOf(both({}))
    const staging = await startService()
    onTestFinished(staging.close)
    const at = ({ url, env }: Service) =>
      `{ base_url: "${url}", project: "${env.VEXIL_PROJECT_ID}", organization: ${env.VEXIL_ORGANIZATION_ID} }`
    await commit({
      'vexil.yaml': `version: 1\nenvironments: { staging: ${at(staging)}, production: ${at(service)} }\n`,
    })
    const env = { VEXIL_BASE_URL: undefined, VEXIL_PROJECT_ID: undefined, VEXIL_ORGANIZATION_ID: undefined }
    expect((await apply('--env production', env)).code).toBe(0)
    for (const percent of [12, 14, 16, 18]) {
      await commit(both({ percent }))
      expect((await apply('--env staging', env)).code).toBe(0)
    }
    expect(await plan('--env staging', env)).toMatchObject(nothing)
    expect(sharesOf(await flag('checkout'))).toEqual([10])
    expect(await plan('--env production', env)).toMatchObject({
      ...nothing,
      changes: ['update checkout: filters'],
    })
    await apply('--env production', env)
    expect(sharesOf(await flag('checkout'))).toEqual([18])
    expect(await plan('--env production', env)).toMatchObject(nothing)
  })

  it('where a value that the process environment gives is another one', async () => {
    const groups =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the files write variables so
      '[{ properties: [{ key: country, type: person, operator: exact, value: ["${env:COUNTRY}"] }] }]'
    const { apply, flag, plan } = await worldOf({
      'flags.yaml': `feature_flags:\n  checkout: { active: true, filters: { groups: ${groups} } }\n`,
    })
    await apply('', { COUNTRY: 'DE' })
    expect(await plan('', { COUNTRY: 'DE' })).toMatchObject(nothing)
    expect(await plan('', { COUNTRY: 'AT' })).toMatchObject({
      ...nothing,
      changes: ['update checkout: filters'],
    })
    await apply('', { COUNTRY: 'AT' })
    expect((await flag('checkout')).filters).toMatchObject({
      groups: [{ properties: [{ key: 'country', value: ['AT'] }] }],
    })
    expect(await plan('', { COUNTRY: 'AT' })).toMatchObject(nothing)
  })

  it('where a commit is reverted after it was applied; before that there is nothing to do', async () => {
    const { apply, commit, flag, git, plan } = await worldOf(both({}))
    await apply()
    await commit(both({ active: false }))
    await git('revert', '--no-edit', 'HEAD')
    expect(await plan()).toMatchObject(nothing)
    const off = await commit(both({ active: false }))
    await apply()
    await git('revert', '--no-edit', off)
    expect(await plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
    await apply()
    expect((await flag('checkout')).active).toBe(true)
  })
})

describe('what is no change at all', () => {
  it.each([
    ['moved', { 'flags.yaml': null, 'flags/all.yaml': 'both' }],
    ['split', { 'flags.yaml': 'checkout', 'flags/other.yaml': 'other' }],
  ])('a file that is %s', async (_, files) => {
    const texts = {
      both: both({})['flags.yaml'] ?? '',
      checkout: declared({ checkout: {} })['flags.yaml'] ?? '',
      other: declared({ other: {} })['flags.yaml'] ?? '',
    }
    const { apply, click, commit, git, plan } = await worldOf(both({}))
    await apply()
    await click('checkout', { active: false })
    if (files['flags.yaml'] === null) await git('rm', '--quiet', 'flags.yaml')
    await commit(
      Object.fromEntries(
        Object.entries(files).flatMap(([name, text]) =>
          text === null ? [] : [[name, texts[text as keyof typeof texts]]],
        ),
      ),
    )
    expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout active held'] })
  })

  it('a field that is newly declared, against nobody, and one that is declared no longer', async () => {
    const { apply, click, commit, plan } = await worldOf(both({ more: 'name: Checkout' }))
    await apply()
    await click('checkout', { name: 'Clicked', tags: ['clicked'] })
    await commit(both({ more: 'tags: [shop]' }))
    expect(await plan()).toMatchObject({ code: 0, changes: ['update checkout: tags'], edits: [] })
  })

  it('the first tag of ownership: a claim, and no live edit', async () => {
    const { apply, commit, plan } = await worldOf(both({ more: 'tags: [shop]' }))
    await apply()
    await commit({ 'vexil.yaml': 'version: 1\nownership: { tag: managed }\n' })
    expect(await plan()).toMatchObject({
      code: 0,
      changes: ['claim checkout: tags', 'claim other: tags'],
      blocked: [],
      edits: [],
    })
    await apply()
    expect(await plan()).toMatchObject(nothing)
  })
})

it('the first apply after an export starts the base, though it changes nothing', async () => {
  const { apply, click, commit, plan, service, vexil } = await worldOf({})
  await service.send('POST', '/api/projects/1/feature_flags/', {
    key: 'checkout',
    active: true,
    filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
  })
  expect((await vexil(`export -d flags`)).code).toBe(0)
  await commit({})
  expect(await plan()).toMatchObject(nothing)
  expect((await apply()).code).toBe(0)
  await click('checkout', { active: false })
  expect(await plan()).toMatchObject({ ...nothing, edits: ['checkout active held'] })
})
