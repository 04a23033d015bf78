import { describe, expect, it } from 'vitest'
import type { Desired } from '../../../src/core/desired.ts'
import { load, settings } from '../a-repository.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const growth = '01900000-0000-0000-0000-0000000000bb'
const roleNames = new Map([
  [support, 'support'],
  [growth, 'growth'],
])

async function declared(text: string, environment = 'staging') {
  const { declarations, problems } = await load({ 'vexil.yaml': settings, 'a.yaml': text }, { environment })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return declarations
}

const at = (line: number, column: number) => ({ file: 'a.yaml', line, column })

describe('a declaration', () => {
  it('becomes everything that it says', async () => {
    const text = `feature_flags:
  checkout:
    id: 881
    name: New checkout
    active: true
    filters: { groups: [{ rollout_percentage: 10 }] }
    tags: [b, a]
    protect: true
    ignore: [filters.groups.0.rollout_percentage, "filters.groups[1]", /name, filters.payloads.a~b/c]
    allow: [rollback]
`
    expect(await declared(text)).toEqual({
      desired: [
        {
          address: 'feature_flag.checkout',
          kind: 'feature_flag',
          identity: 'checkout',
          id: '881',
          ensure: 'present',
          fields: {
            name: 'New checkout',
            active: true,
            filters: { groups: [{ rollout_percentage: 10 }] },
            tags: ['b', 'a'],
          },
          protect: true,
          ignore: [
            '/filters/groups/0/rollout_percentage',
            '/filters/groups/1',
            '/name',
            '/filters/payloads/a~0b~1c',
          ],
          positions: ['/filters/groups/0/rollout_percentage', '/filters/groups/1'],
          allow: ['rollback'],
          source: at(2, 3),
        },
      ],
      ownedGrants: [],
      roleNames,
    })
  })

  it('may say nothing but that the object exists', async () => {
    const { desired } = await declared('event_definitions:\n  paid:\n  seen: {}\n  $pageview: null')
    expect(desired.map(({ address, ensure, fields }) => [address, ensure, fields])).toEqual([
      ['event_definition.paid', 'present', {}],
      ['event_definition.seen', 'present', {}],
      ['event_definition.$pageview', 'present', {}],
    ])
  })

  it('of an absent object has no fields', async () => {
    expect(
      (await declared('feature_flags:\n  old: { ensure: absent, allow: [experiment] }')).desired,
    ).toEqual([
      {
        address: 'feature_flag.old',
        kind: 'feature_flag',
        identity: 'old',
        ensure: 'absent',
        fields: {},
        allow: ['experiment'],
        source: at(2, 3),
      },
    ])
  })

  it('of an absent object uses none of the fields that still stand there, nor its grants', async () => {
    const flag = `old: { ensure: absent, name: Old, active: true, filters: { groups: [{}] }, tags: [a],
    role_access: [support], protect: true, ignore: [tags] }`
    expect(await declared(`feature_flags:\n  ${flag}`)).toMatchObject({
      desired: [
        {
          address: 'feature_flag.old',
          kind: 'feature_flag',
          identity: 'old',
          ensure: 'absent',
          fields: {},
          protect: true,
          source: at(2, 3),
        },
      ],
      ownedGrants: [],
      roleNames,
    })
  })

  it('keeps keys as they are written, whatever they look like', async () => {
    const { desired } = await declared(
      'feature_flags:\n  007: {}\n  1.0: {}\n  no: {}\n  null: {}\n  " padded ": {}',
    )
    expect(desired.map(({ identity }) => identity)).toEqual(['007', '1.0', 'no', 'null', 'padded'])
  })

  it('shares what anchors and merge keys share', async () => {
    const text = `x-defaults: &defaults { active: true, tags: [a] }
x-audience: &audience { groups: [{ rollout_percentage: 5 }] }
feature_flags:
  one: { <<: *defaults, filters: *audience }
  two: { <<: *defaults, filters: *audience, active: false }
`
    const filters = { groups: [{ rollout_percentage: 5 }] }
    expect((await declared(text)).desired.map(({ fields, source }) => [fields, source])).toEqual([
      [{ active: true, tags: ['a'], filters }, at(4, 3)],
      [{ active: false, tags: ['a'], filters }, at(5, 3)],
    ])
  })
})

