import { describe, expect, it } from 'vitest'
import { decodeState } from '../../../src/hcl/values/convert.ts'
import { type ObjectValue, unknown, type Value } from '../../../src/hcl/values/value.ts'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { writeJson } from '../../../src/model/text/json-text.ts'
import { compactFilters } from '../../../src/targeting/index.ts'
import { typeOfBlock } from '../../../src/terraform/provider.ts'
import { startService, useService } from '../../support/service.ts'
import { type Config, type Kept, playTerraform, refusalOf, showDiagnostic, useTerraform } from './play.ts'

const service = useService()
const terraform = useTerraform(service)

const flag = (filters: unknown, over: Config = {}): Config => ({
  key: 'checkout',
  filters: typeof filters === 'string' ? filters : JSON.stringify(filters),
  ...over,
})
const half = { groups: [{ properties: [], rollout_percentage: 50 }] }

describe('a JSON attribute', () => {
  it.each([
    ['other white space', '{ "groups": [ {"rollout_percentage": 50, "properties": [] } ] }'],
    ['another order of members', '{"groups":[{"rollout_percentage":50,"properties":[]}]}'],
    ['what counts as nothing left out', '{"groups":[{"rollout_percentage":50}]}'],
    ['what counts as nothing added', '{"groups":[{"rollout_percentage":50,"variant":null}],"payloads":{}}'],
    ["HCL's own escapes", '{"groups":[{"\\u0072ollout_percentage":50}]}'],
  ])('with %s plans nothing', async (_, text) => {
    const kept = await terraform.apply('feature_flag', flag(half))
    expect(await terraform.replan('feature_flag', flag(text), kept)).toEqual([])
  })

  it('keeps the text that the person wrote', async () => {
    const text = '{ "groups": [ { "rollout_percentage": 5e1 } ] }'
    const kept = await terraform.apply('feature_flag', flag(text))
    expect(kept.state.filters).toBe(text)
    expect((await terraform.read('feature_flag', kept))?.state.filters).toBe(text)
  })

  it('whose member is taken out plans a change, though the service shows it as its default', async () => {
    const kept = await terraform.apply('feature_flag', flag(half))
    const everybody = flag({ groups: [{ properties: [] }] })
    expect(await terraform.replan('feature_flag', everybody, kept)).toEqual(['filters'])
    const after = await terraform.apply('feature_flag', everybody, kept)
    expect(await terraform.replan('feature_flag', everybody, after)).toEqual([])
    expect(await terraform.replan('feature_flag', flag(half), after)).toEqual(['filters'])
  })

  it('is as configured even where the service writes it in its own way', async () => {
    const other = await startService({ quirks: { filters: 'rewritten' } })
    const player = await playTerraform(other)
    const config = flag({ ...half, payloads: { true: { a: 1 } } })
    const kept = await player.apply('feature_flag', config)
    expect(await player.replan('feature_flag', config, kept)).toEqual([])
    await other.close()
  })

  it('keeps every digit of a number', async () => {
    const values = '[9007199254740993,0.12345678901234567890123]'
    const text = `{"groups":[{"properties":[{"key":"id","type":"person","value":${values}}]}]}`
    const config = { key: 'digits', filters: text }
    expect(await terraform.validate('feature_flag', config)).toEqual([])
    const kept = await terraform.apply('feature_flag', config)
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
    const found = (await service.get('/api/projects/1/feature_flags/?limit=100')) as JsonObject
    expect(writeJson(found)).toContain(`"value":${values}`)
  })

  it.each([
    [
      'exact',
      'warning',
      '2.10 is read as the number 2.1',
      'Write "2.10" in quotes if text is intended, or else 2.1.',
    ],
    [
      'semver_gte',
      'error',
      'the version 2.10 is read as the number 2.1',
      'The operator "semver_gte" takes text: write "2.10" in quotes.',
    ],
    [
      'gte',
      'warning',
      'the value of the operator "gte" must be text',
      'Write the value in quotes: "2.10"; a plan accepts this only if the live object already has it.',
    ],
  ])('tells of a number that is sent as another text: %s', async (operator, severity, summary, detail) => {
    const text = `{"groups":[{"properties":[{"key":"v","type":"person","operator":"${operator}","value":2.10}],"rollout_percentage":5.0}]}`
    expect(await terraform.validate('feature_flag', flag(text))).toEqual([
      {
        severity,
        summary,
        detail: `At /groups/0/properties/0/value. ${detail}`,
        attribute: ['filters'],
      },
    ])
  })

  it('refuses a number that nobody can hold', async () => {
    const text = '{"groups":[{"properties":[{"key":"id","type":"person","value":1e99999999999999999}]}]}'
    expect(await terraform.validate('feature_flag', flag(text))).toEqual([
      {
        severity: 'error',
        summary: '`filters` cannot be sent',
        detail: 'The exponent of the number 1e99999999999999999 is out of range; write it as text.',
        attribute: ['filters'],
      },
    ])
  })

  it('takes a payload of any number of digits, as text', async () => {
    const config = flag({ ...half, payloads: { true: '{"id":90071992547409931234}' } })
    const kept = await terraform.apply('feature_flag', config)
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
  })

  it('that is unknown yet is planned as unknown', async () => {
    const { planned } = await terraform.plan('feature_flag', { key: 'checkout', filters: unknown }, null)
    expect(planned.filters).toEqual(unknown)
  })

  it('keeps what other parts of the product write into it', async () => {
    const kept = await terraform.apply('feature_flag', flag(half))
    await service.send('PATCH', '/api/projects/1/feature_flags/1', {
      filters: { ...half, super_groups: [{ properties: [], rollout_percentage: 100 }] },
    })
    const read = (await terraform.read('feature_flag', kept)) as Kept
    const more = flag({ groups: [{ rollout_percentage: 60 }] })
    await terraform.apply('feature_flag', more, read)
    expect(await service.get('/api/projects/1/feature_flags/1')).toMatchObject({
      filters: { super_groups: [{ rollout_percentage: 100 }], groups: [{ rollout_percentage: 60 }] },
    })
  })
})

