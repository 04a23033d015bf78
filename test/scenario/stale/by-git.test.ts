import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { git } from '../../git/repository.ts'
import { cli } from '../../support/cli.ts'
import { folderOfTest, writeFiles } from '../../support/folder.ts'
import { agingWorld, flagsAt } from './aging-world.ts'

const two = 'version: 1\nenvironments: { staging: { project: "1" }, production: { project: "2" } }\n'
const all = 'filters: { groups: [{ rollout_percentage: 100 }] }'
const some = 'filters: { groups: [{ rollout_percentage: 20 }] }'

it('a flag is stale from the day on that everybody, or nobody, has got it for so long', async () => {
  const { on, commit, stale } = await agingWorld(flagsAt({ checkout: 20, nav: 20, search: 20 }))
  on(5)
  await commit(flagsAt({ checkout: 100, nav: `active: false, ${some}`, search: 50 }))
  on(34)
  expect(await stale()).toEqual({ code: 0, told: [], notes: [], permanent: 0 })
  on(35)
  expect(await stale()).toMatchObject({
    code: 6,
    told: ['checkout everyone 30 commit', 'nav nobody 30 commit'],
  })
  expect((await stale('--days 31')).told).toEqual([])
})

it('what means the same in other words, in another file, or beside other conditions, goes on', async () => {
  const { on, commit, stale, folder } = await agingWorld(flagsAt({ checkout: 100, other: 20 }))
  on(10)
  await commit({ 'flags.yaml': `# of the shop\nfeature_flags:\n  checkout:\n    active: true\n    ${all}\n` })
  on(20)
  await rm(join(folder, 'flags.yaml'))
  await commit({ 'shop/checkout.yaml': `feature_flags:\n  checkout: { active: true, ${all} }\n` })
  on(30)
  const german = '{ properties: [{ key: country, value: [DE], type: person }], rollout_percentage: 5 }'
  await commit({
    'shop/checkout.yaml': `feature_flags:\n  checkout: { active: true, filters: { groups: [${german}, {}] } }\n`,
  })
  on(40)
  expect((await stale()).told).toEqual(['checkout everyone 40 commit'])
  on(41)
  await commit({ 'shop/checkout.yaml': `feature_flags:\n  checkout: { active: true, ${some} }\n` })
  on(42)
  await commit({ 'shop/checkout.yaml': `feature_flags:\n  checkout: { active: true, ${all} }\n` })
  on(72)
  expect((await stale()).told).toEqual(['checkout everyone 30 commit'])
})

it('another variant for everybody is another value', async () => {
  const variants = (blue: number) =>
    `active: true, filters: { groups: [{}], multivariate: { variants: [{ key: blue, rollout_percentage: ${blue} }, { key: red, rollout_percentage: ${100 - blue} }] } }`
  const { on, commit, stale } = await agingWorld(flagsAt({ nav: variants(0) }))
  on(40)
  expect((await stale()).told).toEqual(['nav everyone red 40 commit'])
  await commit(flagsAt({ nav: variants(100) }))
  on(71)
  expect((await stale()).told).toEqual(['nav everyone blue 31 commit'])
})

it('each environment has its own age, and a flag that is in use in one is told of as such', async () => {
  const flags = (production: string) =>
    flagsAt({ nav: `active: true, ${all}, environments: { production: { ${production} } }` })
  const { on, commit, stale, vexil } = await agingWorld({ 'vexil.yaml': two, ...flags(some) })
  on(31)
  expect(await stale()).toMatchObject({ code: 0, told: ['... nav staging everyone 31 commit'] })
  expect((await vexil('retire')).stdout).toBe(
    `Not in every environment
  nav                                               flags.yaml:2
      staging     everybody gets true since 2026-01-01, 31 days (commit ${await head()})
      production  not stale

0 of 1 flag are stale (--days 30), 1 only in some environments
`,
  )
  on(31)
  await commit(flags('active: false'))
  on(61)
  expect(await stale()).toMatchObject({
    code: 6,
    told: ['nav staging everyone 61 commit', 'nav production nobody 30 commit'],
  })
  expect((await stale('--env production')).told).toEqual(['nav production nobody 30 commit'])
  await commit(flags('skip: true'))
  expect((await stale()).told).toEqual(['nav staging everyone 61 commit'])
  expect(await vexil('retire --env prod')).toMatchObject({ code: 1, stdout: '' })

  async function head() {
    const { stdout } = await vexil('retire --json')
    return JSON.parse(stdout).flags[0].environments[0].reasons[0].since.name.slice(0, 10)
  }
})