describe('an environment', () => {
  const text = `feature_flags:
  a:
    active: true
    filters: { groups: [{ rollout_percentage: 10 }], payloads: { true: "1" } }
    protect: true
    role_access: [support]
    environments:
      staging: { filters: { groups: [{ rollout_percentage: 100 }] }, protect: false, id: 7, role_access: [] }
      production:
  b: { active: true, filters: {}, only: [production] }
  c: { active: true, filters: {}, environments: { staging: { skip: true } } }
  d: { active: true, filters: {}, role_access: [support], environments: { staging: { ensure: absent } } }
  e: { ensure: absent, environments: { staging: { ensure: present, active: false, filters: {} } } }
`
  const brief = ({ address, ensure, fields, id, protect }: Desired) => ({
    address,
    ensure,
    fields,
    id,
    protect,
  })

  it('replaces whole values, leaves out and deletes', async () => {
    const { desired, ownedGrants } = await declared(text, 'staging')
    expect(desired.map(brief)).toEqual([
      {
        address: 'feature_flag.a',
        ensure: 'present',
        fields: { active: true, filters: { groups: [{ rollout_percentage: 100 }] } },
        id: '7',
        protect: false,
      },
      { address: 'feature_flag.d', ensure: 'absent', fields: {}, id: undefined, protect: undefined },
      {
        address: 'feature_flag.e',
        ensure: 'present',
        fields: { active: false, filters: {} },
        id: undefined,
        protect: undefined,
      },
    ])
    expect(ownedGrants).toEqual([{ flag: 'a', source: at(8, 93) }])
  })

  it('without overrides has the declaration as it stands', async () => {
    const { desired, ownedGrants } = await declared(text, 'production')
    expect(desired.map(({ address, ensure }) => `${ensure} ${address}`)).toEqual([
      'present feature_flag.a',
      'present feature_flag_role_access.a:support',
      'present feature_flag.b',
      'present feature_flag.c',
      'present feature_flag.d',
      'present feature_flag_role_access.d:support',
      'absent feature_flag.e',
    ])
    expect(ownedGrants).toEqual([
      { flag: 'a', source: at(6, 5) },
      { flag: 'd', source: at(12, 35) },
    ])
  })
})

describe('a grant', () => {
  it('is declared under its flag, by name or UUID, and the list is owned', async () => {
    const text = `feature_flags:
  a:
    active: true
    filters: {}
    role_access: [support, ${growth.toUpperCase()}, 01900000-0000-0000-0000-0000000000dd]
`
    const { desired, ownedGrants } = await declared(text)
    const grant = (label: string, identity: string, column: number): Desired => ({
      address: `feature_flag_role_access.a:${label}`,
      kind: 'feature_flag_role_access',
      identity,
      ensure: 'present',
      fields: {},
      parent: { key: 'a' },
      label,
      source: at(5, column),
    })
    expect(desired.slice(1)).toEqual([
      grant('support', support, 19),
      grant('growth', growth, 28),
      grant('01900000-0000-0000-0000-0000000000dd', '01900000-0000-0000-0000-0000000000dd', 66),
    ])
    expect(ownedGrants).toEqual([{ flag: 'a', source: at(5, 5) }])
  })

  it('is declared on its own, and then no list is owned', async () => {
    const text = `feature_flag_role_access:
  - { flag: elsewhere, role: support }
  - { flag: elsewhere, role: growth, ensure: absent }
  - { flag: a, role: growth, only: [production], ensure: present }
`
    expect(await declared(text)).toEqual({
      desired: [
        {
          address: 'feature_flag_role_access.elsewhere:support',
          kind: 'feature_flag_role_access',
          identity: support,
          ensure: 'present',
          fields: {},
          parent: { key: 'elsewhere' },
          label: 'support',
          source: at(2, 5),
        },
        {
          address: 'feature_flag_role_access.elsewhere:growth',
          kind: 'feature_flag_role_access',
          identity: growth,
          ensure: 'absent',
          fields: {},
          parent: { key: 'elsewhere' },
          label: 'growth',
          source: at(3, 5),
        },
      ],
      ownedGrants: [],
      roleNames,
    })
  })
})
