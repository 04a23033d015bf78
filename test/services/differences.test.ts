import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/kinds/index.ts'
import { profiles } from '../../src/model/connection.ts'
import type { Kind } from '../../src/model/kind.ts'
import {
  behaviourOf,
  type Difference,
  differences,
  valueIn,
  valuesOf,
} from '../../src/services/differences.ts'

const docs = join(import.meta.dirname, '../../docs')
const rows = Object.entries<Difference>(differences)

describe('a behaviour in which services differ', () => {
  it.each(Object.values<Kind>(kinds))('is there wherever $name goes by one', kind => {
    const named = Array.from(
      JSON.stringify(kind).matchAll(/"(?:behaviour|mayBeGone)":"(\w+)"/g),
      ([, name = '']) => name,
    )
    expect(named.filter(name => !Object.hasOwn(differences, name))).toEqual([])
  })

  const facts = readFileSync(join(docs, 'service-facts.md'), 'utf8')
  const sections = Array.from(facts.matchAll(/^### ([\w-]+ [\d.]+): /gm), ([, section = '']) => section)

  it.each(rows)('%s is known from sections that are there', (_, { sources }) => {
    expect(sources.filter(source => !sections.includes(source))).toEqual([])
  })

  it.each(rows)('%s says no value twice in a row', (_, row) => {
    const said = profiles.flatMap(profile => row[profile] ?? [])
    expect(said.filter((value, index) => index > 0 && value === said[index - 1])).toEqual([])
  })

  it.each(rows)('%s has a value of its own type in each profile', (_, row) => {
    for (const profile of profiles) {
      const value = valueIn(row, profile)
      if (row.type === 'choice') expect(row.of).toContain(value)
      else expect(typeof value).toBe(row.type === 'switch' ? 'boolean' : 'number')
    }
  })

  it('is that of the profile before, where a row does not say', () => {
    expect(valuesOf('survey_flags')).toEqual({
      documented: 'shown',
      posthog: 'hidden',
      'posthog-2026': 'hidden',
    })
    expect(behaviourOf('posthog-2026')).toMatchObject({ survey_flags: 'hidden', flag_version: true })
  })
})
