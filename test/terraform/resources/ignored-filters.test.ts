import { describe, expect, it } from 'vitest'
import { memberOf, unknown } from '../../../src/hcl/values/value.ts'
import type { Json } from '../../../src/model/text/json.ts'
import { isComputed } from '../../../src/terraform/provider.ts'
import { useService } from '../../support/service.ts'
import { overTheWire } from '../support/values.ts'
import { type Config, type Kept, refusalOf, showDiagnostic, useTerraform } from './play.ts'

const flagPath = '/api/projects/1/feature_flags/1'
const percent = (share: number): Config => ({ key: 'x', release: [{ rollout_percentage: share }] })

const service = useService()
const terraform = useTerraform(service)

/** What Terraform hands on when a lifecycle ignores changes of `filters`: the configuration, with what is there. */
const ignoring = (config: Config, kept: Kept): Config => ({ ...config, filters: kept.state.filters ?? null })

/** Terraform has validated the configuration before it works `ignore_changes` in. */
async function planIgnoring(config: Config, kept: Kept) {
  const { schema, plan } = terraform.provider.resources.vexil_feature_flag!
  const given = overTheWire(schema, ignoring(config, kept))
  const left = Object.entries(given).filter(
    ([name, value]) => value === null && isComputed(schema.block.attributes[name]!),
  )
  const proposed = {
    ...given,
    ...Object.fromEntries(left.map(([name]) => [name, memberOf(kept.state, name)])),
  }
  return plan({ prior: kept.state, proposed, config: given, priorPrivate: kept.private }, terraform.context)
}

describe('`ignore_changes = [filters]` on a flag with `release`', () => {
  const live = (groups: Json, more: object = {}) =>
    service.send('PATCH', flagPath, { filters: { groups, ...more } })
  const asJson = (share: number): Config => ({
    key: 'x',
    filters: JSON.stringify({ groups: [{ rollout_percentage: share }] }),
  })

  it('leaves nothing to others: what they say is in `release`, and is put back', async () => {
    const kept = await terraform.apply('feature_flag', percent(55))
    await live([{ properties: [], rollout_percentage: 77 }])
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(read.state).toMatchObject({ release: [{ rollout_percentage: 77 }], filters: null })
    const { planned, diagnostics } = await planIgnoring(percent(55), read)
    expect(planned).toMatchObject({ release: [{ rollout_percentage: 55 }], filters: null })
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        summary: 'flag "x" was changed in the product: `release` 55% -> 77%; applying reverts it',
        attribute: ['release'],
      },
    ])
  })

  it('leaves alone what only `filters` can say, also where something else changes', async () => {
    const kept = await terraform.apply('feature_flag', percent(55))
    await live([{ properties: [], rollout_percentage: 55, newer: true }])
    const read = (await terraform.read('feature_flag', kept)) as Kept
    const { planned, diagnostics } = await planIgnoring(percent(55), read)
    expect([planned, diagnostics]).toEqual([read.state, []])
    const config = { ...percent(55), name: 'Named' }
    const named = await planIgnoring(config, read)
    const { apply, schema } = terraform.provider.resources.vexil_feature_flag!
    const { state } = await apply(
      {
        prior: read.state,
        planned: named.planned,
        // An apply is told the configuration as it is written.
        config: overTheWire(schema, config),
        plannedPrivate: named.private ?? new Uint8Array(),
      },
      terraform.context,
    )
    expect(state).toMatchObject({ name: 'Named', filters: '{"groups":[{"newer":true}]}' })
    expect(await service.get(flagPath)).toMatchObject({
      name: 'Named',
      filters: { groups: [{ rollout_percentage: 55, newer: true }] },
    })
  })

  it('is told where `release` changes beside what only `filters` can say', async () => {
    const kept = await terraform.apply('feature_flag', percent(55))
    await live([{ properties: [], rollout_percentage: 55, newer: true }])
    const read = (await terraform.read('feature_flag', kept)) as Kept
    const { planned, diagnostics = [] } = await planIgnoring(percent(60), read)
    expect(planned).toMatchObject({ release: read.state.release, filters: read.state.filters })
    expect(diagnostics.map(showDiagnostic)).toEqual([
      'warning [release]: `release` is not changed, because `filters` is in `ignore_changes` | Both define who gets the flag. To let people change that in the product, ignore `release`, `rollout_percentage`, `variants`, `payload`, `group_type_index` and `early_exit`. To change it here, remove `filters` from `ignore_changes`.',
    ])
  })

  it('says nothing while nothing differs', async () => {
    const kept = await terraform.apply('feature_flag', percent(55))
    const { planned, diagnostics } = await planIgnoring(percent(55), kept)
    expect([planned, diagnostics]).toEqual([kept.state, []])
  })

  it('is refused where `release` is new and says something else', async () => {
    const kept = await terraform.apply('feature_flag', asJson(77))
    expect(await refusalOf(() => planIgnoring(percent(55), kept))).toBe(
      'error [release]: `release` cannot be planned, because `filters` is in `ignore_changes` | Both define who gets the flag. To let people change that in the product, ignore `release`, `rollout_percentage`, `variants`, `payload`, `group_type_index` and `early_exit`. To change it here, remove `filters` from `ignore_changes`.',
    )
    const { planned } = await planIgnoring(percent(77), kept)
    expect(planned.release).toMatchObject([{ rollout_percentage: 77 }])
  })
})

describe('an attribute that is taken out of the configuration', () => {
  it('leaves what it said in the service, and the plan says so', async () => {
    const config = {
      ...percent(50),
      variants: [{ key: 'a', rollout_percentage: 100 }],
    }
    const kept = await terraform.apply('feature_flag', config)
    const planned = await terraform.plan('feature_flag', { key: 'x' }, kept)
    expect(planned.changes).toEqual(['filters', 'release', 'variants'])
    // Nothing declares it any more, so it is shown as it is live.
    expect(planned.planned.filters).toEqual(unknown)
    expect(planned.warnings.map(showDiagnostic)).toEqual([
      'warning [release]: the flag keeps its `release`, `variants`; the plan sends nothing | Attributes that the configuration does not set stay unchanged. To release to everybody, set `rollout_percentage = 100`; to turn the flag off, set `active = false`.',
    ])
    const { requests } = await service.watch(() =>
      terraform.carryOut('feature_flag', { key: 'x' }, kept, planned),
    )
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  })

  it('is told of nowhere when `filters` says it instead, or a part of it is still given', async () => {
    const kept = await terraform.apply('feature_flag', { ...percent(50), payload: '{"a":1}' })
    const asJson = {
      key: 'x',
      filters: '{"groups":[{"rollout_percentage":50}],"payloads":{"true":"{\\"a\\":1}"}}',
    }
    expect((await terraform.plan('feature_flag', asJson, kept)).warnings).toEqual([])
    const withoutPayload = percent(50)
    await terraform.begin()
    expect((await terraform.plan('feature_flag', withoutPayload, kept)).warnings).toEqual([])
    const after = await terraform.apply('feature_flag', withoutPayload, kept)
    expect(await service.get(flagPath)).not.toHaveProperty('filters.payloads.true')
    expect(await terraform.replan('feature_flag', withoutPayload, after)).toEqual([])
  })
})
