import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { load, settings } from './a-repository.ts'
import { expectOneProblem, type ProblemCase } from './one-problem.ts'

const object =
  'payload_schema: { type: object, required: [steps], properties: { steps: { type: integer } }, additionalProperties: false }'
const inShort = (payloads: string, schema = object) =>
  `feature_flags:\n  a:\n    active: true\n    rollout_percentage: 100\n    variants: { one: 50, two: 50 }\n    payloads: ${payloads}\n    ${schema}\n`
const whole = (payloads: string) =>
  `feature_flags:\n  a:\n    active: true\n    filters:\n      groups: [{}]\n      payloads: ${payloads}\n    ${object}\n`
const schema = (text: string) =>
  `feature_flags:\n  a:\n    active: true\n    rollout_percentage: 100\n    payload_schema: ${text}\n`

async function problemsOf(text: string) {
  const directory = await folderOfTest({ 'vexil.yaml': settings, 'flags.yaml': text })
  return (await readDeclared({ directory, env: {} })).problems
}
const messagesOf = async (text: string) => (await problemsOf(text)).map(({ message }) => message)

const of = { address: 'feature_flag.a', code: 'payload-mismatch', hint: 'correct the payload or the schema' }
const broken = { address: 'feature_flag.a', code: 'payload-schema' }

const cases: ProblemCase[] = [
  [
    'a payload of another type',
    inShort('{ one: { steps: 1 }, two: ¦fast }'),
    { ...of, message: 'the payload of "two" does not match payload_schema: must be object' },
  ],
  [
    'a value inside of a payload',
    inShort('{ one: { steps: ¦many } }'),
    { ...of, message: 'the payload of "one" does not match payload_schema: "/steps" must be integer' },
  ],
  [
    'a value inside of filters',
    whole('{ "true": { steps: ¦1.5 } }'),
    { ...of, message: 'the payload of "true" does not match payload_schema: "/steps" must be integer' },
  ],
  [
    'a text that is JSON',
    whole(`{ "true": ¦'{"steps": "many"}' }`),
    { ...of, message: 'the payload of "true" does not match payload_schema: "/steps" must be integer' },
  ],
  [
    'a member that is missing',
    inShort('{ one: ¦{} }'),
    {
      ...of,
      message: `the payload of "one" does not match payload_schema: must have required property 'steps'`,
    },
  ],
  [
    'a member that there is not',
    inShort('{ one: ¦{ steps: 1, step: 2 } }'),
    {
      ...of,
      message:
        'the payload of "one" does not match payload_schema: must NOT have additional properties, as "step"',
    },
  ],
  [
    'an override of one environment',
    `${inShort('{ one: { steps: 1 } }')}    environments: { staging: { payloads: { one: ¦2 } } }\n`,
    { ...of, message: 'the payload of "one" does not match payload_schema: must be object' },
  ],
  [
    'a schema of one environment',
    `${inShort('{ one: ¦{ steps: 1 } }')}    environments: { staging: { payload_schema: { type: string } } }\n`,
    { ...of, message: 'the payload of "one" does not match payload_schema: must be string' },
  ],
  [
    'a type that there is not',
    schema('{ properties: { a: { type: ¦text } } }'),
    {
      ...broken,
      message:
        'the value is not a JSON Schema: must be equal to one of the allowed values: "array", "boolean", "integer", "null", "number", "object", "string"',
    },
  ],
  [
    'a keyword that there is not',
    schema('{ propertes: ¦{} }'),
    { ...broken, message: 'the schema cannot be used: unknown keyword: "propertes"' },
  ],
  [
    'a reference to another file',
    schema('{ $ref: ¦"https://example.com/a.json" }'),
    {
      ...broken,
      message: '"https://example.com/a.json" is outside this schema, and Vexil never fetches schemas',
      hint: 'move the schema below "$defs" and refer to "#/$defs/NAME"',
    },
  ],
  [
    'a reference to nothing',
    schema('¦{ $ref: "#/$defs/a" }'),
    {
      ...broken,
      message: "the schema cannot be used: can't resolve reference #/$defs/a from id vexil:payload",
    },
  ],
  [
    'a pattern that looks around',
    schema('{ pattern: ¦"(?=a)" }'),
    {
      ...broken,
      message:
        'the pattern "(?=a)" cannot be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
      hint: 'write the pattern in RE2 syntax, without look-around and back references',
    },
  ],
  [
    'another draft',
    schema('{ $schema: ¦"http://json-schema.org/draft-07/schema#" }'),
    { ...broken, message: 'only draft 2020-12 is supported', hint: 'remove "$schema"' },
  ],
]

