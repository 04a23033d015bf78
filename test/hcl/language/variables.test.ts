import {
  TerraformOutput,
  type TerraformStack,
  TerraformVariable,
  type TerraformVariableConfig,
  VariableType,
} from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { fieldsOf, load, problemsOf } from '../../stack/load.ts'

/** A stack whose one flag is called what the variable says. */
function named(config: TerraformVariableConfig, name = '${var.v}') {
  return (stack: TerraformStack) => {
    new TerraformVariable(stack, 'v', config)
    new FeatureFlag(stack, 'flag', { key: 'flag', name, active: false })
  }
}
const text = { type: 'string' }

describe('a variable', () => {
  it.each([
    ['its default', {}, {}, {}, 'default'],
    ['the environment', {}, { TF_VAR_v: 'env' }, {}, 'env'],
    ['a file', {}, { TF_VAR_v: 'env' }, { 'terraform.tfvars.json': '{"v": "file"}' }, 'file'],
    [
      'the last of several files',
      {},
      {},
      {
        'terraform.tfvars.json': '{"v": "1"}',
        'b.auto.tfvars.json': '{"v": "3"}',
        'a.auto.tfvars.json': '{"v": "2"}',
      },
      '3',
    ],
    [
      'the command line',
      { v: 'line' },
      { TF_VAR_v: 'env' },
      { 'terraform.tfvars.json': '{"v": "file"}' },
      'line',
    ],
    ['an empty text', { v: '' }, {}, {}, ''],
    ['text that looks like more', { v: '${timestamp()} "x"' }, {}, {}, '${timestamp()} "x"'],
    ['an equals sign', { v: 'a=b' }, {}, {}, 'a=b'],
  ])('is given by %s', async (_, variables, env, files, expected) => {
    const fields = await fieldsOf(named({ ...text, default: 'default' }), { variables, env, files })
    expect(fields?.name).toBe(expected)
  })

  it.each([
    [VariableType.NUMBER, '2.50', '${var.v}', '2.5'],
    [VariableType.BOOL, 'true', '${var.v}', 'true'],
    [VariableType.list(VariableType.STRING), '["a", "b"]', '${join("-", var.v)}', 'a-b'],
    [VariableType.set(VariableType.NUMBER), '[3, 1, "2", 1]', '${jsonencode(var.v)}', '[1,2,3]'],
    [VariableType.map(VariableType.NUMBER), '{ a = 1, "b" : "2" }', '${jsonencode(var.v)}', '{"a":1,"b":2}'],
    ['tuple([string, bool])', '[1, "true"]', '${jsonencode(var.v)}', '["1",true]'],
    [
      'object({ a = string, b = optional(number, 3) })',
      '{ a = 1, c = 2 }',
      '${jsonencode(var.v)}',
      '{"a":"1","b":3}',
    ],
    [
      'object({ a = optional(object({ b = optional(bool, true) }), {}) })',
      '{}',
      '${jsonencode(var.v)}',
      '{"a":{"b":true}}',
    ],
    ['list(object({ a = optional(string) }))', '[{}]', '${jsonencode(var.v)}', '[{"a":null}]'],
    [
      'tuple([object({ a = optional(number, 3) }), bool])',
      '[{}, true]',
      '${jsonencode(var.v)}',
      '[{"a":3},true]',
    ],
    [
      'list(object({ a = any }))',
      '[{ a = 1 }, { a = "x" }, { a = null }]',
      '${jsonencode(var.v)}',
      '[{"a":"1"},{"a":"x"},{"a":null}]',
    ],
    [
      'map(object({ a = any }))',
      '{ k = { a = [1] }, l = { a = ["x", true] } }',
      '${jsonencode(var.v)}',
      '{"k":{"a":["1"]},"l":{"a":["x","true"]}}',
    ],
    ['set(object({ a = any }))', '[{ a = 1 }, { a = 1 }]', '${jsonencode(var.v)}', '[{"a":1}]'],
    ['any', '[1, "x"]', '${jsonencode(var.v)}', '[1,"x"]'],
    ['any', '\ufeff[1]', '${jsonencode(var.v)}', '[1]'],
    [undefined, '[1]', '${var.v}', '[1]'],
  ])('of type %s takes %s', async (type, given, name, expected) => {
    const fields = await fieldsOf(named(type === undefined ? {} : { type }, name), {
      variables: { v: given },
    })
    expect(fields?.name).toBe(expected)
  })

  it.each([
    [VariableType.NUMBER, 'x', 'var.v: a text "x" stands where number is needed'],
    [VariableType.BOOL, 'yes', 'var.v: a text "yes" stands where bool is needed'],
    [
      VariableType.list(VariableType.STRING),
      'a, b',
      'var.v: the value from --var v does not match its type; write lists and maps as JSON: ["a", "b"]',
    ],
    ['object({ a = string })', '{}', 'var.v: the member "a" is missing'],
    [
      VariableType.list(VariableType.STRING),
      '[upper("x")]',
      'var.v: the value from --var v does not match its type; write lists and maps as JSON: ["a", "b"]',
    ],
    [
      'object({ a = optional(string, upper("x")) })',
      '{}',
      'var.v: it calls upper(), and has to be a constant',
    ],
    ['object({ a = optional(string, "x", 1) })', '{}', 'var.v: "optional" takes a type and a default'],
    [
      'set(object({ a = any }))',
      '[{ a = 1 }, { a = "x" }]',
      'var.v: its elements are of several types, and have to be of one',
    ],
    [
      'map(object({ a = tuple([any]) }))',
      '{ k = { a = [1] }, l = { a = [[1]] } }',
      'var.v: its elements are of types that do not go together',
    ],
    [
      'lost(string)',
      'x',
      'var.v: its type cannot be read; write one such as "list(string)" or "object({ a = string })"',
    ],
  ])('of type %s refuses %s', async (type, given, line) => {
    expect(await problemsOf(named({ type }), { variables: { v: given } })).toEqual([line])
  })

  it('without a value is asked for', async () => {
    expect(await problemsOf(named(text))).toEqual([
      'var.v: its value is missing; set it with --var v=..., or with TF_VAR_v',
    ])
  })

  it('that must not be null falls back to its default', async () => {
    const config = { ...text, nullable: false, default: 'default' }
    const files = { 'terraform.tfvars.json': '{"v": null}' }
    expect(await fieldsOf(named(config), { files })).toMatchObject({ name: 'default' })
    expect(await problemsOf(named({ ...text, nullable: false }), { files })).toEqual([
      'var.v: its value is null, but null is not allowed; set it with --var v=..., or with TF_VAR_v',
    ])
  })

  it('has a default that fits, also where it is given a value', async () => {
    const given = { variables: { v: '2' } }
    expect(await problemsOf(named({ type: 'number', default: 'x' }), given)).toEqual([
      'var.v: its default does not match its type: a text "x" stands where number is needed',
    ])
    const never = (stack: TerraformStack) => {
      named({ ...text, nullable: false })(stack)
      // The engine fails on it.
      stack.addOverride('variable.v.default', null)
    }
    expect(await problemsOf(never, given)).toEqual([
      'var.v: its default is null, but null is not allowed; remove the default',
    ])
  })

  it('that may be null leaves out what it is for', async () => {
    const files = { 'terraform.tfvars.json': '{"v": null}' }
    expect(await fieldsOf(named(text), { files })).toEqual({ active: false })
  })

  it('is checked by the rules that it brings', async () => {
    const config = {
      ...text,
      validation: [{ condition: '${length(var.v) < 4}', errorMessage: '${var.v} is too long' }],
    }
    expect(await problemsOf(named(config), { variables: { v: 'abc' } })).toEqual([])
    expect(await problemsOf(named(config), { variables: { v: 'abcd' } })).toEqual([
      'var.v.validation[0]: abcd is too long',
    ])
  })

  it('that nobody declared is refused on the command line, and nowhere else', async () => {
    const build = named({ ...text, default: 'default' })
    const files = { 'terraform.tfvars.json': '{"other": 1}' }
    expect(await problemsOf(build, { env: { TF_VAR_other: 'x' }, files })).toEqual([])
    expect(await problemsOf(build, { variables: { w: 'x' } })).toEqual([
      'the stack has no variable "w"; there are v',
    ])
  })
})

