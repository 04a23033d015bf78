import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { git } from '../../git/repository.ts'
import { folderOfTest } from '../../support/folder.ts'
import { type Service, startService } from '../../support/service.ts'
import { type Clone, cloneIn, declared, everyoneAt, nothing, sharesOf, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })

/** The place comes from the settings alone. */
const env = { VEXIL_BASE_URL: undefined, VEXIL_PROJECT_ID: undefined, VEXIL_ORGANIZATION_ID: undefined }
const staging = ['--env staging', env] as const
const production = ['--env production', env] as const

/** Two environments, and a remote that keeps the records; nothing else is left of a pipeline when it ends. */
async function company() {
  const world = await worldOf(both({}))
  const other = await startService()
  onTestFinished(other.close)
  const at = ({ url, env }: Service) =>
    `{ base_url: "${url}", project: "${env.VEXIL_PROJECT_ID}", organization: ${env.VEXIL_ORGANIZATION_ID} }`
  const remote = join(await folderOfTest({}), 'remote.git')
  await world.git('clone', '--quiet', '--bare', world.folder, remote)
  await world.git('remote', 'add', 'origin', `file://${remote}`)
  const merge = async (files: Readonly<Record<string, string>>) => {
    const commit = await world.commit(files)
    await world.git('push', '--quiet', 'origin', 'HEAD:main')
    return commit
  }
  await merge({
    'vexil.yaml': `version: 1
runs: { ref: refs/vexil/runs }
environments: { staging: ${at(other)}, production: ${at(world.service)} }
`,
  })
  /** A pipeline, or somebody's laptop, that has never been here before. */
  const pipeline = async (...options: readonly string[]): Promise<Clone> => {
    const folder = join(await folderOfTest({}), 'clone')
    await git(remote, 'clone', '--quiet', '--branch', 'main', ...options, `file://${remote}`, folder)
    return cloneIn(folder, world.service)
  }
  const deploy = async ([options, over]: typeof staging | typeof production) =>
    (await pipeline()).apply(options, over)
  return { world, merge, pipeline, deploy }
}

describe('pipelines that throw their folders away', () => {
  it('hold in one environment what was clicked there, and go on in the other', async () => {
    const { world, merge, pipeline, deploy } = await company()
    for (const place of [staging, production]) expect((await deploy(place)).code).toBe(0)
    await world.click('checkout', { active: false })
    await merge(both({}, { percent: 20 }))
    const fresh = await pipeline()
    expect(await fresh.plan(...staging)).toMatchObject({ ...nothing, changes: ['update other: filters'] })
    expect(await fresh.plan(...production)).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      edits: ['checkout active held'],
    })
    for (const place of [staging, production]) expect((await deploy(place)).code).toBe(0)
    expect((await world.flag('checkout')).active).toBe(false)
    expect(await (await pipeline()).plan(...staging)).toMatchObject(nothing)
    expect(await (await pipeline()).plan(...production)).toMatchObject({
      ...nothing,
      edits: ['checkout active held'],
    })
  })

  it('leave off what a laptop disabled in an incident, over a rollback as well, until it is enabled', async () => {
    const { world, merge, pipeline, deploy } = await company()
    await deploy(production)
    await merge(both({ percent: 30 }))
    await deploy(production)
    const laptop = await pipeline()
    const words = 'disable checkout --env production --auto-approve --reason'.split(' ')
    expect((await laptop.vexil([...words, 'payments fail'], env)).code).toBe(0)
    await merge(both({ percent: 30 }, { percent: 20 }))
    const held = await (await pipeline()).plan(...production)
    expect(held).toMatchObject({ changes: ['update other: filters'], edits: ['checkout active held'] })
    expect(held.text).toContain('payments fail')
    await deploy(production)
    expect((await world.flag('checkout')).active).toBe(false)
    await merge(both({ percent: 10 }, { percent: 20 }))
    await deploy(production)
    const live = await world.flag('checkout')
    expect([live.active, sharesOf(live)]).toEqual([false, [10]])
    expect((await laptop.vexil('enable checkout --env production --auto-approve', env)).code).toBe(0)
    expect(await (await pipeline()).plan(...production)).toMatchObject(nothing)
  })

  it('know of each other: one that comes late takes nothing back', async () => {
    const { world, merge, pipeline, deploy } = await company()
    await deploy(production)
    const late = await pipeline()
    await merge(both({ percent: 20 }))
    await deploy(production)
    // Its clone is from before the newer commit, which it has never seen: the record alone tells of it.
    expect(await late.plan(...production)).toMatchObject({ changes: [], edits: ['checkout filters behind'] })
    await late.apply(...production)
    expect(sharesOf(await world.flag('checkout'))).toEqual([20])
  })

  it('that are shallow know by the records as well what was clicked', async () => {
    const { world, merge, pipeline, deploy } = await company()
    await deploy(production)
    await world.click('checkout', { filters: everyoneAt(60) })
    await merge(both({}, { percent: 15 }))
    await merge(both({}, { percent: 20 }))
    const shallow = await pipeline('--depth', '1')
    expect(await shallow.plan(...production)).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      edits: ['checkout filters held'],
    })
    await shallow.apply(...production)
    expect(sharesOf(await world.flag('checkout'))).toEqual([60])
    expect(sharesOf(await world.flag('other'))).toEqual([20])
  })
})

describe('commands that are told', () => {
  /** What stands between backticks and begins with the name of the program. */
  const commandsIn = (text: string) => [...text.matchAll(/`(vexil [^`]+)`/g)].map(([, command]) => command)

  it('reach the environment that was planned, as they stand', async () => {
    const { world, merge, pipeline, deploy } = await company()
    const on = { active: true }
    await merge(declared({ checkout: on, other: on, renamed: on, search: on, deleted: on }))
    await deploy(production)
    const laptop = await pipeline()
    const words = 'disable checkout --env production --auto-approve --reason'.split(' ')
    const disabled = await laptop.vexil([...words, 'payments fail'], env)
    await world.click('other', { filters: everyoneAt(60) })
    await world.click('renamed', { key: 'renamed_by_click' })
    await world.click('deleted', { deleted: true })
    await merge(declared({ checkout: on, other: on, renamed: on, find: on, deleted: on }))
    const planned = await (await pipeline()).plan(...production)
    expect(commandsIn(disabled.stderr)).toEqual(['vexil enable checkout --env production'])
    expect(commandsIn(planned.text).toSorted()).toEqual([
      `vexil call feature_flag.update id=4 --body '{"key":"renamed"}' --env production`,
      `vexil call feature_flag.update id=5 --body '{"key":"find"}' --env production`,
      'vexil enable feature_flag.checkout --env production',
      'vexil pull feature_flag.checkout --env production',
      'vexil pull feature_flag.deleted --env production',
      'vexil pull feature_flag.other --env production',
    ])
    const drift = await (await pipeline()).vexil('drift --env production', env)
    expect(drift.stdout).toContain(
      '1 change in the repository is not applied yet: vexil plan --env production',
    )
    expect(
      (await laptop.vexil('enable feature_flag.checkout --env production --auto-approve', env)).code,
    ).toBe(0)
    expect((await laptop.vexil('pull feature_flag.other --env production', env)).code).toBe(0)
  })
})
