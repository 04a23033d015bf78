import { describe, expect, it } from 'vitest'
import { aWorld, organization } from '../../support/workspace.ts'
import { nothing, worldOf } from './clones.ts'

const seed = aWorld({ event_definitions: [{ name: 'paid' }] })
const files = (policy = '') => ({
  'vexil.yaml': `version: 1\n${policy}`,
  'all.yaml': `event_definitions:
  paid: { tags: [money] }
plugins:
  geoip: { plugin_type: source, description: Ours }
`,
})

/** An event definition and a plugin that were changed in the product after an apply. */
async function changed(policy?: string) {
  const world = await worldOf(files(policy), { seed, quirks: { tag_order: 'sorted' } })
  expect((await world.apply()).code).toBe(0)
  const { get, send } = world.service
  const first = async (path: string) =>
    ((await get(path)) as { results: readonly { id: string; tags?: unknown; description?: unknown }[] })
      .results[0]
  const events = '/api/projects/1/event_definitions'
  const plugins = `/api/organizations/${organization}/plugins`
  await send('PATCH', `${events}/${(await first(events))?.id}/`, { tags: ['money', 'theirs'] })
  await send('PATCH', `${plugins}/${(await first(plugins))?.id}/`, { description: 'Theirs' })
  const state = async () => [(await first(events))?.tags, (await first(plugins))?.description]
  return { ...world, state }
}

describe('an event definition and a plugin that were changed in the product', () => {
  it('are set back, and the plan says first what is lost', async () => {
    const { apply, plan, state } = await changed()
    const planned = await plan()
    expect(planned.edits.toSorted()).toEqual([
      'event_definition.paid tags reverted',
      'plugin.geoip description reverted',
    ])
    expect(planned.text.indexOf('theirs')).toBeGreaterThan(-1)
    expect((await apply()).code).toBe(0)
    expect(await state()).toEqual([['money'], 'Ours'])
    expect(await plan()).toMatchObject(nothing)
  })

  it('stay under `hold`, and are taken into the files', async () => {
    const { apply, plan, state, vexil } = await changed('live_edits: hold\n')
    expect((await plan()).edits.toSorted()).toEqual([
      'event_definition.paid tags held',
      'plugin.geoip description held',
    ])
    expect((await apply()).code).toBe(0)
    expect(await state()).toEqual([['money', 'theirs'], 'Theirs'])
    expect((await vexil('pull')).code).toBe(0)
    expect(await plan()).toMatchObject(nothing)
  })
})
