import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/model/connection/profile.ts'
import type { Json, JsonObject } from '../../../src/model/json/json.ts'
import { enginesOf, serviceEngine } from '../../../src/services/engines.ts'
import { contradictionIn, isNarrowedTo, readPeople } from '../../../src/targeting/compare/narrowing.ts'
import type { Match } from '../../../src/targeting/evaluate/match.ts'
import { matchProperty } from '../../../src/targeting/operators.ts'
import { someEdited, someKnown } from './some-edits.ts'

const days = ['2024-03-31T12:00:00Z', '2026-11-23T00:00:00Z'].map(day => Date.parse(day))
const zones = [undefined, -8 * 60]

describe.each(profiles.flatMap(profile => enginesOf(profile).map(engine => ({ profile, ...engine }))))(
  'by the rules of $name for $profile',
  ({ name, rules }) => {
    /** What each person gets of a property, on each day and in each zone. */
    const answersOf = (property: JsonObject) =>
      days.flatMap(now =>
        zones.flatMap(zoneOffsetMinutes =>
          someKnown.map(known => {
            const properties: JsonObject = known === undefined ? {} : { a: known }
            const zone = zoneOffsetMinutes === undefined ? {} : { zoneOffsetMinutes }
            return matchProperty(property, { properties, isComplete: true, now, rules, ...zone })
          }),
        ),
      )
    const all = someEdited.map(({ family, property }) => ({
      family,
      property,
      people: readPeople([property], rules),
      answers: answersOf(property),
    }))
    const pairs = all.flatMap(outer => all.map(inner => ({ outer, inner })))

    it('nobody is lost where the people are said to be more, or the same', () => {
      const said = pairs.filter(({ outer, inner }) => isNarrowedTo(outer.people, inner.people))
      expect(said.length).toBeGreaterThan(all.length)
      const wrong = said.flatMap(({ outer, inner }) => {
        // Some engines leave some texts to the service, which does not find there either what it has not found.
        const isLost = (answer: Match | undefined) =>
          outer.property.operator === 'not_regex' ? answer === false : answer !== true
        const at = inner.answers.findIndex((answer, index) => answer === true && isLost(outer.answers[index]))
        return at < 0 ? [] : [[outer.property, inner.property, someKnown[at % someKnown.length]] as Json]
      })
      expect(wrong).toEqual([])
    })

    it('nobody meets both where they are said to exclude each other', () => {
      const said = pairs.filter(
        ({ outer, inner }) =>
          contradictionIn({
            ...outer.people,
            properties: [...outer.people.properties, ...inner.people.properties],
          }) !== undefined,
      )
      expect(said.length).toBeGreaterThan(100)
      const wrong = said.flatMap(({ outer, inner }) => {
        const at = inner.answers.findIndex(
          (answer, index) => answer === true && outer.answers[index] === true,
        )
        return at < 0 ? [] : [[outer.property, inner.property, someKnown[at % someKnown.length]] as Json]
      })
      expect(wrong).toEqual([])
    })

    // That a date of the calendar and one that counts from now follow each other on some days says nothing of others.
    it.runIf(name === serviceEngine)('most values in place of another one of their operator are told', () => {
      const edits = pairs.filter(
        ({ outer, inner }) => outer !== inner && outer.property.operator === inner.property.operator,
      )
      const loses = (before: (typeof all)[number], after: (typeof all)[number]) =>
        before.answers.some((answer, at) => answer === true && after.answers[at] !== true)
      const shares = Object.fromEntries(
        ['numbers', 'versions', 'texts'].map(family => {
          const oneWay = edits.filter(
            ({ outer, inner }) =>
              outer.family === family &&
              outer.answers.includes(true) &&
              inner.answers.includes(true) &&
              !(loses(outer, inner) && loses(inner, outer)),
          )
          const told = oneWay.filter(
            ({ outer, inner }) =>
              isNarrowedTo(outer.people, inner.people) || isNarrowedTo(inner.people, outer.people),
          )
          return [family, told.length / oneWay.length]
        }),
      )
      const isNumeric = rules.number_comparison === 'numbers'
      expect(shares.numbers).toBeGreaterThan(isNumeric ? 0.95 : 0.5)
      expect(shares.texts).toBeGreaterThan(0.55)
      if (rules.later_operators === 'known') expect(shares.versions).toBeGreaterThan(0.9)
    })
  },
)