describe('typed release conditions', () => {
  const typed: Config = {
    key: 'checkout',
    release: [
      {
        properties: [
          { key: 'country', values: ['DE', 'AT'], operator: 'exact' },
          { key: 'email', operator: 'icontains', value: '@corp' },
        ],
        rollout_percentage: 30,
        variant: 'test',
      },
      { rollout_percentage: 10 },
    ],
    variants: [
      { key: 'control', rollout_percentage: 50 },
      { key: 'test', name: 'Test', rollout_percentage: 50, payload: '{"color":"red"}' },
    ],
  }

  it('say what JSON would say', async () => {
    const kept = await terraform.apply('feature_flag', typed)
    const { filters } = (await service.get('/api/projects/1/feature_flags/1')) as { filters: Json }
    expect(compactFilters(filters)).toEqual({
      groups: [
        {
          properties: [
            { key: 'country', value: ['DE', 'AT'], type: 'person' },
            { key: 'email', value: '@corp', type: 'person', operator: 'icontains' },
          ],
          rollout_percentage: 30,
          variant: 'test',
        },
        { rollout_percentage: 10 },
      ],
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 50 },
          { key: 'test', name: 'Test', rollout_percentage: 50 },
        ],
      },
      payloads: { test: '{"color":"red"}' },
    })
    expect(await terraform.replan('feature_flag', typed, kept)).toEqual([])
  })

  it('ask whether another flag is on, off, or gives a variant', async () => {
    const base = await terraform.apply('feature_flag', flag(half, { key: 'base' }))
    const asking = (value: string) => ({
      key: String(base.state.id),
      type: 'flag',
      operator: 'flag_evaluates_to',
      value,
    })
    const release = ['true', 'false', 'bold'].map(value => ({ properties: [asking(value)] }))
    const config: Config = { key: 'checkout', release }
    expect((await terraform.validate('feature_flag', config)).map(showDiagnostic)).toEqual([])
    const kept = await terraform.apply('feature_flag', config)
    const { results } = (await service.get('/api/projects/1/feature_flags/')) as {
      results: { key: string; filters: { groups: { properties: { value: Json }[] }[] } }[]
    }
    const made = results.find(({ key }) => key === 'checkout')
    const asked = made?.filters.groups.map(({ properties }) => properties[0]?.value)
    expect(asked).toEqual([true, false, 'bold'])
    expect(await terraform.replan('feature_flag', config, kept)).toEqual([])
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(await terraform.replan('feature_flag', config, read)).toEqual([])
  })

  it('plan a change when one of them does, and when the service has others', async () => {
    const kept = await terraform.apply('feature_flag', typed)
    const wider = { ...typed, release: [{ rollout_percentage: 20 }] }
    expect(await terraform.replan('feature_flag', wider, kept)).toEqual(['release'])
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { filters: half })
    expect(await terraform.replan('feature_flag', typed, kept)).toEqual(['release', 'variants'])
    const read = (await terraform.read('feature_flag', kept)) as Kept
    const after = await terraform.apply('feature_flag', typed, read)
    expect(await terraform.replan('feature_flag', typed, after)).toEqual([])
  })

  it.each([
    ['a condition more', { groups: [{ properties: [], rollout_percentage: 10 }, { rollout_percentage: 5 }] }],
    ['a payload', { groups: [{ rollout_percentage: 10 }], payloads: { true: '{"a":1}' } }],
    [
      'variants and a property of a cohort',
      {
        groups: [
          { properties: [{ key: 'id', type: 'cohort', value: 1 }], rollout_percentage: 10, variant: 'a' },
        ],
        multivariate: { variants: [{ key: 'a', name: 'A', rollout_percentage: 100 }] },
        payloads: { a: '"x"' },
      },
    ],
    ['groups of people', { groups: [{ rollout_percentage: 10 }], aggregation_group_type_index: 1 }],
    ['nobody', { groups: [] }],
  ])('show what somebody made of them: %s', async (_, filters) => {
    const kept = await terraform.apply('feature_flag', { key: 'x', release: [{ rollout_percentage: 10 }] })
    await service.send('POST', '/api/projects/1/feature_flags/1/create_static_cohort_for_flag')
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { filters })
    const { state } = (await terraform.read('feature_flag', kept)) as Kept
    expect(state.filters).toBeNull()
    // The same typed attributes, written by somebody, are what is live.
    const written = Object.fromEntries(
      ['release', 'variants', 'payload', 'group_type_index'].map(name => [name, state[name] ?? null]),
    )
    expect(await terraform.replan('feature_flag', { key: 'x', ...written }, kept)).toEqual([])
  })

  it('stay as they are where they cannot say what somebody made of them, which `filters` says then', async () => {
    const config = { key: 'x', release: [{ rollout_percentage: 10 }] }
    const kept = await terraform.apply('feature_flag', config)
    const filters = { groups: [{ properties: [], rollout_percentage: 11, newer: true }] }
    await service.send('PATCH', '/api/projects/1/feature_flags/1', { filters })
    const read = (await terraform.read('feature_flag', kept)) as Kept
    expect(read.state.release).toEqual(kept.state.release)
    expect(read.state.filters).toBe('{"groups":[{"newer":true,"rollout_percentage":11}]}')
    // It is the same however often it is read.
    await terraform.begin()
    expect(await terraform.read('feature_flag', read)).toEqual(read)
    expect(await terraform.replan('feature_flag', config, read)).toEqual(['filters'])
    const after = await terraform.apply('feature_flag', config, read)
    expect(after.state.filters).toBeNull()
    expect(await service.get('/api/projects/1/feature_flags/1')).toMatchObject({
      filters: { groups: [{ rollout_percentage: 10 }] },
    })
  })

  it('replace the same JSON without a change on the service', async () => {
    const kept = await terraform.apply('feature_flag', flag({ groups: [{ rollout_percentage: 10 }] }))
    const same = { key: 'checkout', release: [{ rollout_percentage: 10 }] }
    const planned = await terraform.plan('feature_flag', same, kept)
    expect(planned.changes).toEqual(['filters', 'release'])
    const { requests } = await service.watch(() => terraform.carryOut('feature_flag', same, kept, planned))
    expect(requests).toEqual(['GET /api/projects/1/feature_flags/1'])
  })

  it('are underlined when the service knows no cohort of that number', async () => {
    const config = {
      key: 'checkout',
      release: [{ properties: [{ key: 'id', type: 'cohort', value: '7' }], rollout_percentage: 30 }],
    }
    expect(await refusalOf(() => terraform.apply('feature_flag', config))).toMatch(
      /^error \[release\]: .*cohort_does_not_exist/,
    )
  })

  it('keep a note of why a condition is there, as JSON would', async () => {
    const groups = [{ description: 'they asked', rollout_percentage: 10 }]
    const [typed, json] = [
      { key: 'x', release: groups },
      { key: 'x', filters: JSON.stringify({ groups }) },
    ]
    const kept = await terraform.apply('feature_flag', typed)
    expect(kept.state).toMatchObject({ release: groups, filters: null })
    expect(await service.get('/api/projects/1/feature_flags/1')).toMatchObject({ filters: { groups } })
    expect(await terraform.replan('feature_flag', typed, kept)).toEqual([])
    expect(await terraform.replan('feature_flag', json, kept)).toEqual(['filters', 'release'])
  })

  const tenth = [{ rollout_percentage: 10 }]
  const theirs = [{ description: 'theirs', rollout_percentage: 10 }]
  it.each<[string, Config, Value, string[]]>([
    ['JSON', { filters: JSON.stringify({ groups: tenth }) }, null, ['filters']],
    ['typed', { release: tenth }, theirs, ['release']],
    ['typed, with another note', { release: [{ ...tenth[0], description: 'ours' }] }, theirs, ['release']],
  ])(
    'show a note that somebody wrote, and put back what is declared: %s',
    async (_, given, release, changes) => {
      const config = { key: 'x', ...given }
      const kept = await terraform.apply('feature_flag', config)
      const { filters } = (await service.get('/api/projects/1/feature_flags/1')) as { filters: unknown }
      await service.send('PATCH', '/api/projects/1/feature_flags/1', { filters: { groups: theirs } })
      const read = (await terraform.read('feature_flag', kept)) as Kept
      expect(JSON.parse(String(read.state.filters))).toEqual(release ? null : { groups: theirs })
      expect(read.state).toMatchObject({ release })
      expect((await terraform.plan('feature_flag', config, read)).changes).toEqual(changes)
      const after = await terraform.apply('feature_flag', config, read)
      expect(await service.get('/api/projects/1/feature_flags/1')).toMatchObject({ filters })
      expect(await terraform.replan('feature_flag', config, after)).toEqual([])
    },
  )

  it('that were kept before conditions had notes plan nothing', async () => {
    const config = { key: 'x', release: tenth }
    const kept = await terraform.apply('feature_flag', config)
    const { schema } = terraform.provider.resources.vexil_feature_flag!
    const release = [{ properties: null, rollout_percentage: 10, variant: null }]
    const text = JSON.stringify({ ...kept.state, release })
    const state = decodeState(typeOfBlock(schema.block), text) as ObjectValue
    expect(await terraform.replan('feature_flag', config, { ...kept, state })).toEqual([])
  })

  it('that are empty reach nobody', async () => {
    const kept = await terraform.apply('feature_flag', { key: 'checkout', release: [] })
    expect(await service.get('/api/projects/1/feature_flags/1')).toMatchObject({
      filters: { groups: [{ rollout_percentage: 0 }] },
    })
    expect(await terraform.replan('feature_flag', { key: 'checkout', release: [] }, kept)).toEqual([])
  })

  it.each<[string, Config, Value]>([
    ['a part of `release`', { release: [{ rollout_percentage: unknown }] }, null],
    ['`release` beside a payload', { release: unknown, payload: '1' }, null],
    ['all of them', { release: unknown, payload: unknown }, unknown],
  ])('leave `filters` open only while all may be null: not known is %s', async (_, given, filters) => {
    const config = { key: 'checkout', ...given }
    expect((await terraform.plan('feature_flag', config, null)).planned.filters).toEqual(filters)
    await terraform.begin()
    const kept = await terraform.apply('feature_flag', { key: 'checkout', release: tenth })
    expect((await terraform.plan('feature_flag', config, kept)).planned.filters).toEqual(filters)
    const asJson = await terraform.apply('feature_flag', {
      key: 'y',
      filters: JSON.stringify({ groups: tenth }),
    })
    const planned = await terraform.plan('feature_flag', { ...config, key: 'y' }, asJson)
    expect(planned.planned.filters).toEqual(filters)
  })
})
