import { describe, expect, it } from 'vitest'
import { useWorkspace, writeTwoEnvironments } from '../../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write, read, flag, edit } = workspace

/** A repository with two environments, applied to production; then somebody changes it there. */
async function aLiveEdit(flags: string, key: string, body: object, settings = '') {
  const env = await writeTwoEnvironments(workspace(), settings)
  await write({ 'flags.yaml': flags })
  const applied = await vexil('apply --env production --auto-approve', { env })
  expect(applied.code, applied.stdout + applied.stderr).toBe(0)
  await edit(key, body)
  return {
    pull: async (line = '') => {
      const result = await vexil(`pull --env production ${line}`, { env })
      return { ...result, text: await read('flags.yaml') }
    },
    plan: async () => {
      const { stdout } = await vexil('plan --env production --json', { env })
      const { changes, live_edits, blocked } = JSON.parse(stdout)
      return { changes, live_edits, blocked }
    },
  }
}

const nothing = { changes: [], live_edits: [], blocked: [] }
const groups = (...shares: number[]) => ({
  filters: { groups: shares.map(rollout_percentage => ({ properties: [], rollout_percentage })) },
})

describe('vexil pull in one of several environments', () => {
  const flags = `feature_flags:
  checkout:
    active: true
    rollout_percentage: 20
    role_access: [support]
`

  it('writes overrides of it', async () => {
    const { pull, plan } = await aLiveEdit(flags, 'checkout', { active: false, ...groups(35) })
    const { code, text, stdout } = await pull()
    expect(code).toBe(0)
    expect(text).toBe(`${flags}    environments:
      production:
        rollout_percentage: 35
        active: false
`)
    expect(stdout).toContain('Next: vexil plan --env production\n')
    expect(await plan()).toEqual(nothing)
  })

  it('writes what all share with --shared', async () => {
    const { pull, plan } = await aLiveEdit(flags, 'checkout', { active: false })
    expect((await pull('--shared')).text).toBe(flags.replace('active: true', 'active: false'))
    expect(await plan()).toEqual(nothing)
  })

  it('declares a deleted flag absent there alone', async () => {
    const { pull, plan } = await aLiveEdit(flags, 'checkout', { deleted: true })
    expect((await pull()).text).toBe(`${flags}    environments:
      production:
        ensure: absent
`)
    expect(await plan()).toEqual(nothing)
  })

  it('keeps the audience of a condition that has another share', async () => {
    const audiences = `audiences:
  beta: { properties: { plan: [beta] } }
feature_flags:
  checkout:
    active: true
    release:
      testers: { audience: beta, rollout_percentage: 10 }
      rest: { rollout_percentage: 0 }
`
    const beta = { key: 'plan', type: 'person', value: ['beta'], operator: 'exact' }
    const live = (percent: number, value: string[]) => ({
      filters: {
        groups: [
          { properties: [{ ...beta, value }], rollout_percentage: percent },
          { properties: [], rollout_percentage: 0 },
        ],
      },
    })
    const { pull, plan } = await aLiveEdit(audiences, 'checkout', live(60, ['beta']))
    expect((await pull('--shared')).text).toBe(audiences.replace('percentage: 10', 'percentage: 60'))
    expect(await plan()).toEqual(nothing)
    await edit('checkout', live(60, ['beta', 'alpha']))
    // What others use as well is never changed: the condition is written out.
    const { text } = await pull('--shared')
    expect(text).toContain('audiences:\n  beta: { properties: { plan: [beta] } }\n')
    expect(text).toContain('testers: { rollout_percentage: 60, properties: { plan: [beta, alpha] } }')
    expect(await plan()).toEqual(nothing)
  })

  it('says in a list what names could not put into their order', async () => {
    const twoConditions = `feature_flags:
  checkout:
    active: true
    release:
      germany: { properties: { country: DE }, rollout_percentage: 10 }
      rest: { rollout_percentage: 5 }
`
    const property = (value: string) => ({ key: 'country', type: 'person', value, operator: 'exact' })
    const { pull, plan } = await aLiveEdit(twoConditions, 'checkout', {
      filters: {
        groups: [
          { properties: [{ ...property('FR'), key: 'land' }], rollout_percentage: 100 },
          { properties: [property('DE')], rollout_percentage: 10 },
          { properties: [], rollout_percentage: 5 },
        ],
      },
    })
    const { code, text, stderr } = await pull()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(text).toContain(twoConditions)
    expect(await plan()).toEqual(nothing)
  })

  it('gives up what is declared where both sides changed it, and tells that', async () => {
    const { pull, plan } = await aLiveEdit(flags, 'checkout', groups(35))
    await write({ 'flags.yaml': flags.replace('20', '40') })
    const { code, text, stderr } = await pull('checkout')
    expect(code).toBe(0)
    expect(stderr).toContain(
      'feature_flag.checkout: the change of filters in the repository is replaced by the live value: ',
    )
    expect(text).toContain('production:\n        rollout_percentage: 35\n')
    expect(await plan()).toEqual(nothing)
  })

  it('never puts a value in the place of a variable', async () => {
    const withVariable = `feature_flags:
  checkout:
    name: "\${env:NAME}"
    active: true
    rollout_percentage: 20
`
    const env = {
      ...(await writeTwoEnvironments(
        workspace(),
        'live_edits: { default: hold, automation: [ci@example.com] }\n',
      )),
      NAME: 'one',
    }
    await write({ 'flags.yaml': withVariable })
    expect((await vexil('apply --env production --auto-approve', { env })).code).toBe(0)
    await edit('checkout', { name: 'two', active: false })
    const { code, stderr } = await vexil('pull --env production', { env })
    expect(await read('flags.yaml')).not.toContain('two')
    expect(code, stderr).toBe(3)
    expect(stderr).toContain(`skipped: feature_flag.checkout: the file uses \${env:NAME} there`)
  })

  it('takes the role of a grant out that was taken in the product', async () => {
    const { pull, plan } = await aLiveEdit(flags, 'checkout', {}, 'live_edits: { exists: hold }\n')
    const { id } = await flag('checkout')
    const path = `/api/projects/1/feature_flags/${id}/role_access/`
    const { results } = (await service.get(path)) as { results: readonly { id: number }[] }
    expect(results).toHaveLength(1)
    await service.send('DELETE', `${path}${results[0]?.id}/`)
    const { code, text } = await pull()
    expect(code).toBe(0)
    expect(text).toBe(`${flags}    environments:
      production:
        role_access: []
`)
    expect(await plan()).toEqual(nothing)
  })
})
