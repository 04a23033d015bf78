import { describe, expect, it } from 'vitest'
import { defineKind } from '../../src/model/kind.ts'

const view = {
  name: 'saved_view',
  title: 'view',
  section: 'saved_views',
  doc: 'A view.',
  scope: 'project',
  endpoints: {},
} as const

describe('the literal of a kind', () => {
  it('is given back as it is', () => {
    const fields = { name: { type: 'string', access: 'managed', doc: 'What it is called.' } } as const
    expect(defineKind({ ...view, fields })).toEqual({ ...view, fields })
  })

  it('has no members that nobody reads: the compiler refuses them', () => {
    const name = { type: 'string', access: 'managed', doc: 'What it is called.' } as const
    // @ts-expect-error: a trait of a field that is misspelt
    defineKind({ ...view, fields: { name: { ...name, targetting: true } } })
    // @ts-expect-error: a member that a kind does not have
    defineKind({ ...view, fields: { name }, lifecicle: {} })
    // @ts-expect-error: a part of a lifecycle that there is not
    defineKind({ ...view, fields: { name }, lifecycle: { list: 'list', tombstone: { field: 'deleted' } } })
  })
})
