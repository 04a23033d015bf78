import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { QuirkName } from '../../../src/sandbox/index.ts'
import { type Service, startService } from '../../support/service.ts'
import { overTheWire } from '../support/values.ts'
import { type Config, type Player, playTerraform, refusalOf, showDiagnostic } from './play.ts'

const definitions = '/api/projects/1/event_definitions'
const paid: Config = { name: 'checkout_paid', tags: ['payments'], post_to_chat: true }

let service: Service
let terraform: Player

async function start(quirks: Partial<Record<QuirkName, string>> = {}) {
  service = await startService({
    // The names and values of the quirks are checked where they are read.
    quirks: quirks as never,
    seed: {
      organizations: [
        {
          name: 'Example',
          projects: [{ id: 1, name: 'P', event_definitions: [{ name: 'checkout_paid', tags: ['old'] }] }],
        },
      ],
    },
  })
  terraform = await playTerraform(service)
}
const now = async () =>
  ((await service.get(definitions)) as { results: { tags: string[]; post_to_chat: boolean }[] }).results

beforeEach(() => start())
afterEach(() => service.close())

describe('an event definition', () => {
  it('is adopted when it is created, and planned to nothing', async () => {
    const kept = await terraform.apply('event_definition', paid)
    expect(kept.state).toMatchObject({ name: 'checkout_paid', tags: ['payments'], post_to_chat: true })
    expect(await now()).toMatchObject([{ tags: ['payments'], post_to_chat: true }])
    expect(await terraform.replan('event_definition', paid, kept)).toEqual([])
  })

  it('that was never seen is refused, with what to do', async () => {
    expect(await refusalOf(() => terraform.apply('event_definition', { name: 'unseen' }))).toMatch(
      /^error \[name\]: event "unseen" was not created: .*first sees such an event \| To go on: send one such event/,
    )
  })

  it('of another name is another one', async () => {
    const kept = await terraform.apply('event_definition', paid)
    const planned = await terraform.plan('event_definition', { ...paid, name: 'other' }, kept)
    expect(planned.replaces).toEqual(['name'])
  })

  it.each([
    ['by default', undefined, [{ tags: ['payments'], post_to_chat: true }]],
    ['with "forget"', 'forget', [{ tags: ['payments'], post_to_chat: true }]],
    ['with "restore"', 'restore', [{ tags: ['old'], post_to_chat: false }]],
    ['with "delete"', 'delete', []],
  ])('that is destroyed %s leaves what was asked for', async (_, way, left) => {
    const config = { ...paid, ...(way ? { on_destroy: way } : {}) }
    const kept = await terraform.apply('event_definition', config)
    expect(await terraform.destroy('event_definition', kept)).toEqual([])
    expect(await now()).toMatchObject(left)
    expect(await now()).toHaveLength(left.length)
  })

  it('keeps what there was before over later changes', async () => {
    const config = { ...paid, on_destroy: 'restore' }
    const first = await terraform.apply('event_definition', config)
    const second = await terraform.apply('event_definition', { ...config, tags: ['b'] }, first)
    const read = await terraform.read('event_definition', second)
    expect(read && (await terraform.destroy('event_definition', read))).toEqual([])
    expect(await now()).toMatchObject([{ tags: ['old'] }])
  })

  it('that was imported has nothing to restore, and says so', async () => {
    const kept = await terraform.import('event_definition', 'checkout_paid')
    const planned = await terraform.plan('event_definition', { ...paid, on_destroy: 'restore' }, kept)
    expect(planned.warnings.map(({ summary }) => summary)).toEqual([
      'there will be nothing to restore when this is destroyed',
    ])
    const changed = await terraform.apply('event_definition', { ...paid, on_destroy: 'restore' }, kept)
    const said = await terraform.destroy('event_definition', changed)
    expect(said.map(showDiagnostic)).toEqual([
      'warning: event "checkout_paid" was not changed | There is nothing to restore: it was imported or is tainted, so its earlier values are unknown.',
    ])
    expect(await now()).toMatchObject([{ tags: ['payments'] }])
  })

  it('that is replaced is given back what it had, whenever it is destroyed', async () => {
    const config = { ...paid, on_destroy: 'restore' }
    const kept = await terraform.apply('event_definition', config)
    const { plan, schema } = terraform.provider.resources.vexil_event_definition!
    const first = await terraform.plan('event_definition', config, kept)
    const given = overTheWire(schema, config)
    // Terraform asks once more, as if there were nothing, and destroys with what that answers.
    const again = await plan(
      { prior: null, proposed: given, config: given, priorPrivate: first.private },
      terraform.context,
    )
    const replaced = { state: kept.state, private: again.private ?? new Uint8Array() }
    expect(await terraform.destroy('event_definition', replaced)).toEqual([])
    expect(await now()).toMatchObject([{ tags: ['old'] }])
    const anew = await terraform.apply('event_definition', config)
    expect(await terraform.destroy('event_definition', anew)).toEqual([])
    expect(await now()).toMatchObject([{ tags: ['old'] }])
  })

  it('on a plan without that feature says so', async () => {
    await service.close()
    await start({})
    service.faults('PATCH /event_definitions status=402')
    expect(await refusalOf(() => terraform.apply('event_definition', paid))).toMatch(
      /^error: cannot create event "checkout_paid" \| .*402 .*does not include changing events/,
    )
  })

  it('whose flag the service takes and loses is told once, and planned no more', async () => {
    await service.close()
    await start({ post_to_chat: 'echoed' })
    const planned = await terraform.plan('event_definition', paid, null)
    const { kept, diagnostics } = await terraform.carryOut('event_definition', paid, null, planned)
    expect(diagnostics.map(showDiagnostic).join()).toMatch(
      /^warning \[post_to_chat\]: the service did not store/,
    )
    expect(kept && (await terraform.replan('event_definition', paid, kept))).toEqual([])
  })
})
