import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memberOf } from '../../../src/hcl/values/value.ts'
import { recall, remember } from '../../../src/terraform/resources/remembered.ts'
import { type Service, startService } from '../../support/service.ts'
import { type Config, type Kept, type Player, playTerraform, showDiagnostic } from './play.ts'

const flagPath = '/api/projects/1/feature_flags/1'
const checkout: Config = {
  key: 'checkout',
  name: 'Checkout',
  active: true,
  release: [{ rollout_percentage: 10 }],
}
const applied = 'It was last applied on 2026-01-01 00:00:00 UTC.'
const onwards = (attribute: string) =>
  `To keep the live value, configure it; to let people change \`${attribute}\` in the product, add it to \`ignore_changes\`.`

let service: Service
let terraform: Player

const organization = {
  id: '01900000-0000-0000-0000-000000000001',
  name: 'Example',
  projects: [
    { id: 1, name: 'One', event_definitions: [{ name: 'paid', tags: ['old'] }] },
    { id: 2, name: 'Two' },
  ],
}

const plugins = `/api/organizations/${organization.id}/plugins`

beforeEach(async () => {
  service = await startService({ seed: { organizations: [organization] } })
  terraform = await playTerraform(service)
})
afterEach(() => service.close())

const edit = (body: object) => service.send('PATCH', flagPath, body)

/** Reads and plans in a run of its own; what lifecycles ignore stands in the configuration as it is live. */
async function planned(config: Config, kept: Kept, ignored: readonly string[] = [], type = 'feature_flag') {
  await terraform.begin()
  const read = (await terraform.read(type, kept)) as Kept
  const there = Object.fromEntries(ignored.map(name => [name, memberOf(read.state, name)]))
  const { warnings, changes } = await terraform.plan(type, { ...config, ...there }, read)
  return { read, changes, warned: warnings.map(showDiagnostic) }
}

describe('a plan of what was changed in the product', () => {
  it('says what it takes back, on the attribute and with the time of the last apply', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ active: false, name: 'Theirs' })
    expect((await planned(checkout, kept)).warned).toEqual([
      `warning [name]: flag "checkout" was changed in the product: \`name\`; applying reverts it | ${applied} ${onwards('name')}`,
      `warning [active]: flag "checkout" was changed in the product: active on -> off; applying reverts it | ${applied} ${onwards('active')}`,
    ])
  })

  it('names everything that has to be ignored for who gets the flag to be left to the product', async () => {
    const config = { key: 'x', rollout_percentage: 10 }
    const kept = await terraform.apply('feature_flag', config)
    await edit({
      filters: {
        groups: [{ properties: [], rollout_percentage: 70, variant: 'a' }],
        multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      },
    })
    const names = ['rollout_percentage', 'release', 'variants']
    expect((await planned(config, kept)).warned).toEqual([
      expect.stringContaining(
        'to let people change `rollout_percentage`, `release`, `variants` in the product, add them to `ignore_changes`.',
      ),
    ])
    expect(await planned(config, kept, names)).toMatchObject({ changes: [], warned: [] })
  })

  it('says so also of what was configured otherwise since', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ name: 'Theirs' })
    expect((await planned({ ...checkout, name: 'Ours' }, kept)).warned).toEqual([
      `warning [name]: flag "checkout" was changed in the product and in the configuration: \`name\`; applying reverts the product's change | ${applied} ${onwards('name')}`,
    ])
  })

  it.each<[string, Config, string, object]>([
    ['release', {}, '`release` 10% -> 50%', { filters: { groups: [{ rollout_percentage: 50 }] } }],
    [
      'rollout_percentage',
      { release: null, rollout_percentage: 10 },
      '`rollout_percentage` 10% -> 10%, 100%',
      { filters: { groups: [{ rollout_percentage: 10 }, { properties: [], rollout_percentage: 100 }] } },
    ],
    [
      'filters',
      { release: null, filters: '{"groups":[{"rollout_percentage":10}]}' },
      '`filters` 10% -> nobody',
      { filters: { groups: [] } },
    ],
    [
      'release',
      {},
      '`release`',
      {
        filters: {
          groups: [{ rollout_percentage: 10, properties: [{ key: 'plan', value: 'pro', type: 'person' }] }],
        },
      },
    ],
    [
      'ensure_experience_continuity',
      { ensure_experience_continuity: true },
      'ensure_experience_continuity: true -> false',
      { ensure_experience_continuity: false },
    ],
    ['key', {}, '`key`', { key: 'renamed' }],
  ])('names what became of `%s`: %o', async (attribute, more, words, body) => {
    const config = { ...checkout, ...more }
    const kept = await terraform.apply('feature_flag', config)
    await edit(body)
    const { warned } = await planned(config, kept)
    expect(warned).toContainEqual(
      expect.stringMatching(`^warning \\[${attribute}\\]: flag "\\w+" was changed in the product: ${words};`),
    )
  })

  it('does not contain what only the configuration changes', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const config = { ...checkout, name: 'Ours', active: false, release: [{ rollout_percentage: 20 }] }
    expect(await planned(config, kept)).toMatchObject({ changes: ['active', 'name', 'release'], warned: [] })
  })

  it('says nothing once the configuration has caught up', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ name: 'Theirs' })
    expect(await planned({ ...checkout, name: 'Theirs' }, kept)).toMatchObject({ changes: [], warned: [] })
  })

  it('says nothing any more once it was applied', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ active: false })
    const { read } = await planned(checkout, kept)
    const after = await terraform.apply('feature_flag', checkout, read)
    expect(await planned(checkout, after)).toMatchObject({ changes: [], warned: [] })
  })

  it('still says so where the apply failed', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ active: false })
    const { read } = await planned(checkout, kept)
    const plan = await terraform.plan('feature_flag', checkout, read)
    service.faults('PATCH status=403')
    const failed = await terraform.carryOut('feature_flag', checkout, read, plan)
    expect(failed.diagnostics).toHaveLength(1)
    expect((await planned(checkout, failed.kept as Kept)).warned).toHaveLength(1)
  })

  it('says so after a state was refreshed without an apply', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ active: false })
    const { read } = await planned(checkout, kept)
    expect((await planned(checkout, read)).warned).toHaveLength(1)
  })
})

