import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../../src/yaml/read/parse-yaml.ts'

describe('locate', () => {
  const text = [
    'base: &base',
    '  kept: { deep: 1 }',
    'flags:',
    '  "quo\\u0074ed": x',
    '  list: [a, { b: c }]',
    '  merged:',
    '    <<: *base',
    '    own: 2',
    '  alias: *base',
    '  empty:',
    '  a/b: 1',
  ].join('\n')

  it.each([
    ['', 'value', 1, 1],
    ['/flags', 'key', 3, 1],
    ['/flags/quoted', 'key', 4, 3],
    ['/flags/quoted', 'value', 4, 18],
    ['/flags/list/0', 'value', 5, 10],
    ['/flags/list/1/b', 'key', 5, 15],
    ['/flags/list/1/b', 'value', 5, 18],
    ['/flags/merged/own', 'value', 8, 10],
    ['/flags/merged/kept/deep', 'value', 2, 17],
    ['/flags/alias', 'value', 9, 10],
    ['/flags/alias/kept', 'key', 2, 3],
    ['/flags/empty', 'value', 10, 3],
    ['/flags/a~1b', 'value', 11, 8],
    ['/flags/nowhere/at/all', 'value', 3, 1],
  ] as const)('finds %s (%s)', (pointer, at, line, column) => {
    expect(parseYaml(text, 'f').locate(pointer, at)).toEqual({ file: 'f', line, column })
  })

  it('counts lines that end in a carriage return too', () => {
    expect(parseYaml('a: 1\r\nb:\r\n  c: 2', 'f').locate('/b/c')).toEqual({ file: 'f', line: 3, column: 6 })
  })
})
