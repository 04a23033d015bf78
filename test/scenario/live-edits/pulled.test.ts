import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { organization } from '../../support/workspace.ts'
import { declared, everyoneAt, nothing, type Said, sharesOf, type World, worldOf } from './clones.ts'

const both = (checkout: object, other: object = {}) => declared({ checkout, other })
const fileOf = ({ folder }: Pick<World, 'folder'>, name = 'flags.yaml') =>
  readFile(join(folder, name), 'utf8')
const rest = (percent: number) => ({ properties: [], rollout_percentage: percent })
const german = (percent: number) => ({
  properties: [{ key: 'country', type: 'person', value: ['DE'], operator: 'exact' }],
  rollout_percentage: percent,
})

/** What of a plan is about the product. */
const ofProduct = ({ edits, blocked }: Said) => ({ edits, blocked })

describe('what is merged', () => {
  const conditions = (percent: number) =>
    `feature_flags:
  checkout:
    active: true
    filters:
      groups:
        - ${JSON.stringify(german(percent))}
        - ${JSON.stringify(rest(5))}
`

  async function aMerge() {
    const world = await worldOf({ 'flags.yaml': conditions(10) })
    await world.apply()
    await world.click('checkout', { filters: { groups: [german(10), rest(8)] } })
    await world.commit({ 'flags.yaml': conditions(20) })
    expect(await world.plan()).toMatchObject({ edits: ['checkout filters merged'] })
    return world
  }

  it('is left to the next apply, which is said', async () => {
    const world = await aMerge()
    const { code, stdout, stderr } = await world.vexil('pull')
    expect([code, stdout + stderr]).toEqual([
      0,
      expect.stringContaining('feature_flag.checkout: filters is merged by the next apply'),
    ])
    expect(await fileOf(world)).toBe(conditions(20))
    await world.apply()
    expect(sharesOf(await world.flag('checkout'))).toEqual([20, 8])
    expect((await world.vexil('pull')).code).toBe(0)
    expect(await world.plan()).toMatchObject(nothing)
  })

  it('is taken as it is live where the object is named, and what is given up is said', async () => {
    const world = await aMerge()
    const { code, stdout, stderr } = await world.vexil('pull checkout')
    expect([code, stdout + stderr]).toEqual([
      0,
      expect.stringContaining('the change of filters in the repository is replaced by the live value: '),
    ])
    expect(await world.plan()).toMatchObject(nothing)
    expect(sharesOf(await world.flag('checkout'))).toEqual([10, 8])
  })
})