describe('tags that were changed in the product', () => {
  beforeEach(async () => {
    terraform = await playTerraform(service, { default_tags: ['team'] })
  })

  it.each<[string, Config, string[], string[]]>([
    ['of the configuration', { tags: ['a'] }, ['a', 'team', 'theirs'], ['tags']],
    ['of the defaults', { tags: ['a'] }, ['a'], ['tags_all']],
    ['of the defaults alone', {}, ['theirs'], ['tags_all']],
    ['beside the defaults', {}, ['team', 'theirs'], []],
  ])('are told: %s', async (_, more, tags, attributes) => {
    const config = { ...checkout, ...more }
    const kept = await terraform.apply('feature_flag', config)
    await edit({ tags })
    const { warned } = await planned(config, kept)
    expect(warned.map(line => line.split(':')[0])).toEqual(attributes.map(name => `warning [${name}]`))
  })

  it.each<[string, Config, readonly string[], string[]]>([
    ['with tags that are ignored', { tags: ['a'] }, ['tags'], ['theirs']],
    ['with tags as configured', { tags: ['a'] }, [], ['a']],
    ['with no tags configured', {}, [], ['theirs']],
  ])(
    'are put back where they are the default ones, and no way is told that does nothing: %s',
    async (_, more, ignored, tags) => {
      const config = { ...checkout, ...more }
      const kept = await terraform.apply('feature_flag', config)
      await edit({ tags })
      expect((await planned(config, kept, ignored)).warned).toEqual([
        `warning [tags_all]: flag "checkout" was changed in the product: \`tags_all\`; applying adds the provider's default tags | ${applied} They are added unless \`ignore_changes\` contains \`tags_all\`. To let people remove a tag in the product, remove it from \`default_tags\`.`,
      ])
    },
  )

  it('are none where the defaults are other ones', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    terraform = await playTerraform(service, { default_tags: ['team', 'more'] })
    expect(await planned(checkout, kept)).toMatchObject({ changes: ['tags_all'], warned: [] })
  })
})

