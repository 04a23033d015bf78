import { describe, expect, it } from 'vitest'
import { startService, useService } from '../../../support/service.ts'
import { overTheWire } from '../../support/values.ts'
import {
  type Config,
  type Kept,
  type Player,
  playTerraform,
  refusalOf,
  showDiagnostic,
  useTerraform,
} from '../play.ts'

const service = useService()
const terraform = useTerraform(service)

const filters = JSON.stringify({ groups: [{ properties: [], rollout_percentage: 25 }] })
const checkout: Config = { key: 'checkout', name: 'Checkout', filters }
const live = { key: 'checkout', name: 'Checkout', filters: JSON.parse(filters) }

describe('creating a flag whose key is taken', () => {
  it('is refused, with how to import it, and leaves it alone', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', live)
    const before = await service.get('/api/projects/1/feature_flags/1')
    const refusal = await refusalOf(() => terraform.apply('feature_flag', checkout))
    expect(refusal).toBe(
      'error [key]: flag "checkout" already exists | The service has it with the id 1. | Import it with `terraform import vexil_feature_flag.NAME 1/1`, or with |   import {\n    to = vexil_feature_flag.NAME\n    id = "1/1"\n  } | It equals the configuration, so `adopt = true` adopts it too. | If the plan shows a replacement (`+/-`), import nothing: remove `create_before_destroy`, here and from resources that depend on this one. The service allows only one with that key, and the old one stays unchanged.',
    )
    expect(await service.get('/api/projects/1/feature_flags/1')).toEqual(before)
  })

  it('is refused too when the flag is another one, and nothing is said of `adopt`', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', { ...live, name: 'Theirs' })
    const refusal = await refusalOf(() => terraform.apply('feature_flag', checkout))
    expect(refusal).toMatch(
      /^error \[key\]: flag "checkout" already exists \| The service has it with the id 1\. It differs in `name`\. \| Import/,
    )
    expect(refusal).not.toContain('adopt')
  })

  it('is refused with the import that fits typed attributes, and names those that differ', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', live)
    const release = [{ rollout_percentage: 50 }]
    const refusal = await refusalOf(() =>
      terraform.apply('feature_flag', { key: 'checkout', name: 'Checkout', release }),
    )
    expect(refusal).toContain('It differs in `release`.')
    expect(refusal).toContain('`terraform import vexil_feature_flag.NAME 1/1#release`')
    expect(refusal).toContain('id = "1/1#release"')
  })

  it('takes over an identical one with `adopt = true`, without a write', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', live)
    const { result, requests } = await service.watch(() =>
      terraform.apply('feature_flag', { ...checkout, adopt: true }),
    )
    expect(result.state.id).toBe('1')
    expect(requests).toEqual(['GET /api/projects/1/feature_flags'])
    expect(await terraform.replan('feature_flag', { ...checkout, adopt: true }, result)).toEqual([])
  })

  it('does not take over another one, and says in what it differs', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', { ...live, name: 'Theirs' })
    const refusal = await refusalOf(() => terraform.apply('feature_flag', { ...checkout, adopt: true }))
    expect(refusal).toContain('It differs in `name`, so `adopt` does not adopt it.')
  })
})

describe('creating a flag whose key is taken by one that a guard holds', () => {
  const held = {
    organizations: [
      {
        name: 'Example',
        projects: [
          { id: 1, name: 'P', feature_flags: [{ id: 7, ...live, name: 'Theirs', can_edit: false }] },
        ],
      },
    ],
  }

  it.each([false, true])('says that it exists and in what it differs, with `adopt = %s`', async adopt => {
    const other = await startService({ seed: held })
    const config = { ...checkout, adopt }
    const { warnings } = await (await playTerraform(other)).plan('feature_flag', config, null)
    expect(warnings).toMatchObject([
      {
        summary: 'flag "checkout" already exists, so an apply will not create it',
        detail: expect.stringContaining('It differs in `name`'),
      },
    ])
    const applying = await playTerraform(other)
    const refusal = await refusalOf(() => applying.apply('feature_flag', config))
    expect(refusal).toContain('error [key]: flag "checkout" already exists')
    expect(refusal).toContain('It differs in `name`')
    await other.close()
  })

  it('takes one over that is as configured: nothing of it is written', async () => {
    const other = await startService({ seed: held })
    const same = { ...checkout, name: 'Theirs', adopt: true }
    expect((await (await playTerraform(other)).plan('feature_flag', same, null)).warnings).toEqual([])
    expect((await (await playTerraform(other)).apply('feature_flag', same)).state.id).toBe('7')
    await other.close()
  })
})

