import type { LiveEdit, LiveEditField, Treatment } from '../../src/core/live-edits/live-edit.ts'

/** One of each treatment. */
export const treatments: readonly Treatment[] = ['held', 'merged', 'reverted', 'conflict', 'behind']

/** A field that was changed in the product, with every member. */
export function aLiveEditField(over: Partial<LiveEditField> = {}): LiveEditField {
  return {
    field: 'active',
    treatment: 'held',
    evidence: 'base',
    summary: ['active: on -> off, nobody gets it any more'],
    author: { name: 'ada@example.com', at: Date.UTC(2026, 10, 20, 10), reason: 'checkout fails' },
    heldSince: Date.UTC(2026, 10, 21, 2),
    ...over,
  }
}

export function aLiveEdit(
  key: string,
  fields: readonly LiveEditField[],
  over: Partial<LiveEdit> = {},
): LiveEdit {
  const address = `feature_flag.${key}`
  return {
    address,
    kind: 'feature_flag',
    fields,
    remedies: [`vexil pull ${address}`, `--allow live_edit=${address}`, 'edit flags/checkout.yaml:12'],
    source: { file: 'flags/checkout.yaml', line: 12, column: 3 },
    ...over,
  }
}

/** The line of a plan that finds something live otherwise, in a place where no apply is on record. */
export const noRecords = /^no recorded apply to [^\n]*\n/m
