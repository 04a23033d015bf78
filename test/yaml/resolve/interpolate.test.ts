import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemLine } from '../../../src/report/line-text.ts'
import { escapeReferences, interpolate, redact } from '../../../src/yaml/resolve/interpolate.ts'
import { load, settings } from '../a-repository.ts'

const env = { NAME: 'value', EMPTY: '' }
/** Written with another bracket, so that nothing else takes it for a template. */
const ref = (text: string) => text.replaceAll('$<', '$\u007b').replaceAll('>', '\u007d')

describe('interpolate', () => {
  it.each([
    ['$<env:NAME>', 'value'],
    ['a $<env:NAME> b $<env:NAME>', 'a value b value'],
    ['[$<env:EMPTY>]', '[]'],
    ['$$<env:NAME>', '$<env:NAME>'],
    ['$$$<env:NAME>', '$$<env:NAME>'],
    ['$<NAME> $<other:NAME> $NAME $', '$<NAME> $<other:NAME> $NAME $'],
  ])('reads %s as %s', (text, expected) => {
    const { value, failures } = interpolate({ a: [ref(text)] }, env)
    expect({ value, failures }).toEqual({ value: { a: [ref(expected)] }, failures: [] })
  })

  it.each(['KEY', 'COPY'])('refuses what opens the service, under the name %s too', name => {
    const secret = { KEY: 'phx_secret', COPY: ' phx_secret\n', OTHER: 'x' }
    const written = { a: [ref(`$<env:${name}>`)], b: ref('$<env:OTHER>') }
    const { value, failures, secrets } = interpolate(written, secret, ['KEY', 'UNSET'])
    expect(value).toEqual({ a: [ref(`$<env:${name}>`)], b: 'x' })
    expect([...secrets.keys()]).toEqual(['x'])
    expect(failures).toEqual([
      {
        pointer: '/a/0',
        code: 'key-variable',
        message: `the environment variable ${name} contains the key of the service`,
        hint: 'a declaration must not contain the key; remove it, or use another variable',
      },
    ])
  })

  it('says what is missing, and where', () => {
    const { value, failures } = interpolate(
      { a: { b: [ref('$<env:NOPE>'), ref('$<env:>'), ref('$<env:A-B>'), '$\u007benv:X'] } },
      env,
    )
    expect(value).toEqual({
      a: { b: [ref('$<env:NOPE>'), ref('$<env:>'), ref('$<env:A-B>'), '$\u007benv:X'] },
    })
    expect(failures.map(({ pointer, code, message }) => `${pointer} ${code} ${message}`)).toEqual([
      '/a/b/0 unset-variable the environment variable NOPE is not set',
      ref('/a/b/1 bad-reference "$<env:>" does not name an environment variable'),
      ref('/a/b/2 bad-reference "$<env:A-B>" does not name an environment variable'),
      '/a/b/3 bad-reference "$\u007benv:X" does not name an environment variable',
    ])
  })

  it('takes nothing from what a value holds', () => {
    const { value } = interpolate(ref('$<env:A>'), { A: ref('$<env:B>'), B: 'secret' })
    expect(value).toBe(ref('$<env:B>'))
  })

  it('leaves escaped texts as they were, whatever they hold', () => {
    const pieces = fc
      .array(fc.constantFrom('$', '{', '}', 'env:', 'NAME', ' ', '\\'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(pieces, text => {
        const { value, failures } = interpolate(escapeReferences(text), {})
        expect({ value, failures }).toEqual({ value: text, failures: [] })
      }),
    )
  })

  it('takes values out of messages again', () => {
    const { secrets } = interpolate([ref('$<env:A> $<env:B>')], { A: 'abc', B: 'abcdef' })
    expect(redact('not abcdef but abc', secrets)).toBe(ref('not $<env:B> but $<env:A>'))
  })
})

describe('values of the environment', () => {
  const complete = 'active: true, filters: { groups: [] }'

  it('are never shown in a problem about them', async () => {
    const text = ref(`plugins:
  p: { plugin_type: "$<env:SECRET>", is_global: "$<env:SECRET>" }
feature_flags:
  a: { ${complete}, role_access: ["$<env:SECRET>"] }
  b: { active: true, filters: { groups: [{ variant: "$<env:SECRET>" }] } }
  c: { ${complete}, ignore: ["$<env:SECRET>"], allow: ["$<env:SECRET>"] }
  d: { ${complete}, tags: ["$<env:LONG>"] }
`)
    const long = 'verysecret'.repeat(30)
    const { problems } = await load(
      { 'vexil.yaml': settings, 'a.yaml': text },
      { environment: 'staging', env: { SECRET: 'verysecret', LONG: long } },
    )
    expect(problems.map(({ code }) => code)).toEqual([
      'unknown-value',
      'wrong-type',
      'unknown-role',
      'unknown-variant',
      'unknown-field',
      'unknown-value',
      'tag-too-long',
    ])
    expect(JSON.stringify(problems)).not.toContain('verysecret')
  })

  it('are only needed for the environment that is read', async () => {
    const text = ref(`x-words: &words "$<env:WORDS>"
feature_flags:
  a: { ${complete}, name: "$<env:BASE>", environments: { staging: { name: *words }, production: { name: "$<env:PROD>" } } }
  b: { ${complete}, name: "$<env:PROD>", only: [production] }
feature_flag_role_access:
  - { flag: "$<env:PROD>", role: support, only: [production] }
`)
    const files = { 'vexil.yaml': settings, 'a.yaml': text }
    const staging = await load(files, { environment: 'staging', env: { WORDS: 'hi' } })
    expect(staging.problems).toEqual([])
    expect(staging.declarations.desired.map(({ fields }) => fields.name)).toEqual(['hi'])
    const without = await load(files, { environment: 'staging' })
    expect(without.problems.map(problemLine)).toEqual([
      expect.stringContaining('a.yaml:3:101 the environment variable WORDS is not set'),
    ])
    const production = await load(files, { environment: 'production' })
    expect(production.problems.map(({ source }) => source?.line)).toEqual([3, 4, 6])
  })
})