describe('renaming a flag to a key that is taken', () => {
  it('is warned of by the plan and refused by the service', async () => {
    await service.send('POST', '/api/projects/1/feature_flags', { ...live, key: 'taken' })
    const kept = await terraform.apply('feature_flag', checkout)
    const renamed = { ...checkout, key: 'taken' }
    const { warnings } = await (await playTerraform(service)).plan('feature_flag', renamed, kept)
    expect(warnings.map(({ summary }) => summary)).toContain(
      'flag "taken" already exists; an apply can rename flag "checkout" to it only after that object has another key',
    )
    const applying = await playTerraform(service)
    const refusal = await refusalOf(() => applying.apply('feature_flag', renamed, kept))
    expect(refusal).toContain('take another key, or rename that object first')
    expect(await service.get('/api/projects/1/feature_flags/2')).toMatchObject({ key: 'checkout' })
  })
})

describe.each(['required', 'accepted'] as const)('a flag that somebody has to approve (%s)', approvals => {
  it('is neither made nor changed, and the id of the request is told', async () => {
    const other = await startService({ quirks: { approvals } })
    const player = await playTerraform(other)
    const waits = / waits for approval \(\d+\): change request 01900000-.* when a person approves/
    expect(await refusalOf(() => player.apply('feature_flag', checkout))).toMatch(waits)
    expect(await other.get('/api/projects/1/feature_flags')).toMatchObject({ count: 0 })
    const off = { ...checkout, active: false }
    const kept = await player.apply('feature_flag', off)
    const { result, requests } = await other.watch(() =>
      refusalOf(() => player.apply('feature_flag', { ...off, active: true }, kept)),
    )
    expect(result).toMatch(waits)
    expect(requests.filter(line => !line.startsWith('GET '))).toEqual([
      `PATCH /api/projects/1/feature_flags/${kept.state.id}`,
    ])
    await other.close()
  })
})

