import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import { compareExposure, evaluateFlag } from '../../src/targeting/index.ts'
import { asDeclared } from '../../src/yaml/write/declaration-of.ts'
import { liveFilters } from '../support/live-worlds.ts'

describe('filters that are written where they are made again', () => {
  it('release to nobody but those to whom the live ones release', () => {
    fc.assert(
      fc.property(liveFilters, filters => {
        const written = asDeclared({
          kind: 'feature_flag',
          identity: 'checkout',
          id: '1',
          fields: { active: true, filters },
        })
        if ('reason' in written) return
        const [live, made] = [filters, written.fields.filters ?? null]
        const flag = (of: Json) => ({ filters: of, active: true })
        // Where a slip is left out, a property without it counts as another one there.
        if (written.ignore.length === 0) expect(compareExposure(flag(live), flag(made)).step).toBe(0)
        for (const properties of peopleNamedIn(live))
          for (const distinctId of ids) {
            const subject = { distinctId, properties, groups: { company: distinctId } }
            const given = (of: Json) =>
              evaluateFlag({ key: 'checkout', filters: of }, subject, { now: 0, groupTypes }).value
            expect([subject, given(made)]).toEqual([subject, given(live)])
          }
      }),
    )
  })
})

const groupTypes = { 0: 'company', 4: 'team' }
const ids = ['one', 'two', 'three', 'four', 'five']

/** Somebody of whom nothing is known, and for each property that filters ask for somebody who has its value. */
function peopleNamedIn(value: Json): JsonObject[] {
  if (!isJsonArray(value) && !isJsonObject(value)) return [{}]
  const deeper = Object.values(value).flatMap(peopleNamedIn)
  const own =
    isJsonObject(value) && typeof value.key === 'string' ? [{ [value.key]: value.value ?? 'set' }] : []
  return [{}, ...[...own, ...deeper].filter(one => Object.keys(one).length > 0)]
}
