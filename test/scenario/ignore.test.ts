import { beforeEach, describe, expect, it } from 'vitest'
import { useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': `feature_flags:
  checkout:
    active: true
    ignore: [/filters/groups/0/rollout_percentage]
    filters: { groups: [ { rollout_percentage: 10 } ] }
  markets:
    active: true
    ignore: ['filters.groups[0].properties[0].value[1]']
    filters: { groups: [ { properties: [ { key: country, type: person, value: [DE, FR] } ], rollout_percentage: 10 } ] }
`,
})

beforeEach(async () => {
  await bench().vexil('apply --auto-approve')
})

describe('an ignored path', () => {
  it('is no drift when the service changes it', async () => {
    const { vexil, edit } = bench()
    await edit('checkout', { filters: { groups: [{ properties: [], rollout_percentage: 50 }] } })
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
    expect(await vexil('drift')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No drift/) })
  })

  it('does not hide what changes beside it', async () => {
    const { vexil, edit } = bench()
    await edit('checkout', {
      filters: { groups: [{ properties: [], rollout_percentage: 50 }], payloads: { true: '1' } },
    })
    expect((await vexil('drift')).code).toBe(6)
  })

  it('of a condition that is gone comes back as declared, never as 100%', async () => {
    const { vexil, edit, flag } = bench()
    await edit('checkout', { filters: { groups: [] } })
    const allow = '--allow live_edit=checkout'
    expect((await vexil(`plan ${allow}`)).stdout).toContain('condition 1 added: everyone at 10%')
    await vexil(`apply --auto-approve ${allow}`)
    expect((await flag('checkout')).filters).toMatchObject({ groups: [{ rollout_percentage: 10 }] })
  })

  it('is left at whatever it is, 100% included', async () => {
    const { vexil, edit } = bench()
    await edit('checkout', { filters: { groups: [{ properties: [], rollout_percentage: null }] } })
    expect((await vexil('plan')).stdout).toMatch(/^No changes/)
  })

  it('in a list of values, which have nothing to know them by, blocks a change and takes no value away', async () => {
    const { vexil, edit, flag } = bench()
    const released = (percent: number, value: string[]) => ({
      groups: [{ properties: [{ key: 'country', type: 'person', value }], rollout_percentage: percent }],
    })
    await edit('markets', { filters: released(10, ['FR', 'DE']) })
    expect((await vexil('plan')).stdout).toMatch(/^No changes/)
    await edit('markets', { filters: released(5, ['FR', 'DE']) })
    expect(await vexil('apply --auto-approve --allow live_edit=markets --fail-on-blocked')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(
        'it is unclear which part of the live flag filters.groups.0.properties.0.value.1',
      ),
    })
    expect((await flag('markets')).filters).toMatchObject(released(5, ['FR', 'DE']))
  })
})