describe('payload_schema', () => {
  it.each(cases)('tells of %s, where it stands', async (_, text, problem) => {
    await expectOneProblem(text, problem)
  })

  it.each([
    ['a schema that every payload fits', inShort('{ one: { steps: 1 }, two: { steps: 2 } }')],
    ['no payload', inShort('{}')],
    ['a text that is JSON', whole(`{ "true": '{"steps": 12345678901234567890}' }`)],
    ['a flag that is to be absent', `${inShort('{ one: 1 }')}    ensure: absent\n`],
    [
      'no schema in the environments',
      `${inShort('{ one: 1 }')}    environments: { staging: { payload_schema: null }, production: { payload_schema: null } }\n`,
    ],
    [
      'references inside',
      inShort(
        '{ one: [1] }',
        'payload_schema: { $defs: { n: { type: integer } }, items: { $ref: "#/$defs/n" } }',
      ),
    ],
    ['formats', inShort('{ one: 2027-01-01 }', 'payload_schema: { type: string, format: date }')],
  ])('finds nothing wrong with %s', async (_, text) => {
    expect(await problemsOf(text)).toEqual([])
  })

  it('takes a pattern that costs others a lifetime', async () => {
    const text = inShort(`{ one: "${'a'.repeat(5000)}!" }`, 'payload_schema: { pattern: "^(a+)+$" }')
    expect((await problemsOf(text)).map(({ code }) => code)).toEqual(['payload-mismatch'])
  })

  it('keeps patterns apart', async () => {
    const two = 'payload_schema: { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } }'
    expect(await messagesOf(inShort('{ one: { a: a, b: b }, two: { a: b, b: a } }', two))).toEqual([
      'the payload of "two" does not match payload_schema: "/a" must match pattern "^a$"',
      'the payload of "two" does not match payload_schema: "/b" must match pattern "^b$"',
    ])
  })

  it('says so where a schema never ends', async () => {
    expect(await messagesOf(inShort('{ one: 1 }', 'payload_schema: { $ref: "#" }'))).toEqual([
      'the payload of "one" does not match payload_schema: the schema refers to itself without end',
    ])
  })

  it.each([
    [
      'whose definitions each name the next one twice',
      JSON.stringify({
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => {
            const next = { $ref: `#/$defs/d${index + 1}` }
            return [`d${index}`, index === 39 ? { type: 'number' } : { allOf: [next, next] }]
          }),
        ),
      }),
      '1',
    ],
    [
      'that looks at each level of a payload twice, also below a name that is a keyword',
      JSON.stringify({ anyOf: ['default', 'x'].map(() => ({ properties: { default: { $ref: '#' } } })) }),
      `${'{ default: '.repeat(40)}1${' }'.repeat(40)}`,
    ],
  ])('ends with a schema %s', async (_, schema, payload) => {
    expect(await messagesOf(inShort(`{ one: ${payload} }`, `payload_schema: ${schema}`))).toEqual([
      'the payload of "one" does not match payload_schema: checking this payload follows more than 100000 references of the schema',
    ])
  })

  it('checks a schema that refers to itself, with a payload that ends', async () => {
    const list =
      '{ $ref: "#/$defs/node", $defs: { node: { properties: { default: { $ref: "#/$defs/node" }, v: { type: number } } } } }'
    expect(
      await messagesOf(
        inShort('{ one: { v: 1, default: { default: { v: a } } } }', `payload_schema: ${list}`),
      ),
    ).toEqual(['the payload of "one" does not match payload_schema: "/default/default/v" must be number'])
  })

  it('shows nothing of what the environment fills in', async () => {
    const { problems } = await load(
      {
        'vexil.yaml': settings,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how a variable is written.
        'flags.yaml': inShort('{ one: "${env:SECRET}" }', 'payload_schema: { const: a }'),
      },
      { environment: 'staging', env: { SECRET: 'tell-nobody' } },
    )
    expect(problems).toHaveLength(1)
    expect(JSON.stringify(problems)).not.toContain('tell-nobody')
  })

  it('changes nothing of what is declared', async () => {
    const options = { environment: 'staging' }
    const fields = async (text: string) =>
      (await load({ 'vexil.yaml': settings, 'flags.yaml': text }, options)).declarations.desired.map(
        one => one.fields,
      )
    const payloads = '{ one: { steps: 1 } }'
    expect(await fields(inShort(payloads))).toEqual(await fields(inShort(payloads, '')))
  })

  it('takes any JSON for a schema or tells what is wrong with it, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom('type', '$ref', 'pattern', 'items', 'anyOf', 'enum', 'x', '$id', 'format', 'const'),
          fc.jsonValue({ maxDepth: 2 }),
          { maxKeys: 3 },
        ),
        async given => {
          const text = JSON.stringify({
            feature_flags: {
              a: { active: true, rollout_percentage: 1, payloads: { true: 1 }, payload_schema: given },
            },
          })
          const problems = await problemsOf(text)
          expect(problems.every(({ source }) => source !== undefined)).toBe(true)
        },
      ),
      { numRuns: rounds(10) },
    )
  })
})
