import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'
import { load } from './a-repository.ts'

const settled = { 'vexil.yaml': 'version: 1' }
const codesOf = (text: string) => parseYaml(text, 'f').problems.map(({ code }) => code)

describe('hostile files', () => {
  it('refuses a bomb of aliases without unfolding it', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      const elements = Array(10).fill(level === 0 ? 'x' : `*a${level - 1}`)
      return `a${level}: &a${level} [${elements.join(', ')}]`
    })
    expect(codesOf(levels.join('\n'))).toEqual(['alias-bomb'])
  })

  it('refuses a bomb of merges', () => {
    const levels = Array.from({ length: 40 }, (_, level) =>
      level === 0 ? 'a0: &a0 { k: x }' : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
    )
    expect(codesOf(`${levels.join('\n')}\nb: { <<: *a39 }`)).toEqual(['alias-bomb'])
  })

  it('unfolds what 10,000 flags share', () => {
    const flags = Array.from({ length: 10_000 }, (_, index) => `  f${index}: *shared`)
    const { value, problems } = parseYaml(`x: &shared { a: [1, 2, 3] }\nflags:\n${flags.join('\n')}`, 'f')
    expect(problems).toEqual([])
    expect(value).toMatchObject({ flags: { f9999: { a: [1, 2, 3] } } })
  })

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['braces', '{a: '.repeat(100_000)],
    ['dashes', '- '.repeat(100_000)],
    ['question marks', '? '.repeat(100_000)],
  ])('refuses %s nested without end', (_, text) => {
    const { value, problems } = parseYaml(text, 'f')
    expect(value).toBeUndefined()
    expect(problems).toMatchObject([
      { code: 'yaml-syntax', message: 'values are nested more than 200 levels deep' },
    ])
  })

  it('counts the depth of an alias where it is used', () => {
    const text = `a: &a ${'['.repeat(110)}${']'.repeat(110)}\nb: ${'['.repeat(110)}*a${']'.repeat(110)}`
    expect(codesOf(text)).toEqual(['too-deep'])
  })

  it('stops at a hundred problems of one file', () => {
    expect(codesOf('a: 1\n'.repeat(1000))).toHaveLength(100)
  })

  it('refuses more values than anybody writes', () => {
    expect(codesOf(`[${'0,'.repeat(2_000_001)}]`)).toEqual(['too-many-values'])
  })

  it('leaves the prototype of objects alone', async () => {
    const { problems } = await load({
      ...settled,
      'a.yaml': 'feature_flags: { __proto__: { active: true } }',
    })
    expect(problems.map(({ code }) => code)).toEqual(['unsafe-key'])
    expect(({} as Record<string, unknown>).active).toBeUndefined()
  })

  it('looks at the size of a file before it reads it', async () => {
    const { problems } = await load({ ...settled, 'big.yaml': new Uint8Array(16 * 1024 * 1024 + 1) })
    expect(problems).toEqual([
      {
        code: 'file-too-large',
        severity: 'error',
        message: 'this file has 16 MiB, more than the limit of 16 MiB',
        hint: 'split the file',
        source: { file: 'big.yaml', line: 1, column: 1 },
      },
    ])
  })

  it('refuses what is not UTF-8', async () => {
    const { problems } = await load({ ...settled, 'latin.yaml': Uint8Array.of(0x61, 0x3a, 0x20, 0xe4) })
    expect(problems).toEqual([
      {
        code: 'not-utf8',
        severity: 'error',
        message: 'this file is not UTF-8 text',
        hint: 'save it as UTF-8',
        source: { file: 'latin.yaml', line: 1, column: 1 },
      },
    ])
  })
})