describe('what is sensitive', () => {
  const secret = { ...text, sensitive: true }
  const given = { variables: { v: 'hunter2' } }

  it.each([
    [
      'a field',
      '${var.v}',
      'vexil_feature_flag.flag.name: it comes from var.v, which is sensitive, and a plan would show it; declare it without `sensitive`, or wrap it in nonsensitive(...)',
    ],
    [
      'a part of one',
      'a ${upper(var.v)}',
      'vexil_feature_flag.flag.name: it comes from var.v, which is sensitive, and a plan would show it; declare it without `sensitive`, or wrap it in nonsensitive(...)',
    ],
    [
      'a choice',
      '${var.v == "x" ? "a" : "b"}',
      'vexil_feature_flag.flag.name: it comes from var.v, which is sensitive, and a plan would show it; declare it without `sensitive`, or wrap it in nonsensitive(...)',
    ],
    [
      'what fails',
      '${var.v + 1}',
      'vexil_feature_flag.flag.name: what var.v holds, which is sensitive, does not fit here',
    ],
    [
      'an index',
      '${{ a = 1 }[var.v]}',
      'vexil_feature_flag.flag.name: what var.v holds, which is sensitive, does not fit here',
    ],
  ])('is refused in %s, and not told', async (_, name, line) => {
    const { problems, declarations } = await load(named(secret, name), given)
    expect(problems.map(({ message, hint }) => [message, hint].filter(Boolean).join('; '))).toEqual([line])
    expect(JSON.stringify([problems, declarations])).not.toContain('hunter2')
  })

  it('is an ephemeral variable too, which is to be kept nowhere', async () => {
    const { problems } = await load(stack => {
      named(text, '${var.v}')(stack)
      stack.addOverride('variable.v.ephemeral', true)
    }, given)
    expect(problems.map(({ message }) => message)).toEqual([
      'vexil_feature_flag.flag.name: it comes from var.v, which is sensitive, and a plan would show it',
    ])
  })

  it('may be shown where the stack says so', async () => {
    expect(await fieldsOf(named(secret, '${nonsensitive(var.v)}'), given)).toMatchObject({ name: 'hunter2' })
  })

  it('is not told by the rule that it breaks, nor by its type', async () => {
    const config = {
      ...secret,
      validation: [{ condition: '${length(var.v) < 4}', errorMessage: 'no ${var.v}' }],
    }
    const broken = await load(named(config, 'x'), given)
    expect(broken.problems.map(({ message }) => message)).toEqual([
      'var.v.validation[0]: the condition is not met',
    ])
    const number = await load(named({ type: 'number', sensitive: true }, 'x'), given)
    expect(number.problems.map(({ message }) => message)).toEqual([
      'var.v: its value does not match its type',
    ])
    expect(JSON.stringify([broken, number].map(({ problems }) => problems))).not.toContain('hunter2')
  })

  it('makes an output sensitive, or wrong', async () => {
    const problems = await problemsOf(stack => {
      named(secret, 'x')(stack)
      new TerraformOutput(stack, 'said', { value: '${var.v}', sensitive: true })
      new TerraformOutput(stack, 'told', { value: '${var.v}' })
    }, given)
    expect(problems).toEqual([
      'output.told.value: it comes from var.v, which is sensitive; set sensitive: true on the output',
    ])
  })
})
