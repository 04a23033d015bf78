import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowIndex, Store } from '../../../src/sandbox/store.ts'

interface Ranked {
  readonly id: number
  readonly home: number
  readonly rank: number
}

describe('an ordered index', () => {
  it('is what sorting the rows gives, however they came and went', () => {
    const step = fc.record({ id: fc.nat(15), home: fc.nat(1), rank: fc.nat(5), isGone: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step), fc.nat(10), fc.nat(10), (steps, offset, limit) => {
        const index = new RowIndex<Ranked>(
          row => [row.home, 'all'],
          row => [row.rank],
        )
        const rows = new Map<number, Ranked>()
        for (const { isGone, ...row } of steps) {
          const before = rows.get(row.id)
          if (before) index.remove(before)
          rows.delete(row.id)
          if (isGone) continue
          rows.set(row.id, row)
          index.add(row)
        }
        for (const home of [0, 1, 'all']) {
          const expected = [...rows.values()]
            .filter(row => home === 'all' || row.home === home)
            .sort((left, right) => left.rank - right.rank || left.id - right.id)
          expect(index.count(home)).toBe(expected.length)
          expect(index.get(home)).toBe(expected[0])
          expect(index.all(home)).toEqual(expected)
          expect(index.page(home, offset, limit)).toEqual(expected.slice(offset, offset + limit))
          expect(index.page(home, offset, limit, true)).toEqual(
            expected.toReversed().slice(offset, offset + limit),
          )
        }
      }),
    )
  })
})

describe('a transaction', () => {
  const organization = (name: string) => ({ id: 'o', name, position: 0 })

  it('is undone whole when it throws, ids and all', () => {
    const store = new Store()
    store.transact(() => store.organizations.put(organization('before')))
    const failed = () =>
      store.transact(() => {
        store.organizations.put(organization('after'))
        store.projects.put({ id: store.nextId(store.projects), name: 'p', organization_id: 'o' })
        store.projects.put({ id: store.nextId(store.projects), name: 'q', organization_id: 'o' })
        store.projects.remove(1)
        store.organizations.remove('o')
        throw new Error('no')
      })
    expect(failed).toThrow('no')
    expect([...store.organizations.all()]).toEqual([organization('before')])
    expect([...store.projects.all()]).toEqual([])
    expect(store.projectsOfOrganization.all('o')).toEqual([])
    expect(store.transact(() => store.nextId(store.projects))).toBe(1)
  })

  it('never gives a reserved id away', () => {
    const store = new Store()
    store.transact(() => {
      store.reserveId(store.flags, 7)
      store.reserveId(store.flags, 3)
      expect(store.nextId(store.flags)).toBe(8)
    })
  })
})
