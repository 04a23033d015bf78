import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AskedField,
  type Authors,
  authorOf,
  clockTolerance,
  isByPerson,
  type ObjectTrail,
  type TrailChange,
  trailKey,
} from '../../../src/core/live-edits/authors.ts'
import { kinds } from '../../../src/kinds/index.ts'
import type { Json } from '../../../src/model/text/json.ts'

const kind = kinds.feature_flag
const ada = { firstName: 'Ada', email: 'ada@example.com' }
const ci = { firstName: 'Pipeline', email: 'CI@example.com' }
const at = Date.parse('2026-11-20T10:00:00Z')

function told(changes: Readonly<Record<string, TrailChange>>, created?: ObjectTrail['created']): Authors {
  const trail = { changes: new Map(Object.entries(changes)), ...(created ? { created } : {}) }
  return { objects: new Map([[trailKey(kind.name, '7'), trail]]), notes: [] }
}

const asked = (field: string, live: Json, more: Partial<AskedField> = {}): AskedField => ({
  ...{ kind, id: '7', field, live },
  ...more,
})

describe('the author of a field', () => {
  it.each<[string, Authors, AskedField, unknown]>([
    [
      'is whoever changed it to what is live',
      told({ active: { at, user: ada, after: false } }),
      asked('active', false, { since: at - 1000 }),
      { name: 'ada@example.com', at },
    ],
    [
      'has a first name where there is not an address',
      told({ active: { at, user: { firstName: 'System', isSystem: true }, after: false } }),
      asked('active', false),
      { name: 'System', at },
    ],
    [
      'has no name where the row has none, and the time all the same',
      told({ active: { at, after: false } }),
      asked('active', false),
      { at },
    ],
    [
      'comes with what did it for them',
      told({ active: { at, user: ada, trigger: 'scheduled change', after: false } }),
      asked('active', false),
      { name: 'ada@example.com', at, reason: 'scheduled change' },
    ],
    [
      'is found whichever way the service writes the value',
      told({ filters: { at, user: ada, after: { groups: [{ rollout_percentage: 5, properties: [] }] } } }),
      asked('filters', { payloads: {}, multivariate: null, groups: [{ rollout_percentage: 5 }] }),
      { name: 'ada@example.com', at },
    ],
    [
      'is not who changed it to something else',
      told({ active: { at, user: ada, after: true } }),
      asked('active', false),
      undefined,
    ],
    [
      'is not who changed it before it converged',
      told({ active: { at, user: ada, after: false } }),
      asked('active', false, { since: at + clockTolerance + 1 }),
      undefined,
    ],
    [
      'may have a clock that is a little behind ours',
      told({ active: { at, user: ada, after: false } }),
      asked('active', false, { since: at + clockTolerance }),
      { name: 'ada@example.com', at },
    ],
    [
      'is whoever made the object, where there is no base and nothing has changed it since',
      told({}, { at, user: ada }),
      asked('filters', { groups: [] }),
      { name: 'ada@example.com', at },
    ],
    [
      'is not whoever made the object, where it has converged since',
      told({}, { at, user: ada }),
      asked('filters', { groups: [] }, { since: at - 1 }),
      undefined,
    ],
    [
      'is not whoever made the object for tags, of which some services write no rows',
      told({}, { at, user: ada }),
      asked('tags', ['a']),
      undefined,
    ],
    [
      'of a deletion is whoever deleted it',
      told({ exists: { at, user: ada, after: false } }, { at: 0, user: ci }),
      asked('exists', false),
      { name: 'ada@example.com', at },
    ],
    [
      'is not known of another field',
      told({ name: { at, user: ada, after: 'x' } }),
      asked('active', false),
      undefined,
    ],
    [
      'is not known of another object',
      told({ active: { at, user: ada, after: false } }),
      asked('active', false, { id: '8' }),
      undefined,
    ],
    [
      'is not known of an object without an id',
      told({ active: { at, user: ada, after: false } }),
      asked('active', false, { id: undefined }),
      undefined,
    ],
  ])('%s', (_, authors, field, author) => {
    expect(authorOf(authors, field)).toEqual(author)
  })
})

describe('what proves that it was no pipeline', () => {
  const change: TrailChange = { at, user: ada, after: false }
  const automation = ['ci@example.com']

  it.each<[string, TrailChange, readonly string[], boolean]>([
    ['a row by somebody else', change, automation, true],
    [
      'a row by the service by itself',
      { ...change, user: { firstName: 'System', isSystem: true } },
      automation,
      true,
    ],
    ['no row by automation, however it is spelt', { ...change, user: ci }, automation, false],
    ['no row without an address', { ...change, user: { firstName: 'Ada' } }, automation, false],
    ['no row without a user', { at, after: false }, automation, false],
    ['no row of something that is not live', { ...change, after: true }, automation, false],
    ['no row where nobody says who is automation', change, [], false],
  ])('is %s', (_, row, who, proves) => {
    expect(isByPerson(told({ active: row }), asked('active', false), { automation: who })).toBe(proves)
  })

  it.each([
    [at - clockTolerance - 1, true],
    [at - clockTolerance, false],
    [at, false],
  ])('is a row from well after the object converged: %i', (since, proves) => {
    const field = asked('active', false, { since })
    expect(isByPerson(told({ active: change }), field, { automation })).toBe(proves)
  })

  it('is no row that made the object', () => {
    expect(isByPerson(told({}, { at, user: ada }), asked('active', false), { automation })).toBe(false)
  })

  const users = fc.constantFrom(ada, ci, { firstName: 'System', isSystem: true as const }, undefined)
  const changes = fc.record({ at: fc.nat(), user: users, after: fc.constantFrom<Json>(true, false, null) })

  it('is nothing whose author is unknown, and nothing without automation', () => {
    fc.assert(
      fc.property(changes, fc.boolean(), fc.option(fc.nat(), { nil: undefined }), (row, live, since) => {
        const { user, ...rest } = row
        const authors = told({ active: user === undefined ? rest : { ...rest, user } })
        const field = asked('active', live, since === undefined ? {} : { since })
        expect(isByPerson(authors, field, { automation: [] })).toBe(false)
        if (isByPerson(authors, field, { automation }))
          expect(authorOf(authors, field)?.name).toMatch(/^(ada@example.com|System)$/)
      }),
    )
  })
})
