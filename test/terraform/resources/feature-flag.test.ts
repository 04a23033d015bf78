import { describe, expect, it } from 'vitest'
import { startService, useService } from '../../support/service.ts'
import { type Config, type Kept, playTerraform, useTerraform } from './play.ts'

const filters = JSON.stringify({ groups: [{ properties: [], rollout_percentage: 25 }] })
const checkout: Config = { key: 'checkout', name: 'Checkout', active: true, filters, tags: ['Web'] }

const service = useService()
const terraform = useTerraform(service)

const flagNow = (id: unknown) => service.get(`/api/projects/1/feature_flags/${id}`)

describe('a flag', () => {
  it('is created, and planned to nothing afterwards', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    expect(kept.state).toMatchObject({
      id: '1',
      key: 'checkout',
      name: 'Checkout',
      active: true,
      filters,
      tags: ['Web'],
      tags_all: ['web'],
      project_id: '1',
      ensure_experience_continuity: false,
      rollback_conditions: null,
    })
    expect(await terraform.replan('feature_flag', checkout, kept)).toEqual([])
    expect(await flagNow(1)).toMatchObject({ key: 'checkout', tags: ['web'], active: true })
  })

  it('is created with one write, after a look for what has its key', async () => {
    const { requests } = await service.watch(() => terraform.apply('feature_flag', checkout))
    expect(requests).toEqual([
      'GET /api/projects/1/feature_flags/activity',
      'GET /api/projects/1/feature_flags',
      'POST /api/projects/1/feature_flags',
    ])
  })

  it('plans everything but the identity as unknown when nothing else is configured', async () => {
    const { planned, warnings } = await terraform.plan('feature_flag', { key: 'plain' }, null)
    expect(planned).toMatchObject({ key: 'plain', project_id: '1' })
    expect(warnings.map(({ summary }) => summary)).toEqual(['nothing limits who gets this flag'])
  })

  it('changes what differs and nothing else, with one read and one PATCH', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const changed = { ...checkout, name: 'Checkout 2' }
    const planned = await terraform.plan('feature_flag', changed, kept)
    expect(planned.changes).toEqual(['name'])
    const { result, requests } = await service.watch(() =>
      terraform.carryOut('feature_flag', changed, kept, planned),
    )
    expect(requests).toEqual(['GET /api/projects/1/feature_flags/1', 'PATCH /api/projects/1/feature_flags/1'])
    expect(await terraform.replan('feature_flag', changed, result.kept as Kept)).toEqual([])
  })

  it('leaves alone what the configuration does not name', async () => {
    const kept = await terraform.apply('feature_flag', { key: 'checkout', filters })
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { name: 'by hand', tags: ['hand'] })
    expect(await terraform.replan('feature_flag', { key: 'checkout', filters }, kept)).toEqual([])
    const read = await terraform.read('feature_flag', kept)
    expect(read?.state).toMatchObject({ name: 'by hand', tags: ['hand'] })
    await terraform.apply('feature_flag', { key: 'checkout', filters, active: false }, read)
    expect(await flagNow(1)).toMatchObject({ name: 'by hand', tags: ['hand'], active: false })
  })

  it('shows what was changed by hand, and puts it back', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await service.send('PATCH', '/api/projects/1/feature_flags/1', {
      filters: { groups: [{ properties: [], rollout_percentage: 80 }] },
    })
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(read.state.filters).toBe('{"groups":[{"properties":[],"rollout_percentage":80}]}')
    const planned = await terraform.plan('feature_flag', checkout, read)
    expect(planned.changes).toEqual(['filters'])
    const after = await terraform.apply('feature_flag', checkout, read)
    expect(after.state.filters).toBe(filters)
    expect(await flagNow(1)).toMatchObject({ filters: JSON.parse(filters) })
  })

  it('is not written over when somebody changed it after the plan', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const planned = await terraform.plan('feature_flag', { ...checkout, name: 'B' }, kept)
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { active: false })
    const { kept: after, diagnostics } = await terraform.carryOut(
      'feature_flag',
      { ...checkout, name: 'B' },
      kept,
      planned,
    )
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        summary: 'cannot change flag "checkout"',
        detail:
          'It was changed after the plan was made. Nothing was written; plan again to see the current state.',
      },
    ])
    expect(after?.state).toEqual(kept.state)
    expect(await flagNow(1)).toMatchObject({ name: 'Checkout', active: false })
  })

  it.each([
    ['refused', 'It was changed after the plan was made. Nothing was written; plan again'],
    ['dropped', 'Someone else has changed name in the meantime. Plan again'],
  ] as const)('is not written over either between the read and the write (%s)', async (stale_patch, said) => {
    let isFirst = true
    const other = await startService({ profile: 'posthog-2026', quirks: { stale_patch } }, handle => {
      return async (request, connection) => {
        const answer = await handle(request, connection)
        if (request.method === 'GET' && isFirst && /\/1\/?$/.test(new URL(request.url).pathname)) {
          isFirst = false
          await other.send('PATCH', '/api/projects/1/feature_flags/1', { name: 'Theirs' })
        }
        return answer
      }
    })
    const player = await playTerraform(other, { profile: 'posthog-2026' })
    const kept = await player.apply('feature_flag', checkout)
    const config = { ...checkout, name: 'B' }
    const planned = await player.plan('feature_flag', config, kept)
    const { kept: after, diagnostics } = await player.carryOut('feature_flag', config, kept, planned)
    expect(diagnostics.map(({ detail }) => detail)).toEqual([`${said} to see the current state.`])
    expect(after?.state).toEqual(kept.state)
    expect(await other.get('/api/projects/1/feature_flags/1')).toMatchObject({ name: 'Theirs' })
    await other.close()
  })

  it('is renamed in place, with a warning, and keeps its id', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const renamed = { ...checkout, key: 'checkout-v2' }
    const planned = await terraform.plan('feature_flag', renamed, kept)
    expect(planned).toMatchObject({ changes: ['key'], replaces: [] })
    expect(planned.warnings.map(({ summary }) => summary)).toEqual([
      'code that asks for "checkout" no longer gets this flag',
    ])
    expect(planned.warnings.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/keeps its id, grants and history\. Under another key people are assigned anew/),
    ])
    const after = await terraform.apply('feature_flag', renamed, kept)
    expect(after.state).toMatchObject({ id: '1', key: 'checkout-v2' })
    expect(await terraform.replan('feature_flag', renamed, after)).toEqual([])
  })

  it('names who loses what by a rename, in the words of a plan', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const { filters } = (await flagNow(1)) as { filters: object }
    await service.send('PATCH', '/api/projects/1/feature_flags/1', {
      filters: { ...filters, feature_enrollment: true },
    })
    const read = (await terraform.read('feature_flag', kept)) as typeof kept
    const { warnings } = await terraform.plan('feature_flag', { ...checkout, key: 'checkout-v2' }, read)
    expect(warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(
        'Lost under another key: the enrollment of people who have opted in; people are assigned anew',
      ),
    ])
  })

  it('is deleted softly, and so that doing it twice is doing it once', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const { requests } = await service.watch(() => terraform.destroy('feature_flag', kept))
    expect(requests).toEqual(['GET /api/projects/1/feature_flags/1', 'PATCH /api/projects/1/feature_flags/1'])
    expect(await flagNow(1)).toMatchObject({ deleted: true })
    expect(await terraform.destroy('feature_flag', kept)).toEqual([])
  })

  it('that was deleted by hand stays in the state, and comes back with its id and grants', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await service.send('POST', '/api/projects/1/feature_flags/1/role_access', {
      role_id: '01900000-0000-0000-0000-0000000000aa',
    })
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { deleted: true })
    expect(await terraform.replan('feature_flag', checkout, kept)).toEqual(['deleted'])
    const read = (await terraform.read('feature_flag', kept)) as Kept
    await terraform.begin()
    expect(
      (await terraform.plan('feature_flag', checkout, read)).warnings.map(({ summary }) => summary),
    ).toEqual(['flag "checkout" will be restored'])
    const { result, requests } = await service.watch(() => terraform.apply('feature_flag', checkout, read))
    expect(result.state).toMatchObject({ id: '1', deleted: false })
    expect(requests.filter(line => !/^(GET|PATCH) \/api\/projects\/1\/feature_flags\/1$/.test(line))).toEqual(
      [],
    )
    expect(await flagNow(1)).toMatchObject({ deleted: false, name: 'Checkout' })
    expect(await service.get('/api/projects/1/feature_flags/1/role_access')).toMatchObject({ count: 1 })
  })

  it('stays in the project it was made in while the provider does not know its own yet', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const { VEXIL_PROJECT_ID: _, ...env } = service.env
    const other = await playTerraform({ env })
    expect((await other.plan('feature_flag', checkout, kept)).changes).toEqual([])
  })
})