describe('creating a flag', () => {
  it('is done once when the answer gets lost', async () => {
    service.faults('POST /feature_flags nth=1 reset_after')
    const kept = await terraform.apply('feature_flag', checkout)
    expect(kept.state.id).toBe('1')
    expect(await service.get('/api/projects/1/feature_flags')).toMatchObject({ count: 1 })
  })

  it('reads the trail of deleted flags and the list of living ones once for all', async () => {
    const { requests } = await service.watch(() =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          terraform.apply('feature_flag', { ...checkout, key: `flag-${index}` }),
        ),
      ),
    )
    expect(requests.filter(line => line.startsWith('GET'))).toEqual([
      'GET /api/projects/1/feature_flags/activity',
      'GET /api/projects/1/feature_flags',
    ])
    expect(requests).toHaveLength(22)
  })

  it('warns once of labels that the service drops, and plans nothing afterwards', async () => {
    const other = await startService({ quirks: { tags: 'dropped' } })
    const player = await playTerraform(other)
    const config = { ...checkout, tags: ['web'] }
    const planned = await player.plan('feature_flag', config, null)
    const { kept, diagnostics } = await player.carryOut('feature_flag', config, null, planned)
    expect(diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual([
      ['warning', 'the service did not store `tags` of this flag'],
    ])
    expect(kept && (await player.replan('feature_flag', config, kept))).toEqual([])
    await other.close()
  })

  it('is refused where nobody can tell what it would destroy, by the plan and by the apply', async () => {
    const planned = await terraform.plan('feature_flag', checkout, null)
    service.faults('GET /activity status=403')
    // A run of its own, which has not seen the trail yet.
    const player = await playTerraform(service)
    const reason =
      'error [allow]: flag "checkout" was not created: it may destroy a soft-deleted object of the same name: the activity trail was refused (403) | Solve that first, or add "trail_unreadable" to `allow`, or to the provider\'s `allow` for all objects.'
    expect(await refusalOf(() => player.plan('feature_flag', checkout, null))).toBe(reason)
    const { kept, diagnostics } = await player.carryOut('feature_flag', checkout, null, planned)
    expect([kept, diagnostics.map(showDiagnostic)]).toEqual([null, [reason]])
    expect(await service.get('/api/projects/1/feature_flags')).toMatchObject({ count: 0 })
  })

  it.each<[string, Config, Config]>([
    ['the resource', {}, { allow: ['trail_unreadable'] }],
    ['the provider, for everything', { allow: ['trail_unreadable'] }, {}],
  ])('goes on where that is allowed by %s, and the plan says so', async (_, block, more) => {
    service.faults('GET /activity status=403')
    const player = await playTerraform(service, block)
    const config = { ...checkout, ...more }
    const planned = await player.plan('feature_flag', config, null)
    expect(planned.warnings.map(showDiagnostic)).toEqual([
      'warning [key]: a soft-deleted flag of the same key, if there is one, will be destroyed | It may destroy a soft-deleted object of the same name: the activity trail was refused (403).',
    ])
    const { kept, diagnostics } = await player.carryOut('feature_flag', config, null, planned)
    expect([kept?.state.id, diagnostics]).toEqual(['1', []])
  })

  it('is not allowed by a guard that is none', async () => {
    const player = await playTerraform(service)
    const problems = player.provider.validateProvider?.(
      overTheWire(player.provider.schema, { allow: ['trail'] }),
      player.context,
    )
    expect((await problems)?.map(showDiagnostic)).toEqual([
      'error [allow]: "trail" is not a rule that can be allowed | There are "approval_pending", "can_edit", "experiment", "feature", "rollback", "soft_deleted", "source_unreadable", "survey", "trail_unreadable".',
    ])
  })

  it('that Terraform has stopped before it began does nothing', async () => {
    const planned = await terraform.plan('feature_flag', checkout, null)
    const { requests } = await service.watch(async () => {
      const signal = AbortSignal.abort(new Error('Terraform asked to stop'))
      const { kept, diagnostics } = await terraform.carryOut('feature_flag', checkout, null, planned, signal)
      expect([kept, diagnostics.map(({ summary }) => summary)]).toEqual([
        null,
        ['cannot create flag "checkout"'],
      ])
    })
    expect(requests).toEqual([])
  })
})

