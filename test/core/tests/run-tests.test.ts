import { expect, it } from 'vitest'
import { failedTests, runTests } from '../../../src/core/declared-tests.ts'
import { profiles } from '../../../src/model/connection.ts'
import { declaredFlag } from '../../support/builders.ts'

const place = { now: 0, services: profiles }
const person = { distinctId: 'ada', properties: { country: 'DE' } }
const filters = { groups: [{ properties: [{ key: 'country', value: ['DE'], type: 'person' }] }] }

function tested(value: boolean, sourceOf: () => { file: string; line: number; column: number }) {
  const test = { person: 'ada', subject: person, value, sourceOf }
  return failedTests([
    { flags: runTests([declaredFlag('checkout', { active: true, filters }, { tests: [test] })], place) },
  ])
}

it('does not look for the place of one that passes', () => {
  let asked = 0
  const sourceOf = () => {
    asked++
    return { file: 'flags.yaml', line: 3, column: 7 }
  }
  expect([tested(true, sourceOf), asked]).toEqual([[], 0])
})
