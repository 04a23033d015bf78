import { describe, expect, it } from 'vitest'
import { deepest, isTextTooDeep } from '../../src/hcl/json.ts'
import { DeepJsonError, readJson } from '../../src/model/text/json-text.ts'
import { parseYaml } from '../../src/yaml/index.ts'

const spellings: readonly (readonly [string, (levels: number) => string])[] = [
  ['lists', levels => '['.repeat(levels) + ']'.repeat(levels)],
  ['maps', levels => `${'{"a": '.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`],
  ['both', levels => `${'[{"a": '.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`],
]

describe('values that are nested', () => {
  it.each(spellings)('as %s are taken as deep in YAML as in JSON', (_, written) => {
    const text = written(deepest)
    expect(isTextTooDeep(text)).toBe(false)
    expect(readJson(text)).toEqual(JSON.parse(text))
    const { value, problems } = parseYaml(text, 'f')
    expect([problems, value]).toEqual([[], JSON.parse(text)])
  })

  it.each(spellings)('as %s are refused in both beyond that', (_, written) => {
    const text = written(deepest + 2)
    expect(isTextTooDeep(text)).toBe(true)
    for (const json of [text, text.slice(0, -1), `[1e400,${text}]`])
      expect(() => readJson(json)).toThrow(DeepJsonError)
    expect(parseYaml(text, 'f')).toMatchObject({
      value: undefined,
      problems: [{ message: `values are nested more than ${deepest} levels deep`, hint: 'use fewer levels' }],
    })
  })

  it('are counted through aliases', () => {
    const text = (more: number) =>
      `a: &a ${'['.repeat(100)}${']'.repeat(100)}\nb: ${'['.repeat(99 + more)}*a${']'.repeat(99 + more)}`
    expect(parseYaml(text(0), 'f').problems).toEqual([])
    expect(parseYaml(text(1), 'f').problems).toMatchObject([{ code: 'too-deep' }])
  })
})