describe('what goes wrong', () => {
  it.each<[string, Config, string]>([
    [
      'invalid filters',
      {
        key: 'x',
        rollback_conditions: '{}',
        filters: '{"groups":[{"properties":[{"key":"a","type":"event","value":"b"}]}]}',
      },
      'error [filters]',
    ],
    ['an empty key', { key: ' ', filters }, 'error [key]: the key is empty'],
  ])('%s is refused with the attribute', async (_, config, said) => {
    expect(await refusalOf(() => terraform.apply('feature_flag', config))).toContain(said)
  })

  it.each([
    [401, 'VEXIL_API_KEY'],
    [402, 'does not include'],
    [403, 'permission to change flags. If only some roles may edit the flag, the key needs a role'],
    [500, 'plan again'],
  ])('a %i says what to do', async (status, remedy) => {
    service.faults(`POST /feature_flags status=${status}`)
    const refusal = await refusalOf(() => terraform.apply('feature_flag', checkout))
    expect(refusal).toContain(`error: cannot create flag "checkout" | POST /api/projects/1/feature_flags`)
    expect(refusal).toContain(String(status))
    expect(refusal).toContain(remedy)
    expect(refusal).not.toContain(service.env.VEXIL_API_KEY)
  })

  it.each([
    ['cannot be looked up', ['POST /feature_flags reset_after', 'GET /projects/*/feature_flags status=503']],
    ['may not be looked up', ['POST /feature_flags reset_after', 'GET /projects/*/feature_flags status=403']],
  ])('a creation whose answer got lost and that %s says how to import it', async (_, faults) => {
    service.faults(...faults)
    const planned = await terraform.plan('feature_flag', checkout, null)
    const lost = await terraform.carryOut('feature_flag', checkout, null, planned)
    expect([lost.kept, lost.diagnostics.map(showDiagnostic)]).toEqual([
      null,
      [
        expect.stringContaining(
          'If the next run reports that it already exists, import it with `terraform import vexil_feature_flag.NAME 1/checkout`.',
        ),
      ],
    ])
    service.faults()
    const again = await playTerraform(service)
    expect(await refusalOf(() => again.apply('feature_flag', checkout))).toContain('already exists')
    const imported = await again.import('feature_flag', '1/checkout')
    expect(await again.replan('feature_flag', checkout, imported)).toEqual([])
  })

  it('a creation that never left says nothing of the kind', async () => {
    const other = await playTerraform(service, { base_url: 'http://127.0.0.1:1', retry_attempts: 1 })
    expect(await refusalOf(() => other.apply('plugin', { name: 'GeoIP' }))).not.toContain('import')
  })

  it('a wrong key is told with where it comes from', async () => {
    const other = await playTerraform(service, { api_key: 'phx_wrong' })
    const refusal = await refusalOf(() => other.apply('feature_flag', checkout))
    expect(refusal).toMatch(/401/)
    expect(refusal).toContain("the provider's `api_key`")
    expect(refusal).not.toContain('phx_wrong')
  })

  it('a service that cannot be reached is told as such', async () => {
    const other = await playTerraform(service, { base_url: 'http://127.0.0.1:1', retry_attempts: 1 })
    const refusal = await refusalOf(() => other.apply('feature_flag', checkout))
    expect(refusal).toContain('Check that the service is reachable')
  })

  it('never lets a flag out of the state that cannot be read', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const fresh = await playTerraform(service)
    service.faults('GET /feature_flags status=403')
    expect(await refusalOf(() => fresh.read('feature_flag', kept))).toContain('permission to read flags')
  })

  it.each([
    ['the flag', '/feature_flags/', (player: Player, kept: Kept) => player.read('feature_flag', kept)],
    ['an import', '/feature_flags/', (player: Player) => player.import('feature_flag', '1')],
    ['a list', '/feature_flags', (player: Player) => player.data('feature_flags', {})],
  ])('says of %s that reading failed, and nothing of a write', async (_, path, reading) => {
    const kept = await terraform.apply('feature_flag', checkout)
    const fresh = await playTerraform(service)
    service.faults(`GET ${path} status=500`)
    expect(await refusalOf(() => reading(fresh, kept))).toMatch(
      /\| Reading failed, and nothing was written. Run the same command again\.$/,
    )
  })

  it('keeps the state when a change or a removal is refused', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    service.faults('PATCH /feature_flags status=403')
    const changed = { ...checkout, name: 'B' }
    const planned = await terraform.plan('feature_flag', changed, kept)
    const { kept: after, diagnostics } = await terraform.carryOut('feature_flag', changed, kept, planned)
    expect(after).toEqual(kept)
    expect(diagnostics.map(showDiagnostic).join()).toContain('cannot change flag "checkout"')
    expect((await terraform.destroy('feature_flag', kept)).map(({ summary }) => summary)).toEqual([
      'cannot destroy flag "checkout"',
    ])
  })

  it('holds back turning off a flag that an experiment runs on, unless that is allowed', async () => {
    const seeded = await startService({
      seed: {
        organizations: [
          {
            name: 'A',
            projects: [{ id: 1, name: 'P', feature_flags: [{ key: 'checkout', experiment_set: [4] }] }],
          },
        ],
      },
    })
    const player = await playTerraform(seeded)
    const kept = await player.import('feature_flag', 'checkout')
    expect((await player.destroy('feature_flag', kept)).map(showDiagnostic)).toEqual([
      'error [allow]: flag "checkout" was not changed: an experiment runs on it | Solve that first, or add "experiment" to `allow`.',
    ])
    const allowed = await player.apply('feature_flag', { key: 'checkout', allow: ['experiment'] }, kept)
    expect(await player.destroy('feature_flag', allowed)).toEqual([])
    await seeded.close()
  })
})
