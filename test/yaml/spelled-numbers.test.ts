import { describe, expect, it } from 'vitest'
import { knownOperators } from '../../src/targeting/operators.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'
import { folderOfTest } from '../support/folder.ts'
import { settings } from './a-repository.ts'

function flagWith(operator: string, value: string): string {
  return `feature_flags:
  a:
    active: true
    filters:
      groups: [ { properties: [ { key: version, type: person, operator: ${operator}, value: ${value} } ] } ]
`
}

/** Problems as severity, message and hint; every one of them stands at the value. What services differ in, is no part. */
async function problemsOf(
  flags: string,
  profile: 'documented' | 'posthog-2026' = 'documented',
): Promise<string[]> {
  const directory = await folderOfTest({ 'vexil.yaml': settings, 'flags.yaml': flags })
  const { problems } = await readDeclared({ directory, profile, env: {} })
  return problems.map(({ severity, message, hint }) => `${severity}: ${message}; ${hint}`)
}

describe('a number whose text is not what is sent', () => {
  it.each([
    ['2.10', '2.1'],
    ['12e5', '1200000'],
    ['0x1F', '31'],
    ['0o17', '15'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+1', '1'],
    ['-0', '0'],
    ['1.0', '1'],
    ['12345678901234567890.10', '12345678901234567890.1'],
  ])('is a warning with the text that was written: %s', async (written, read) => {
    expect(await problemsOf(flagWith('exact', written))).toEqual([
      `warning: ${written} is read as the number ${read}; write "${written}" in quotes if text is intended, or else ${read}`,
    ])
  })

  it('is reported beside what engines make of the value', async () => {
    const flags = 'feature_flags:\n  a: { filters: { groups: [{}], payloads: { "true": 0e0 } } }\n'
    const problems = (await problemsOf(flags, 'posthog-2026')).join('\n')
    expect(problems).toContain('0e0 is read as the number 0')
    expect(problems).toContain('which some libraries read as no payload')
  })

  it.each(['1.10', '012'])('is found in a list too: %s', async written => {
    const [first, ...others] = await problemsOf(flagWith('exact', `[a, ${written}]`))
    expect(first).toContain(`warning: ${written} is read`)
    expect(others).toEqual([])
  })

  it.each([
    'semver_eq',
    'semver_neq',
    'semver_gt',
    'semver_gte',
    'semver_lt',
    'semver_lte',
    'semver_tilde',
    'semver_caret',
    'semver_wildcard',
  ])('is an error where versions are compared: %s', async operator => {
    expect(await problemsOf(flagWith(operator, '2.10'))).toEqual([
      `error: the version 2.10 is read as the number 2.1; the operator "${operator}" takes text: write "2.10" in quotes`,
    ])
    expect(await problemsOf(flagWith(operator, '[2.10, "1.20", 1.5, 1.20]'))).toEqual(
      [
        ['2.10', '2.1'],
        ['1.20', '1.2'],
      ].map(
        ([written, read]) =>
          `error: the version ${written} is read as the number ${read}; the operator "${operator}" takes text: write "${written}" in quotes`,
      ),
    )
  })

  it.each(['gt', 'gte', 'lt', 'lte', 'icontains', 'not_icontains', 'regex', 'not_regex'])(
    'stands in the remedy as it was written: %s',
    async operator => {
      const [first = '', ...others] = await problemsOf(flagWith(operator, '2.10'))
      expect(first).toContain(
        `the value of the operator "${operator}" must be text; write the value in quotes: "2.10"`,
      )
      expect(others).toEqual([])
    },
  )

  it.each(['True', 'FALSE', 'Null'])('is told of a word that is sent otherwise: %s', async written => {
    const problems = await problemsOf(flagWith('exact', `[${written}]`))
    expect(problems).toEqual([
      `warning: ${written} is read as ${written.toLowerCase()}; write "${written}" in quotes if text is intended, or else ${written.toLowerCase()}`,
    ])
  })

  it.each([
    '1_000',
    '2024-01-31',
    '12:30:45',
    'yes',
    'on',
    'NO',
    '0b11',
    '1.2.3',
    '0x',
    '1e',
    '"2.10"',
    "'012'",
  ])('is none of what is text to us, and is sent as it stands: %s', async written => {
    expect(await problemsOf(flagWith('exact', written))).toEqual([])
    const { value } = parseYaml(`a: ${written}`, 'flags.yaml')
    expect(value).toEqual({ a: written.replace(/^["'](.*)["']$/, '$1') })
  })

  it.each([
    '0',
    '7',
    '-3',
    '2.5',
    '33.333333333333336',
    '12345678901234567890',
    '0.0000001',
    '1e-7',
    '1000000',
  ])('is none that says what is sent: %s', async written => {
    expect(await problemsOf(flagWith('exact', written))).toEqual([])
  })

  it('is told once of a key of a variant, whatever else names it', async () => {
    const filters =
      '{ groups: [{ variant: "1.10" }], multivariate: { variants: [{ key: 1.10, rollout_percentage: 100 }] }, payloads: { 1.10: 1 } }'
    const flags = `feature_flags:\n  a: { active: true, filters: ${filters} }\n`
    expect(await problemsOf(flags)).toEqual([
      'warning: the key of a variant must be text; write it in quotes: "1.10"; a plan accepts this only if the live object already has it',
    ])
    const property = flags.replace(
      filters,
      '{ groups: [{ properties: [{ key: 1.10, type: person, value: a }] }] }',
    )
    expect(await problemsOf(property)).toEqual([
      'warning: the key of a property must be text; write it in quotes: "1.10"; a plan accepts this only if the live object already has it',
    ])
  })

  it('does not matter in a percentage', async () => {
    const flags =
      'feature_flags:\n  a: { active: true, filters: { groups: [ { rollout_percentage: 10.0 }, { rollout_percentage: 5.50 } ] } }\n'
    expect((await problemsOf(flags)).filter(problem => problem.includes('is read'))).toEqual([])
  })

  it('names every operator where one is none', async () => {
    const [problem] = await problemsOf(flagWith('zzzzzzzz', 'a'))
    for (const operator of Object.keys(knownOperators))
      expect(problem).toMatch(new RegExp(`[ ,]${operator}[,;]`))
  })

  it('does not keep a hundred others from ending the search for problems', () => {
    const text = `${'- 1.0\n'.repeat(500)}- !!binary aGk=\n`
    const { problems, value } = parseYaml(text, 'flags.yaml')
    expect(value).toBeUndefined()
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toMatchObject({ severity: 'error', code: 'unknown-tag' })
  })
})
