import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { segmentsOf } from '../../../src/model/text/pointer.ts'
import { parseYaml } from '../../../src/yaml/read/parse-yaml.ts'
import { assigned, rewriteText } from '../../../src/yaml/write/edit-text.ts'

function edited(text: string, ...changes: readonly (readonly [string, Json | undefined])[]): string {
  const parsed = parseYaml(text, 'flags.yaml')
  const result = rewriteText(
    parsed,
    changes.reduce((all, [at, value]) => assigned(all, segmentsOf(at), value), parsed.value ?? null),
  )
  return 'text' in result ? result.text : `${result.problem.source?.line}: ${result.problem.message}`
}

const block = `# all flags
feature_flags:
  checkout:   # the shop
    name: 'New checkout'   # shown
    active: true
    tags:
    - shop # a
    - pay
    # about the release
    release:
      staff: { audience: staff }
      rest: { rollout_percentage: 5 }   # slowly

  # the next one
  dark_mode: {}
`
const at = '/feature_flags/checkout'

describe('rewriteText', () => {
  it.each<[string, string, Json | undefined, string, string]>([
    ['a quoted text', `${at}/name`, "Ada's", "'New checkout'", "'Ada''s'"],
    ['a text of several lines', `${at}/name`, 'a\nb', "'New checkout'", '"a\\nb"'],
    ['a truth value', `${at}/active`, false, 'active: true', 'active: false'],
    [
      'a member in a flow',
      `${at}/release/rest/variant`,
      'one',
      'rollout_percentage: 5 }',
      'rollout_percentage: 5, variant: one }',
    ],
    ['an element', `${at}/tags`, ['shop', 'pay', 'x'], '    - pay\n', '    - pay\n    - x\n'],
    ['one element less', `${at}/tags`, ['pay'], '    - shop # a\n', ''],
    ['no element', `${at}/tags`, [], 'tags:\n    - shop # a\n    - pay\n', 'tags: []\n'],
    ['a member less', `${at}/active`, undefined, '    active: true\n', ''],
    [
      'a condition like its neighbours',
      `${at}/release/de`,
      { properties: { country: 'DE' } },
      '# slowly\n',
      '# slowly\n      de: { properties: { country: DE } }\n',
    ],
    ['a list for a text', `${at}/name`, ['a', 'b'], "'New checkout'", '[a, b]'],
    [
      'a text for a block',
      `${at}/release`,
      'x',
      'release:\n      staff: { audience: staff }\n      rest: { rollout_percentage: 5 }   # slowly\n',
      'release: x\n',
    ],
    [
      'a member of an empty map',
      '/feature_flags/dark_mode/active',
      true,
      'dark_mode: {}',
      'dark_mode: { active: true }',
    ],
    ['a map on a line with a comment', `${at}/name`, { a: 1 }, "'New checkout'", '{ a: 1 }'],
    ['a map in place of a value', `${at}/active`, { a: 1 }, 'active: true\n', 'active:\n      a: 1\n'],
    [
      'an override with all above it',
      `${at}/environments/staging/release/rest/rollout_percentage`,
      100,
      '# slowly\n',
      '# slowly\n    environments:\n      staging:\n        release:\n          rest: { rollout_percentage: 100 }\n',
    ],
    [
      'a section',
      '/plugins',
      { geoip: { plugin_type: 'source' } },
      'dark_mode: {}\n',
      'dark_mode: {}\nplugins:\n  geoip:\n    plugin_type: source\n',
    ],
    ['a text that looks like a number', `${at}/name2`, '1.0', '# slowly\n', '# slowly\n    name2: "1.0"\n'],
  ])('writes %s and touches nothing else', (_, pointer, value, before, after) => {
    expect(edited(block, [pointer, value])).toBe(block.replace(before, () => after))
    const crlf = block.replaceAll('\n', '\r\n')
    expect(edited(crlf, [pointer, value])).toBe(block.replace(before, () => after).replaceAll('\n', '\r\n'))
  })

  it('adds to a flow of several lines', () => {
    const text = 'feature_flags: {\n  a: { active: true }, # one\n  b: { active: true } # two\n  }\n'
    expect(edited(text, ['/feature_flags/c', { active: false }])).toBe(
      'feature_flags: {\n  a: { active: true }, # one\n  b: { active: true }, # two\n  c: { active: false }\n  }\n',
    )
    expect(edited(text, ['/feature_flags/b', undefined])).toBe(
      'feature_flags: {\n  a: { active: true }, # one\n  }\n',
    )
    expect(edited(text, ['/feature_flags/a', undefined])).toBe(
      'feature_flags: {\n  b: { active: true } # two\n  }\n',
    )
  })

  it('keeps JSON JSON', () => {
    const text = '{\n  "feature_flags": {\n    "a": { "active": true }\n  }\n  }\n'
    expect(JSON.parse(edited(text, ['/feature_flags/a/name', 'x']))).toEqual({
      feature_flags: { a: { active: true, name: 'x' } },
    })
  })

  it('writes into an empty file, and behind a line without an end', () => {
    expect(edited('# mine', ['/feature_flags/a/active', true])).toBe(
      '# mine\nfeature_flags:\n  a:\n    active: true\n',
    )
    expect(edited('feature_flags:\n  a:\n    active: true', ['/feature_flags/a/name', 'x'])).toBe(
      'feature_flags:\n  a:\n    active: true\n    name: x',
    )
  })

  it('puts conditions into another order by writing them again', () => {
    const text =
      'feature_flags:\n  a:\n    release:\n      x: { rollout_percentage: 1 }\n      rest: { rollout_percentage: 2 }\n'
    const wanted = { rest: { rollout_percentage: 2 }, x: { rollout_percentage: 1 } }
    expect(edited(text, ['/feature_flags/a/release', wanted])).toBe(
      'feature_flags:\n  a:\n    release:\n      rest: { rollout_percentage: 2 }\n      x: { rollout_percentage: 1 }\n',
    )
  })

  it('adds a condition where it belongs', () => {
    const text =
      'feature_flags:\n  a:\n    release:\n      # everybody\n      rest: { rollout_percentage: 2 } # all\n'
    const wanted = { x: { rollout_percentage: 1 }, rest: { rollout_percentage: 2 } }
    expect(edited(text, ['/feature_flags/a/release', wanted])).toBe(
      'feature_flags:\n  a:\n    release:\n      # everybody\n      x: { rollout_percentage: 1 }\n      rest: { rollout_percentage: 2 } # all\n',
    )
  })

  const anchored = `x-dach: &dach { rollout_percentage: 10 }
x-flag: &flag
  active: true
  release: { rest: { rollout_percentage: 1 } }
feature_flags:
  a:
    release: { dach: *dach }
  b: &b
    active: true
    release: { dach: *dach }
  c: *b
  d:
    <<: *flag
    name: d
`
  it('writes out an alias, and writes beside a merge key', () => {
    expect(edited(anchored, ['/feature_flags/a/release/dach/rollout_percentage', 20])).toBe(
      anchored.replace('{ dach: *dach }', '{ dach: { rollout_percentage: 20 } }'),
    )
    expect(edited(anchored, ['/feature_flags/d/active', false])).toBe(`${anchored}    active: false\n`)
    expect(edited(anchored, ['/feature_flags/d/release/rest/rollout_percentage', 2])).toBe(
      `${anchored}    release:\n      rest:\n        rollout_percentage: 2\n`,
    )
    expect(edited(anchored, ['/feature_flags/c/active', false])).toBe(
      anchored.replace(
        'c: *b\n',
        'c:\n    active: false\n    release:\n      dach:\n        rollout_percentage: 10\n',
      ),
    )
  })

  it('writes nothing into an anchor that is used, and takes out nothing that is merged', () => {
    expect(edited(anchored, ['/feature_flags/b/active', false])).toBe(
      '9: "active" is part of the anchor &b: the change would also affect every alias of it',
    )
    expect(edited(anchored, ['/x-dach/rollout_percentage', 20])).toBe(
      '1: "rollout_percentage" is part of the anchor &dach: the change would also affect every alias of it',
    )
    expect(edited(anchored, ['/feature_flags/d/active', undefined])).toBe(
      '3: "active" comes from a merge key, so it cannot be removed here',
    )
  })
})