it('what is behind stays as it is declared, and is said', async () => {
  const world = await worldOf(both({}))
  await world.apply()
  const older = await world.clone()
  await world.commit(both({ percent: 30 }))
  await world.apply()
  const late = await world.clone()
  await late.git('reset', '--quiet', '--hard', 'HEAD~1')
  expect(await late.plan()).toMatchObject({ edits: ['checkout filters behind'] })
  const before = await fileOf(late)
  const { code, stdout, stderr } = await late.vexil('pull')
  expect([code, stdout + stderr]).toEqual([
    0,
    expect.stringMatching(
      /feature_flag\.checkout: filters is as commit \w+ declares it; merge that commit into this branch: `git merge/,
    ),
  ])
  expect(await fileOf(late)).toBe(before)
  expect(await fileOf(older)).toBe(before)
})

interface Case {
  readonly settings?: string
  readonly flags: string
  readonly click: object
  /** What the file says of it then. */
  readonly says: string
  /** What it does not say. */
  readonly not?: string
}

describe('what was changed in the product is taken in', () => {
  it.each<[string, Case]>([
    [
      'of a field that its declaration holds',
      {
        flags:
          'feature_flags:\n  checkout: { name: Ours, active: true, filters: {}, live_edits: { name: hold } }\n',
        click: { name: 'Theirs' },
        says: 'name: Theirs',
      },
    ],
    [
      'of a declaration that reverts everything',
      {
        flags: 'feature_flags:\n  checkout: { active: true, filters: {}, live_edits: revert }\n',
        click: { active: false },
        says: 'active: false',
      },
    ],
    [
      'of a flag whose conditions are an anchor of another one',
      {
        flags: `feature_flags:
  base: { active: true, filters: &all { groups: [{ rollout_percentage: 10 }] } }
  checkout: { active: true, filters: *all }
`,
        click: { filters: everyoneAt(40) },
        says: 'base: { active: true, filters: &all { groups: [{ rollout_percentage: 10 }] } }',
      },
    ],
    [
      'of a flag that carries the anchor itself',
      {
        flags: `feature_flags:
  checkout: { active: true, filters: &all { groups: [{ rollout_percentage: 10 }] } }
  copy: { active: true, filters: *all }
`,
        click: { active: false },
        says: 'copy: { active: true, filters: *all }',
      },
    ],
    [
      'beside what defaults say',
      {
        settings:
          'defaults: [{ files: flags.yaml, owner: payments, tags: [money], live_edits: { tags: hold } }]\n',
        flags: 'feature_flags:\n  checkout: { active: true, filters: {}, tags: [own] }\n',
        click: { tags: ['own', 'money', 'owner:payments', 'new'] },
        says: 'tags: [own, new]',
        not: 'money',
      },
    ],
    [
      'of a flag that has the tags of defaults alone, without writing those',
      {
        settings: 'defaults: [{ files: flags.yaml, tags: [money] }]\n',
        flags: 'feature_flags:\n  checkout: { active: true, filters: {} }\n',
        click: { tags: ['money'], active: false },
        says: 'active: false',
        not: 'money',
      },
    ],
  ])('%s', async (_, { settings = '', flags, click, says, not }) => {
    const world = await worldOf({ 'vexil.yaml': `version: 1\n${settings}`, 'flags.yaml': flags })
    expect((await world.apply()).code).toBe(0)
    await world.click('checkout', click)
    const pulled = await world.vexil('pull')
    expect(pulled.code, pulled.stdout + pulled.stderr).toBe(0)
    expect(await world.plan()).toMatchObject(nothing)
    const text = await fileOf(world)
    expect(text).toContain(says)
    if (not !== undefined) expect(text).not.toContain(not)
  })

  it('after a disable, also of a flag whose declaration reverts everything', async () => {
    const world = await worldOf(both({ more: 'live_edits: revert' }))
    await world.apply()
    await world.vexil(['disable', 'checkout', '--reason', 'it fails', '--auto-approve'])
    expect(ofProduct(await world.plan())).toEqual({ edits: ['checkout active held'], blocked: [] })
    expect((await world.vexil('pull checkout')).code).toBe(0)
    expect(await world.plan()).toMatchObject(nothing)
    await world.apply()
    await world.commit(both({ more: 'live_edits: revert' }))
    expect(await world.plan()).toMatchObject({ ...nothing, changes: ['update checkout: active'] })
  })

  it('but a rename, which is told with what to do', async () => {
    const world = await worldOf(both({}))
    await world.apply()
    await world.click('checkout', { key: 'checkout_v2', active: false })
    const before = await fileOf(world)
    const { code, stdout, stderr } = await world.vexil('pull')
    expect([code, stdout + stderr]).toEqual([
      0,
      expect.stringContaining(
        'it was renamed in the product: id 1 is checkout_v2 now; declare it as checkout_v2',
      ),
    ])
    expect(await fileOf(world)).toBe(before)
  })
})

const at = (project: number, more = '') =>
  `{ base_url: "$\{env:VEXIL_BASE_URL}", project: "${project}", organization: ${organization}${more} }`
const settings = (more: string) =>
  `version: 1\nlive_edits: revert\nenvironments:\n  production: ${at(1, more)}\n  staging: ${at(2)}\n`
const env = { VEXIL_PROJECT_ID: undefined, VEXIL_ORGANIZATION_ID: undefined }

describe('in one of several environments', () => {
  it('goes by what that says of live edits, and writes an override', async () => {
    const flags = both({ more: 'name: Ours' })
    const world = await worldOf({
      ...flags,
      'vexil.yaml': settings(', live_edits: { name: hold }'),
    })
    expect((await world.apply('--env production', env)).code).toBe(0)
    await world.click('checkout', { name: 'Theirs', active: false })
    const planned = await world.plan('--env production', env)
    expect(planned.edits.toSorted()).toEqual(['checkout active reverted', 'checkout name held'])
    const pulled = await world.vexil('pull --env production', env)
    expect(pulled.code, pulled.stdout + pulled.stderr).toBe(0)
    expect(await world.plan('--env production', env)).toMatchObject(nothing)
    const text = await fileOf(world)
    expect(text).toContain('name: Ours')
    expect(text).toContain('environments: { production: { active: false, name: Theirs } }')
  })
})

describe('conditions that the product has moved', () => {
  const flag = (release: string) => `feature_flags:
  checkout:
    active: true
    release:
${release}`
  const austria = '      austria: { properties: { country: AT }, rollout_percentage: 5 }\n'
  const france = '      france: { properties: { country: FR }, rollout_percentage: 20 }\n'
  const germany = '      germany: { properties: { country: DE } }\n'
  const condition = (value: string, rollout_percentage: number | null) => ({
    properties: [{ key: 'country', type: 'person', value: [value], operator: 'exact' }],
    rollout_percentage,
  })

  it('move with their names', async () => {
    const world = await worldOf({ 'flags.yaml': flag(austria + france + germany) })
    await world.apply()
    const groups = [condition('DE', null), condition('FR', 20), condition('CH', 1), condition('AT', 7)]
    await world.click('checkout', { filters: { groups } })
    await world.vexil('pull')
    const text = await fileOf(world)
    const names = [...text.matchAll(/^ {6}(\w+): .*country: \[?(\w+)/gm)].map(([_, name, country]) => [
      name,
      country,
    ])
    expect(names, text).toEqual([
      ['germany', 'DE'],
      ['france', 'FR'],
      ['country_ch', 'CH'],
      ['austria', 'AT'],
    ])
    expect(await world.plan()).toMatchObject(nothing)
  })

  it('move in a list of the override where that has to say their order', async () => {
    const world = await worldOf({ 'flags.yaml': flag(austria + france), 'vexil.yaml': settings('') })
    await world.apply('--env production', env)
    await world.click('checkout', { filters: { groups: [condition('FR', 20), condition('AT', 5)] } })
    expect((await world.vexil('pull --env production', env)).code).toBe(0)
    expect(await world.plan('--env production', env)).toMatchObject(nothing)
    const text = await fileOf(world)
    expect(text).toContain(austria)
    expect(text).not.toMatch(/austria: .*FR|france: .*AT/)
  })
})
