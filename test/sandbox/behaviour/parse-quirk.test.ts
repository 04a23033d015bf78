import { describe, expect, it } from 'vitest'
import { parseQuirk } from '../../../src/sandbox/index.ts'

describe('a quirk in words', () => {
  it.each([
    ['page_size_cap=50', { page_size_cap: 50 }],
    ['tags=dropped', { tags: 'dropped' }],
    ['roles_route', { roles_route: true }],
    ['roles_route=true', { roles_route: true }],
    ['roles_route=on', { roles_route: true }],
    ['roles_route=false', { roles_route: false }],
    ['roles_route=off', { roles_route: false }],
    [' static_cohort_status=201 ', { static_cohort_status: '201' }],
  ])('"%s" is %j', (text, quirk) => {
    expect(parseQuirk(text)).toEqual(quirk)
  })

  it.each([
    ['tagz=kept', '"tagz" is not a quirk; did you mean "tags"?'],
    ['something=else', '"something" is not a quirk'],
    ['', '"" is not a quirk'],
    ['__proto__=1', '"__proto__" is not a quirk'],
    ['page_size_cap=many', 'quirk "page_size_cap" requires a whole number, not "many"'],
    ['page_size_cap=-1', 'quirk "page_size_cap" requires a whole number, not "-1"'],
    ['page_size_cap', 'quirk "page_size_cap" requires a whole number, not ""'],
    ['roles_route=maybe', 'quirk "roles_route" is a boolean: "maybe" is neither "true" nor "false"'],
    ['tags=droped', 'quirk "tags" requires one of "kept", "dropped", not "droped"; did you mean "dropped"?'],
    ['tags', 'quirk "tags" requires one of "kept", "dropped", not ""'],
  ])('"%s" is refused', (text, message) => {
    expect(() => parseQuirk(text)).toThrow(new RangeError(message))
  })
})
