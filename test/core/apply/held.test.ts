import { describe, expect, it } from 'vitest'
import { heldBody, movedMeanwhile } from '../../../src/core/apply/performed.ts'
import { heldVersion } from '../../../src/core/plan/plan-object.ts'
import { featureFlag, pluginKind } from '../../../src/kinds/index.ts'
import type { DeclarableKind } from '../../../src/model/kind.ts'
import { aFlag } from '../../support/builders.ts'

/** A kind whose members are called otherwise, as nothing but its literal says. */
const other: DeclarableKind = {
  ...featureFlag,
  lifecycle: {
    ...featureFlag.lifecycle,
    version: { field: 'revision', before: 'seen' },
  },
}

describe('what goes along with a change', () => {
  it.each([
    [
      'the version and what its fields were like',
      featureFlag,
      { version: 3, name: 'A', tags: [] },
      { version: 3, original_flag: { name: 'A' } },
    ],
    [
      'null for what was not there',
      featureFlag,
      { version: 3 },
      { version: 3, original_flag: { name: null } },
    ],
    ['what the kind calls it', other, { revision: 3, name: 'A' }, { revision: 3, seen: { name: 'A' } }],
    ['nothing where the object shows none', featureFlag, { name: 'A' }, {}],
    ['nothing where it is null', featureFlag, { version: null, name: 'A' }, {}],
    ['nothing where the kind has none', pluginKind, { version: 3, name: 'A' }, {}],
    ['nothing where nothing was seen', featureFlag, undefined, {}],
  ] as const)('is %s', (_, kind, basis, along) => {
    expect(heldBody(kind, { name: 'B' }, basis)).toEqual({ name: 'B', ...along })
  })
})

describe('the answer to a held change', () => {
  const basis = { version: 3, key: 'checkout', name: 'A' }
  const answered = { version: 4, key: 'checkout', name: 'B', deleted: false }

  it.each<[string, object, string | undefined]>([
    ['the next version', {}, undefined],
    ['the next version, with another value: the service did not store it', { name: 'b' }, undefined],
    ['a later one, all as sent', { version: 5 }, undefined],
    [
      'a later one, with another value',
      { version: 5, name: 'C' },
      'someone else has changed name in the meantime',
    ],
    ['a later one, deleted', { version: 5, deleted: true }, 'it was deleted after the plan was made'],
    ['a later one, renamed', { version: 5, key: 'other' }, 'it was renamed after the plan was made'],
    ['no version', { version: undefined, name: 'C' }, undefined],
  ])('shows what others have done: %s', (_, more, reason) => {
    const body = { name: 'B' }
    expect(movedMeanwhile(featureFlag, { body, basis }, { ...answered, ...more })).toBe(reason)
  })

  it('to a deletion may be deleted and renamed', () => {
    const gone = { ...answered, version: 9, deleted: true, key: 'checkout:deleted:7' }
    expect(movedMeanwhile(featureFlag, { body: { deleted: true }, basis }, gone)).toBeUndefined()
  })
})

describe('a change of a flag with a version', () => {
  const on = aFlag({ version: 3, active: true })
  const off = aFlag({ version: 3, active: false })

  it.each([
    ['text', { name: 'B' }, on, true],
    ['conditions of one that is on', { filters: {} }, on, true],
    ['text of one that is off', { name: 'B' }, off, true],
    ['conditions of one that is off', { filters: {} }, off, false],
    ['whether it is on', { active: false }, on, false],
    ['its key', { key: 'other' }, on, false],
    ['tags, beside text', { name: 'B', tags: [] }, on, false],
    ['text, without a version', { name: 'B' }, aFlag(), false],
  ] as const)('is held by the service alone or not: %s', (_, after, live, isHeld) => {
    const held = isHeld ? { version: 3 } : {}
    expect(heldVersion(featureFlag, { action: 'update', after, live })).toEqual(held)
    expect(heldVersion(featureFlag, { action: 'restore', after, live })).toEqual({})
    expect(heldVersion(featureFlag, { action: 'update', after, live, files: { a: 'b' } })).toEqual({})
  })
})
