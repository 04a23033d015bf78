import { describe, expect, it } from 'vitest'
import {
  type BaseObject,
  existenceVerdict,
  fieldsEditedInProduct,
  type OutsideWrite,
} from '../../../src/core/live-edits/verdict.ts'

function aBase(ensure: BaseObject['ensure'], fields: BaseObject['fields'] = {}): BaseObject {
  return { ensure, fields, origin: { run: 'r', at: 1 } }
}

describe('the existence of an object', () => {
  it.each([
    ['present', 'present', 'absent', [], 'live_changed'],
    ['absent', 'absent', 'present', [], 'live_changed'],
    ['absent', 'present', 'absent', [], 'repository_changed'],
    ['present', 'absent', 'present', [], 'repository_changed'],
    ['present', 'absent', 'present', ['filters'], 'conflict'],
    ['present', 'present', 'present', ['filters'], 'unchanged'],
    ['absent', 'present', 'present', ['filters'], 'both_the_same'],
    ['present', 'absent', 'absent', ['filters'], 'both_the_same'],
    ['absent', 'absent', 'absent', [], 'unchanged'],
    [undefined, 'present', 'absent', [], 'two_way'],
    [undefined, 'absent', 'present', [], 'two_way'],
    [undefined, 'present', 'present', [], 'unchanged'],
  ] as const)('base %s, declared %s, live %s, edited %j: %s', (ensure, declared, live, edited, verdict) => {
    const base = ensure === undefined ? undefined : aBase(ensure)
    expect(existenceVerdict({ base, declared, live, edited })).toBe(verdict)
  })
})

describe('the fields that were changed in the product', () => {
  const base = aBase('present', {
    active: { digest: 'on' },
    filters: { digest: 'f1' },
    tags: { digest: 't1' },
  })
  const write: OutsideWrite = { by: 'disable', run: 'd', at: 2, fields: { active: 'off' } }

  it.each([
    ['none', { active: 'on', filters: 'f1', tags: 't1' }, undefined, []],
    ['some', { active: 'off', filters: 'f2', tags: 't1' }, undefined, ['active', 'filters']],
    ['what disable has set', { active: 'off', filters: 'f1', tags: 't1' }, write, []],
    ['more than disable has set', { active: 'off', filters: 'f2', tags: 't1' }, write, ['filters']],
    ['what the service does not show', { active: 'on' }, undefined, []],
    ['what was never declared', { active: 'on', filters: 'f1', tags: 't1', name: 'n' }, undefined, []],
  ] as const)('%s', (_, live, by, edited) => {
    expect(fieldsEditedInProduct(base, live, by)).toEqual(edited)
  })

  it('are none without a base', () => {
    expect(fieldsEditedInProduct(undefined, { active: 'off' }, undefined)).toEqual([])
  })
})
