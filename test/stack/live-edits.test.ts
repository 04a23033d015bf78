import { describe, expect, it } from 'vitest'
import { EventDefinition, Flag, type LiveEdits, Plugin } from '../../src/constructs/own-constructs.ts'
import { flagAttributes, refusal } from '../constructs/a-stack.ts'
import { desiredOf, problemsOf } from './load.ts'

const on = { active: true, rolloutPercentage: 10 }

describe('liveEdits of a construct', () => {
  it.each<[string, LiveEdits, unknown]>([
    ['all fields', 'hold', 'hold'],
    ['some fields', { exists: 'revert', filters: 'hold' }, { exists: 'revert', filters: 'hold' }],
    [
      'a field by the name of its property',
      { default: 'hold', ensureExperienceContinuity: 'revert' },
      { default: 'hold', ensure_experience_continuity: 'revert' },
    ],
  ])('reaches what Vexil reads of a stack, for %s', async (_, liveEdits, said) => {
    const [flag] = await desiredOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on, liveEdits })
    })
    expect(flag?.liveEdits).toEqual(said)
  })

  it('is there for event definitions and plugins, and for nothing that does not say it', async () => {
    const desired = await desiredOf(stack => {
      EventDefinition.named(stack, 'paid')
      new EventDefinition(stack, 'Seen', { name: 'seen', tags: ['a'], liveEdits: { tags: 'hold' } })
      new Plugin(stack, 'Geo', { name: 'geo', liveEdits: 'revert' })
      new Flag(stack, 'Checkout', { key: 'checkout', ...on })
    })
    const said = desired.map(({ identity, liveEdits }) => [identity, liveEdits])
    expect(Object.fromEntries(said)).toEqual({
      checkout: undefined,
      geo: 'revert',
      paid: undefined,
      seen: { tags: 'hold' },
    })
  })

  it('is nothing that Terraform reads', () => {
    expect(flagAttributes({ ...on, liveEdits: 'hold' })).toEqual(flagAttributes(on))
  })

  it.each<[string, unknown, string]>([
    ['another way', 'keep', '"liveEdits" cannot be "keep"; use one of "hold", "revert"'],
    [
      'a slip',
      { filter: 'hold' },
      '"liveEdits" names "filter", which is not a field of a flag; did you mean "filters"?',
    ],
    [
      'the key',
      { key: 'hold' },
      '"liveEdits" names "key", which is not a field of a flag; there are: default, exists,',
    ],
    ['a way of a field', { filters: true }, '"liveEdits.filters"'],
    ['a list', ['hold'], '"liveEdits"'],
  ])('refuses %s', (_, liveEdits, words) => {
    // What JavaScript may give.
    expect(refusal({ ...on, liveEdits: liveEdits as LiveEdits })).toContain(words)
  })

  it.each<[unknown, string]>([
    ['keep', 'it must be one of "hold", "revert"'],
    [{ filter: 'hold' }, 'it names "filter", which is not a field of a flag'],
    [{ filters: 'keep' }, '"filters" must be one of "hold", "revert"'],
    [['hold'], 'it must be one of "hold", "revert"'],
  ])('refuses %j where it was written into a stack by hand', async (said, words) => {
    const [problem = ''] = await problemsOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on }).resource.addOverride('//.vexil', {
        live_edits: said,
      })
    })
    expect(problem).toContain(words)
  })
})