describe('what nothing is said of', () => {
  it.each<[readonly string[], Config, object]>([
    [['active'], {}, { active: false }],
    [['release', 'rollout_percentage'], {}, { filters: { groups: [{ rollout_percentage: 50 }] } }],
    [
      ['filters'],
      { release: null, filters: '{"groups":[{"rollout_percentage":10}]}' },
      { filters: { groups: [] } },
    ],
    [['tags'], { tags: ['a'] }, { tags: ['theirs'] }],
    [['tags', 'tags_all'], { tags: ['a'] }, { tags: ['theirs'] }],
    [['name'], {}, { name: 'Theirs' }],
  ])('is an attribute that is ignored: %o', async (ignored, more, body) => {
    const config = { ...checkout, ...more }
    const kept = await terraform.apply('feature_flag', config)
    await edit(body)
    expect(await planned(config, kept, ignored)).toMatchObject({ changes: [], warned: [] })
    expect((await planned(config, kept)).warned).toHaveLength(1)
  })

  it('is a field that the configuration leaves out', async () => {
    const { name: _, ...config } = checkout
    const kept = await terraform.apply('feature_flag', config)
    await edit({ name: 'Theirs' })
    expect((await planned(config, kept)).warned).toEqual([])
  })

  it('is what other parts of the product have put into the filters', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const groups = [{ properties: [], rollout_percentage: 10 }]
    await edit({ filters: { groups, holdout_groups: [{ properties: [], rollout_percentage: 5 }] } })
    const config = { ...checkout, release: [{ rollout_percentage: 20 }] }
    expect(await planned(config, kept)).toMatchObject({ changes: ['release'], warned: [] })
  })
})

describe('a state that no apply has left', () => {
  it('of an import begins with what was imported', async () => {
    await terraform.apply('feature_flag', checkout)
    const kept = await terraform.import('feature_flag', 'checkout')
    const config: Config = { key: 'checkout', active: true, name: 'Checkout' }
    expect((await planned(config, kept)).warned).toEqual([])
    expect((await planned({ ...config, name: 'Ours' }, kept)).warned).toEqual([])
    await edit({ active: false, name: 'Theirs' })
    const since = 'The values equalled the configuration when they were read into the state.'
    expect((await planned({ ...config, name: 'Ours' }, kept)).warned).toEqual([
      `warning [active]: flag "checkout" was changed in the product: active on -> off; applying reverts it | ${since} ${onwards('active')}`,
    ])
  })

  it('without a base begins with what it says', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    const { base: _, ...before } = recall(kept.private)
    expect(Object.keys(before.fields)).toContain('active')
    const bare = { ...kept, private: remember(before) }
    expect((await planned(checkout, bare)).warned).toEqual([])
    await edit({ active: false })
    expect((await planned(checkout, bare)).warned).toHaveLength(1)
  })
})

describe('other kinds', () => {
  it('tell of files and texts of a plugin', async () => {
    const config: Config = { name: 'GeoIP', description: 'a', source: { 'index.ts': 'export {}' } }
    const kept = await terraform.apply('plugin', config)
    await service.send('PATCH', `${plugins}/1/update_source`, { 'index.ts': 'hand' })
    await service.send('PATCH', `${plugins}/1`, { description: 'theirs' })
    const { warned } = await planned(config, kept, [], 'plugin')
    expect(warned.map(line => line.split(';')[0])).toEqual([
      'warning [description]: plugin "GeoIP" was changed in the product: `description`',
      'warning [source]: plugin "GeoIP" was changed in the product: `source`',
    ])
  })
})

describe('a flag that was deleted in the product', () => {
  it('is said to be so, since when it was applied', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ deleted: true })
    expect((await planned(checkout, kept)).warned).toEqual([
      `warning [key]: flag "checkout" will be restored | It was deleted in the product. ${applied} The service still has it with the id 1. It will be restored with that id and its grants, as configured. Nothing new is created.`,
    ])
  })
})

