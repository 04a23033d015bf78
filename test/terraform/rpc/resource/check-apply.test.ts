import { describe, expect, it } from 'vitest'
import { type ObjectValue, showPath, unknown } from '../../../../src/hcl/values/value.ts'
import type { Block } from '../../../../src/terraform/provider.ts'
import { checkApply } from '../../../../src/terraform/serve/plan-and-apply.ts'

const block: Block = {
  attributes: {
    id: { type: 'string', presence: 'computed' },
    title: { type: 'string', presence: 'required' },
    key: { type: 'string', presence: 'optional', sensitive: true },
    labels: { type: ['set', 'string'], presence: 'optional' },
    order: { type: ['list', 'string'], presence: 'optional' },
    settings: { type: ['map', 'bool'], presence: 'optional' },
    rows: {
      nesting: 'list',
      presence: 'optional',
      attributes: { n: { type: 'number', presence: 'required' } },
    },
  },
}

function broken(planned: ObjectValue | null, state: ObjectValue | null): string[] {
  return checkApply(block, planned, state).map(({ path, reason }) => `${showPath(path)}: ${reason}`)
}

describe('a state that Terraform takes', () => {
  it.each<[string, ObjectValue | null, ObjectValue | null]>([
    ['nothing after a removal', null, null],
    ['what was planned', { title: 'a', order: ['x'] }, { title: 'a', order: ['x'] }],
    ['anything where the plan was open', { id: unknown, title: 'a' }, { id: '1', title: 'a' }],
    ['null where the plan was open', { id: unknown, title: 'a' }, { title: 'a' }],
    ['a set in another order', { title: 'a', labels: ['x', 'y'] }, { title: 'a', labels: ['y', 'x'] }],
    [
      'a set of which one was open',
      { title: 'a', labels: ['x', unknown] },
      { title: 'a', labels: ['y', 'x'] },
    ],
    [
      'a set in which the open one fell together with another',
      { title: 'a', labels: ['x', unknown] },
      { title: 'a', labels: ['x'] },
    ],
    ['open elements of a list', { title: 'a', order: [unknown, 'b'] }, { title: 'a', order: ['a', 'b'] }],
  ])('is %s', (_, planned, state) => {
    expect(broken(planned, state)).toEqual([])
  })
})

describe('a state that Terraform refuses', () => {
  it.each<[string, ObjectValue | null, ObjectValue | null, string[]]>([
    ['something after a removal', null, { title: 'a' }, [': still exists after the removal']],
    ['nothing after a creation', { title: 'a' }, null, [': does not exist after the write']],
    ['another value', { title: 'a' }, { title: 'b' }, ['title: planned "a", but now "b"']],
    ['null for a value', { title: 'a' }, {}, ['title: planned "a", but now null']],
    ['a value for null', { title: 'a' }, { title: 'a', id: '1' }, ['id: planned null, but now "1"']],
    ['an unknown', { id: unknown, title: 'a' }, { id: unknown, title: 'a' }, ['id: unknown after the apply']],
    [
      'an unknown for a value',
      { title: 'a', order: ['x'] },
      { title: 'a', order: [unknown] },
      ['order[0]: unknown after the apply'],
    ],
    [
      'a secret, without showing it',
      { title: 'a', key: 's3cret' },
      { title: 'a', key: 'other' },
      ['key: planned a sensitive value, but now a sensitive value'],
    ],
    [
      'a longer list',
      { title: 'a', order: [] },
      { title: 'a', order: ['x'] },
      ['order: planned [], but now ["x"]'],
    ],
    [
      'another element',
      { title: 'a', order: ['x'] },
      { title: 'a', order: ['y'] },
      ['order[0]: planned "x", but now "y"'],
    ],
    [
      'a set without a planned element',
      { title: 'a', labels: ['x', unknown] },
      { title: 'a', labels: ['y'] },
      ['labels: planned ["x",unknown], but now ["y"]'],
    ],
    [
      'a set with more elements than were open',
      { title: 'a', labels: [unknown] },
      { title: 'a', labels: ['y', 'z'] },
      ['labels: planned [unknown], but now ["y","z"]'],
    ],
    [
      'another key',
      { title: 'a', settings: { a: true } },
      { title: 'a', settings: { b: true } },
      ['settings: planned {"a":true}, but now {"b":true}'],
    ],
    [
      'another value under a key',
      { title: 'a', settings: { a: true } },
      { title: 'a', settings: { a: false } },
      ['settings["a"]: planned true, but now false'],
    ],
    [
      'another value in an element',
      { title: 'a', rows: [{ n: 1 }] },
      { title: 'a', rows: [{ n: 2 }] },
      ['rows[0].n: planned 1, but now 2'],
    ],
  ])('is %s', (_, planned, state, reasons) => {
    expect(broken(planned, state)).toEqual(reasons)
  })
})
