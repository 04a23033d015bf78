import { describe, expect, it } from 'vitest'
import { EventDefinition, Flag, Plugin } from '../../src/constructs/own-constructs.ts'
import type { Sensitive } from '../../src/model/safety/redacted-part.ts'
import { flagAttributes, refusal } from '../constructs/a-stack.ts'
import { desiredOf, problemsOf } from './load.ts'

const on = { active: true, rolloutPercentage: 10, payload: { price: 9 } }

describe('sensitive of a construct', () => {
  it.each<[boolean | readonly string[], Sensitive | undefined]>([
    [true, true],
    [false, undefined],
    [['true'], ['true']],
  ])('reaches what Vexil reads of a stack, for %j', async (sensitive, hidden) => {
    const desired = await desiredOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on, sensitive })
      new Flag(stack, 'Open', { key: 'open', ...on })
    })
    expect(desired.map(one => [one.identity, one.sensitive])).toEqual([
      ['checkout', hidden],
      ['open', undefined],
    ])
  })

  it('is there for plugins as well', async () => {
    const [plugin] = await desiredOf(stack => {
      new Plugin(stack, 'Geo', { name: 'geo', sensitive: true })
    })
    expect(plugin).toMatchObject({ identity: 'geo', sensitive: true })
  })

  it('is nothing that Terraform reads', () => {
    expect(flagAttributes({ ...on, sensitive: ['true'] })).toEqual(flagAttributes(on))
  })

  it.each<[string, unknown, string]>([
    ['a text', 'yes', '"sensitive" is "yes", and not true, false or a list of variants'],
    ['a list of something else', [1], '"sensitive[0]" is 1, and not a text'],
    [
      'a name that no payload has',
      ['tru'],
      'sensitive names "tru", which has no payload; did you mean "true"?',
    ],
  ])('refuses %s', (_, sensitive, words) => {
    // What JavaScript may give.
    expect(refusal({ ...on, sensitive: sensitive as boolean })).toContain(words)
  })

  it.each<[unknown, string]>([
    ['yes', 'it has to be true, or a list of variants'],
    [[1], 'it has to be true, or a list of variants'],
    [['tru'], 'it names "tru", which has no payload; did you mean "true"?'],
  ])('refuses %j where it was written into a stack by hand', async (sensitive, words) => {
    const [problem = ''] = await problemsOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on }).resource.addOverride('//.vexil', { sensitive })
    })
    expect(problem).toContain(words)
  })

  it('is refused of what has nothing to hide', async () => {
    const [problem = ''] = await problemsOf(stack => {
      const event = new EventDefinition(stack, 'Seen', { name: 'seen', tags: ['a'] })
      event.resource.addOverride('//.vexil', { sensitive: true })
    })
    expect(problem).toContain('nothing that it could hide')
  })
})