describe('the removal of an object', () => {
  const removal = async (kept: Kept, type = 'feature_flag') => {
    await terraform.begin()
    const read = (await terraform.read(type, kept)) as Kept
    return (await terraform.planRemoval(type, read)).map(showDiagnostic)
  }

  it('says what was changed in the product and goes with it', async () => {
    const kept = await terraform.apply('feature_flag', { ...checkout, tags: ['a'] })
    expect(await removal(kept)).toEqual([])
    await edit({
      active: false,
      name: 'Theirs',
      tags: ['theirs'],
      filters: { groups: [{ rollout_percentage: 50 }] },
    })
    expect(await removal(kept)).toEqual([
      `warning: flag "checkout" was changed in the product: \`name\`, \`release\`, active on -> off, \`tags\`; destroying it loses this change | ${applied}`,
    ])
  })

  it('says the same where another object takes its place', async () => {
    const kept = await terraform.apply('feature_flag', checkout)
    await edit({ active: false })
    const { warned } = await planned({ ...checkout, project_id: '2' }, kept)
    expect(warned).toContain(
      `warning: flag "checkout" was changed in the product: active on -> off; destroying it loses this change | ${applied}`,
    )
  })

  it('does not contain what was never configured, nor of what is gone already', async () => {
    const { name: _, ...config } = checkout
    const kept = await terraform.apply('feature_flag', config)
    await edit({ name: 'Theirs' })
    expect(await removal(kept)).toEqual([])
    await edit({ active: false })
    expect(await removal(kept)).toHaveLength(1)
    await edit({ deleted: true })
    expect(await removal(kept)).toEqual([])
  })

  it.each([
    ['forget', 0],
    ['restore', 1],
  ])('says so of an event definition with `on_destroy = %s` %i times', async (on_destroy, count) => {
    const config: Config = { name: 'paid', tags: ['payments'], on_destroy }
    const kept = await terraform.apply('event_definition', config)
    const path = `/api/projects/1/event_definitions/${kept.state.id}`
    await service.send('PATCH', path, { tags: ['theirs'] })
    expect(await removal(kept, 'event_definition')).toHaveLength(count)
  })

  it('does not contain what was only imported', async () => {
    await terraform.apply('feature_flag', checkout)
    const kept = await terraform.import('feature_flag', 'checkout')
    await edit({ active: false })
    expect(await removal(kept)).toEqual([])
  })
})

describe('what is remembered', () => {
  it('is no value, only short digests', async () => {
    const config = { ...checkout, payload: '{"token":"hush-hush"}', tags: ['secret-tag'] }
    const { private: kept } = await terraform.apply('feature_flag', config)
    const { at, fields } = recall(kept).base ?? { fields: {} }
    expect(at).toBe(Date.UTC(2026, 0, 1))
    expect(Object.keys(fields).sort()).toEqual(['active', 'filters', 'key', 'name', 'tags'])
    for (const digest of Object.values(fields)) expect(digest).toMatch(/^[0-9a-f]{12}$/)
    expect(JSON.stringify(kept)).not.toMatch(/hush|secret/)
  })

  it('is nothing of a field that the service did not keep', async () => {
    await service.close()
    service = await startService({ quirks: { tags: 'dropped' } })
    terraform = await playTerraform(service)
    const planned = await terraform.plan('feature_flag', { ...checkout, tags: ['a'] }, null)
    const done = await terraform.carryOut('feature_flag', { ...checkout, tags: ['a'] }, null, planned)
    expect(done.diagnostics.map(showDiagnostic)).toEqual([expect.stringContaining('did not store `tags`')])
    expect(
      Object.keys(recall(done.kept?.private ?? new Uint8Array()).base?.fields ?? { tags: 'nothing is kept' }),
    ).not.toContain('tags')
  })
})

describe('a click between the last look and the write', () => {
  it('is a warning of the apply, and of the next plan', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const busy = await startService(
      { seed: { organizations: [organization] } },
      handle => async (request, connection) => {
        const edit = request.method === 'PATCH' ? meanwhile : undefined
        if (edit) meanwhile = undefined
        await edit?.()
        return handle(request, connection)
      },
    )
    try {
      terraform = await playTerraform(busy)
      const config = { ...checkout, active: false }
      const kept = await terraform.apply('feature_flag', config)
      const wider = { ...config, release: [{ rollout_percentage: 50 }] }
      meanwhile = () => busy.send('PATCH', flagPath, { active: true })
      const plan = await terraform.plan('feature_flag', wider, kept)
      const applied = await terraform.carryOut('feature_flag', wider, kept, plan)
      expect(applied.diagnostics.map(showDiagnostic)).toEqual([
        'warning [active]: another user changed `active` of this flag just before the write | No plan has shown the result of both changes together. Plan again to see the current state.',
      ])
      const { changes, warned } = await planned(wider, applied.kept as Kept)
      expect(changes).toEqual(['active'])
      expect(warned).toEqual([expect.stringContaining('was changed in the product: active off -> on')])
    } finally {
      await busy.close()
    }
  })
})
