import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { readDeclarations } from '../../../src/yaml/declaration.ts'
import { parseYaml } from '../../../src/yaml/read/parse-yaml.ts'
import { editDeclarations } from '../../../src/yaml/write/edit-declarations.ts'
import { anyComments, commentedYaml } from '../../support/commented-yaml.ts'

/** A file without a flag and the grants on it. */
function without(text: string, key: string, mayGo = true) {
  const parsed = parseYaml(text, 'flags.yaml')
  const { objects, grants } = readDeclarations({
    parsed,
    value: parsed.value ?? null,
    secrets: new Map(),
    unfilled: new Set(),
  })
  const parts = [
    ...objects
      .filter(({ identity }) => identity === key)
      .map(({ file, base }) => ({ file, pointer: base.pointer })),
    ...grants.filter(({ flag }) => flag === key),
  ]
  const removed = editDeclarations([], { parts, removesFile: () => mayGo })
  if ('problems' in removed) throw new Error(removed.problems.map(({ message }) => message).join())
  return removed.files[0]
}

describe('a declaration that is taken out', () => {
  it.each<[string, string, string]>([
    [
      'with the comment right above, and one blank line',
      'feature_flags:\n  # first\n  a: {}\n\n  # of b\n  # twice\n  b:\n    active: true # on\n\n  # of c\n  c: {}\n',
      'feature_flags:\n  # first\n  a: {}\n\n  # of c\n  c: {}\n',
    ],
    [
      'from the start, with the blank line behind it',
      'feature_flags:\n  b:\n    active: true\n\n  c: {}\n',
      'feature_flags:\n  c: {}\n',
    ],
    ['from the end', 'feature_flags:\n  a: {}\n\n  b: {}\n', 'feature_flags:\n  a: {}\n'],
    [
      'and not a comment that is further away, or of something else',
      'feature_flags:\n  # apart\n\n  b: {}\n  c:\n    # inside\n    name: x\n',
      'feature_flags:\n  # apart\n\n  c:\n    # inside\n    name: x\n',
    ],
    [
      'with its section, where that has nothing else',
      'plugins:\n  p: { plugin_type: source }\nfeature_flags:\n  b: {}\n',
      'plugins:\n  p: { plugin_type: source }\n',
    ],
    ['from a line', 'feature_flags: { a: {}, b: {}, c: {} }\n', 'feature_flags: { a: {}, c: {} }\n'],
    [
      'with the grants on it',
      'feature_flags: { a: {}, b: {} }\nfeature_flag_role_access:\n  - { flag: b, role: x }\n  - { flag: a, role: x }\n',
      'feature_flags: { a: {} }\nfeature_flag_role_access:\n  - { flag: a, role: x }\n',
    ],
    [
      'with all grants',
      'feature_flags: { a: {}, b: {} }\nfeature_flag_role_access:\n  - { flag: b, role: x }\n',
      'feature_flags: { a: {} }\n',
    ],
    [
      'with Windows line ends',
      'feature_flags:\r\n  a: {}\r\n  # of b\r\n  b: {}\r\n',
      'feature_flags:\r\n  a: {}\r\n',
    ],
  ])('goes %s', (_, before, after) => {
    expect(without(before, 'b')).toEqual({ file: 'flags.yaml', before, after })
  })

  it('takes the file along where nothing is left, or leaves an empty section', () => {
    const text = '# all\nfeature_flags:\n  b: {}\n'
    expect(without(text, 'b')).toEqual({ file: 'flags.yaml', before: text, after: '', isRemoved: true })
    expect(without(text, 'b', false)?.after).toBe('# all\nfeature_flags: {}\n')
  })

  it('leaves an anchor that others use', () => {
    const text = 'feature_flags:\n  b: &x { active: true }\n  c: *x\n'
    expect(() => without(text, 'b')).toThrow(
      '"b" is part of the anchor &x: the change would also affect every alias of it',
    )
  })

  it('changes nothing that is said of anything else', () => {
    const flag = fc.record(
      { name: fc.constantFrom('a', 'b: c', '# no', ''), active: fc.boolean(), tags: fc.subarray(['x', 'y']) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
        fc.array(flag, { minLength: 4, maxLength: 4 }),
        anyComments,
        fc.boolean(),
        fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
        (keys, flags, comments, isCrlf, collectionStyle) => {
          const value: JsonObject = {
            feature_flags: Object.fromEntries(keys.map((key, index) => [key, flags[index] as Json])),
            plugins: { p: { plugin_type: 'source' } },
          }
          const text = commentedYaml(value, { style: { collectionStyle, lineWidth: 0 }, comments, isCrlf })
          fc.pre(!text.includes('&'))
          const [key = ''] = keys
          const left = Object.fromEntries(
            Object.entries(value.feature_flags as JsonObject).filter(([name]) => name !== key),
          )
          const expected = {
            ...(keys.length > 1 ? { feature_flags: left } : {}),
            plugins: { p: { plugin_type: 'source' } },
          }
          const after = without(text, key)?.after ?? ''
          expect(isSameJson(parseYaml(after, 'flags.yaml').value ?? null, expected)).toBe(true)
        },
      ),
    )
  })
})
