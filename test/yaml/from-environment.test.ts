import { expect, it } from 'vitest'
import { load, settings } from './a-repository.ts'

const env = { PCT: '10', COUNTRY: 'DE', TEAM: 'shop', NAME: 'x' }

/** Those fields of the only flag that come out of the environment, in production. */
async function filled(flag: string, more = '') {
  const { declarations, problems } = await load(
    { 'vexil.yaml': settings, 'a.yaml': `feature_flags:\n  a: ${flag}\n${more}` },
    { env, environment: 'production' },
  )
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const [desired] = declarations.desired
  return desired?.fromEnvironment
}

const plain = 'active: true, rollout_percentage: 5'

const wholeCondition = `{ properties: [{ key: c, type: person, operator: exact, value: ["\${env:COUNTRY}"] }] }`

it.each([
  ['a field', `{ ${plain}, name: "\${env:NAME}" }`, ['name']],
  ['a part of a text', `{ ${plain}, name: "for \${env:NAME}, say" }`, ['name']],
  ['filters', `{ active: true, filters: { groups: [${wholeCondition}] } }`, ['filters']],
  [
    'the short form',
    `{ active: true, release: [{ properties: { country: "\${env:COUNTRY}" } }] }`,
    ['filters'],
  ],
  ['a payload', `{ ${plain}, payloads: { true: "\${env:NAME}" } }`, ['filters']],
  ['what stands for a tag', `{ ${plain}, tags: [], owner: "\${env:TEAM}" }`, ['tags']],
  ['an override', `{ ${plain}, environments: { production: { name: "\${env:NAME}" } } }`, ['name']],
  ['an override elsewhere', `{ ${plain}, environments: { staging: { name: "\${env:NAME}" } } }`, undefined],
  ['an escaped text', `{ ${plain}, name: "$\${env:NAME}" }`, undefined],
  ['nothing', `{ ${plain} }`, undefined],
])('fields with values of the environment are known: %s', async (_, flag, fields) => {
  expect(await filled(flag)).toEqual(fields)
})

it('of an audience too, also where it builds on another one', async () => {
  const audiences = `audiences:
  here: { properties: { country: "\${env:COUNTRY}" } }
  plus: { audience: here, properties: { plan: plus } }
  free: { properties: { plan: free } }
`
  expect(await filled('{ active: true, release: [{ audience: plus }] }', audiences)).toEqual(['filters'])
  const both = '{ active: true, release: [{ audience: free }, { audience: plus }] }'
  expect(await filled(both, audiences)).toEqual(['filters'])
})