it('an environment that has moved to another project begins anew', async () => {
  const { on, commit, stale } = await agingWorld({ 'vexil.yaml': two, ...flagsAt({ nav: 100 }) })
  on(20)
  await commit({ 'vexil.yaml': `${two}limits: { delete: 5 }\n` })
  on(30)
  await commit({ 'vexil.yaml': two.replace('"2"', '"3"') })
  on(50)
  expect((await stale()).told).toEqual(['... nav staging everyone 50 commit'])
  on(60)
  expect((await stale()).told).toEqual([
    'nav staging everyone 60 commit',
    'nav production everyone 30 commit',
  ])
})

it('a flag whose audience has changed is what it means with it', async () => {
  const audience = (words: string) => ({ 'shared.yaml': `audiences:\n  staff: { ${words} }\n` })
  const flags = flagsAt({
    nav: 'active: true, variants: { blue: 100, red: 0 }, release: { staff: { audience: staff, variant: blue }, rest: {} }',
  })
  const { on, commit, stale } = await agingWorld({ ...audience('properties: { plan: pro }'), ...flags })
  on(20)
  await commit(audience('properties: { plan: staff }'))
  on(30)
  expect((await stale()).told).toEqual(['nav everyone blue 30 commit'])
})

it('what is not committed is not old', async () => {
  const { on, stale, folder, vexil } = await agingWorld(flagsAt({ checkout: 20, nav: 100 }))
  on(40)
  await writeFiles(folder, flagsAt({ checkout: 100, nav: 100 }))
  expect((await stale()).told).toEqual(['nav everyone 40 commit'])
  expect((await vexil('retire')).stdout).toContain('1 of 2 flags is stale (--days 30)\n')
})

it('a merge counts by its own day, whatever the days are of what it brings', async () => {
  const { on, commit, stale, folder } = await agingWorld(flagsAt({ nav: 20 }))
  await git(folder, 'branch', '--move', 'main')
  await git(folder, 'checkout', '--quiet', '-b', 'later')
  on(5)
  await commit(flagsAt({ nav: 100 }))
  await git(folder, 'checkout', '--quiet', 'main')
  on(50)
  await commit({ 'README.md': 'Flags\n' })
  await git(folder, 'merge', '--quiet', '--no-commit', '--no-ff', 'later')
  await commit({})
  on(60)
  expect((await stale()).told).toEqual([])
  expect((await stale('--days 10')).told).toEqual(['nav everyone 10 commit'])
})

it('a shallow clone tells no more than it holds, and says so', async () => {
  const { on, commit, folder, service } = await agingWorld(flagsAt({ nav: 100 }))
  on(40)
  await commit(flagsAt({ nav: 100, other: 20 }))
  const clone = join(await folderOfTest({}), 'clone')
  await git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone)
  const day = (days: number) => ({ runtime: { ...runtimeAt(days) } })
  const at = (days: number) => cli('retire --json', { directory: clone, env: service.env, host: day(days) })
  const early = JSON.parse((await at(50)).stdout)
  expect(early).toMatchObject({ exit_code: 0, flags: [], notes: [expect.stringContaining('fetch-depth: 0')] })
  const late = JSON.parse((await at(70)).stdout)
  expect(late.flags).toMatchObject([
    { key: 'nav', environments: [{ reasons: [{ since: { days: 30, at_least: true, from: 'commit' } }] }] },
  ])
})

it('without git and without records nothing is known, and one line says so', async () => {
  const { on, stale, commit } = await agingWorld(flagsAt({ nav: 100, done: 100 }), { hasGit: false })
  on(90)
  expect(await stale()).toEqual({
    code: 0,
    told: [],
    notes: [
      'unknown age of 2 flags: there is no git repository, and no run on record shows it; --activity asks the service, `expires` and --in need no age',
    ],
    permanent: 0,
  })
  await commit(flagsAt({ nav: 100, done: `active: true, ${all}, expires: 2026-02-01` }))
  expect((await stale()).told).toEqual(['done expired 58 declaration'])
})

function runtimeAt(day: number) {
  const now = Date.UTC(2026, 0, 1) + day * 86_400_000
  return { now: () => now, sleep: async () => {}, random: () => 0.5, uniqueId: () => `mark-${day}` }
}
