import { describe, expect, it } from 'vitest'
import { HclError, parseHcl } from '../../../src/hcl/language/parse-file.ts'
import { isExactObject } from '../../../src/hcl/values/convert.ts'
import { invalid } from '../../../src/hcl/values/type.ts'
import { parseStack } from '../../../src/stack/configuration-file.ts'
import { expressionOf } from '../../../src/stack/expressions.ts'
import { StackProblems } from '../../../src/stack/stack-problems.ts'
import { answerTo, ourAnswer } from './our-answer.ts'
import { recordedAnswers } from './recorded-answers.ts'

function localIn(text: string) {
  const problems = new StackProblems(() => undefined)
  const [local] = parseStack(parseHcl(`locals {\n  x = ${text}\n}\n`).json, problems).blocks
  return local?.body.value ?? null
}

/** An expression as it comes out of a file; what the file is refused for is refused. */
function fromFile(expression: string) {
  return answerTo(() => {
    try {
      return expressionOf(localIn(expression))
    } catch (error) {
      throw error instanceof HclError ? invalid(error.message) : error
    }
  })
}

describe('an expression in a file', () => {
  it('comes to what it comes to in a stack, whatever it is', () => {
    // Outside of braces the end of a line ends an expression, and nothing is stripped.
    const elsewhere = /\n|#|^~/
    const plain = Object.keys(recordedAnswers).filter(
      (each, index) => !elsewhere.test(each) && index % 2 === 0,
    )
    expect(plain.length).toBeGreaterThan(300)
    const different = plain.flatMap(each => {
      const [ours, files] = [ourAnswer(each), fromFile(each)]
      const isRefused = files === 'refused' && typeof ours === 'object' && 'unsupported' in ours
      return isRefused || JSON.stringify(ours) === JSON.stringify(files) ? [] : [{ each, ours, files }]
    })
    expect(different).toEqual([])
  })

  it.each([
    ['<<END\n  a\n    b\nEND', '  a\n    b\n'],
    ['<<-END\n  a\n    b\n\n  END', 'a\n  b\n\n'],
    ['<<-END\n    ${1 + 1}\n  b\n  END', '  2\nb\n'],
    ['<<END\n"${upper("q")}" \\n $${x}\nEND', '"Q" \\n ${x}\n'],
    ['<<END\n%{ for n in [1, 2] ~}\n-${n}\n%{ endfor ~}\nEND', '-1\n-2\n'],
    ['upper(<<END\nup\nEND\n  )', 'UP\n'],
    ['<<END\nEND', ''],
    ['"a\\tb\\u00e4$${c}"', 'a\tbä${c}'],
    ['"${1}${2}"', '12'],
    ['(1 +\n   2)', 3],
    ['[ # first\n  1, /* second */ 2,\n]', [1, 2]],
    ['{\n  a = 1 // one\n  "b c" : 2,\n  (upper("d")) = 3\n  1 = 4\n}', { '1': 4, D: 3, a: 1, 'b c': 2 }],
    ['{ a = 1, a = null }', { a: null }],
    ['true', true],
    ['null', null],
    ['-1.5', -1.5],
  ])('%j', (text, json) => {
    expect(fromFile(text)).toMatchObject({ json: expect.anything() })
    const answer = fromFile(text)
    expect(JSON.parse(typeof answer === 'object' && 'json' in answer ? answer.json : '"refused"')).toEqual(
      json,
    )
  })
})

it('loses nothing of an object that names a member twice', () => {
  expect(fromFile('{ a = parseint("ff", 10), a = 1 }')).toBe('refused')
})

describe('a file', () => {
  it('means the same as its JSON', () => {
    const { json } = parseHcl(`
      terraform {
        required_providers { vexil = { source = "vexil/vexil" } }
      }
      variable "share" {
        type      = object({ a = number, b = optional(string, "x") })
        default   = { a = -5, b = "$\${kept}" }
        sensitive = true
        validation {
          condition     = var.share.a > 0
          error_message = "not \${var.share.b}"
        }
      }
      variable "old" { type = list }
      locals {
        names = ["a", local.b]
        b     = "it is \${upper("b")}"
      }
      resource "vexil_feature_flag" "it" {
        for_each   = toset(local.names)
        provider   = vexil.eu
        key        = each.key
        release    = [{ rollout_percentage = var.share.a }]
        depends_on = [vexil_plugin.geo]
        lifecycle {
          prevent_destroy = true
          ignore_changes  = all
          precondition {
            condition     = true
            error_message = "never"
          }
        }
      }
      module "inner" {
        source    = "../inner"
        providers = { vexil = vexil.eu }
      }
      moved {
        from = vexil_feature_flag.a
        to   = vexil_feature_flag.it["a"]
      }
      output "keys" { value = [for each in vexil_feature_flag.it : each.key] }
    `)
    const text = JSON.stringify(json, (_, value) =>
      value?.mantissa === undefined ? value : Number(value.toNumber()),
    )
    expect(JSON.parse(text)).toEqual({
      terraform: [{ required_providers: [{ vexil: { source: 'vexil/vexil' } }] }],
      variable: [
        {
          share: {
            type: 'object({ a = number, b = optional(string, "x") })',
            default: { a: -5, b: '${kept}' },
            sensitive: true,
            validation: [{ condition: '${var.share.a > 0}', error_message: '${"not ${var.share.b}"}' }],
          },
        },
        { old: { type: 'list' } },
      ],
      locals: [{ names: ['a', '${local.b}'] }, { b: '${"it is ${upper("b")}"}' }],
      resource: [
        {
          vexil_feature_flag: {
            it: {
              for_each: '${toset(local.names)}',
              provider: 'vexil.eu',
              key: '${each.key}',
              release: [{ rollout_percentage: '${var.share.a}' }],
              depends_on: ['vexil_plugin.geo'],
              lifecycle: [
                {
                  prevent_destroy: true,
                  ignore_changes: 'all',
                  precondition: [{ condition: true, error_message: 'never' }],
                },
              ],
            },
          },
        },
      ],
      module: [{ inner: { source: '../inner', providers: { vexil: 'vexil.eu' } } }],
      moved: [{ from: 'vexil_feature_flag.a', to: 'vexil_feature_flag.it["a"]' }],
      output: [{ keys: { value: '${[for each in vexil_feature_flag.it : each.key]}' } }],
    })
  })

  it('says where its blocks begin', () => {
    const text = 'locals {\n  a = 1\n  b = 2\n}\n'
    const { json, offsets } = parseHcl(text)
    const locals = isExactObject(json) && Array.isArray(json.locals) ? json.locals : []
    expect(locals.map(each => offsets.get(Object(each)))).toEqual([text.indexOf('a ='), text.indexOf('b =')])
  })

  it.each([
    ['a = 1', '1:1', '"a" stands outside of a block'],
    ['resourse "a" "b" {}', '1:1', 'there is no block "resourse" here'],
    ['resource "a" {}', '1:1', '"resource" has 1 labels and needs 2; resource "type" "name" { ... }'],
    [
      'resource "a" "b" {\n  release { rollout_percentage = 5 }\n}',
      '2:3',
      'there is no block "release" here; where an attribute is meant, write release = { ... } or [{ ... }]',
    ],
    ['variable "v" {\n  type = "string"\n}', '2:3', 'it is in quotes; take the quotes away'],
    ['moved {\n  from = "a_b.c"\n  to = a_b.d\n}', '2:3', 'it is in quotes; take the quotes away'],
    ['resource "a" "b" {\n  lifecycle = {}\n}', '2:3', '"lifecycle" is a block; write lifecycle { ... }'],
    ['locals {\n  a = 1\n  a = 2\n}', '3:3', '"a" is there twice; keep one of them'],
    [
      'locals {\n  a = 1 b = 2\n}',
      '2:7',
      'it cannot be read: "b" stands where "the end of the line" is needed',
    ],
    ['locals {\n  a =\n}', '2:6', 'it cannot be read: the line ends where something else is needed'],
    ['locals {\n  a = 1\n', '2:8', 'it cannot be read: the expression ends where "}" is needed'],
    ['locals {\n  a = <<END\nx\n}\n', '2:7', 'a text of several lines has no end: no line says END'],
    ['variable "a" {\n  default = upper("x")\n}', '2:3', 'it has to be a constant; write the value itself'],
    ['locals {\n  x { a = 1 }\n}', '2:3', 'locals have no blocks'],
    ['}', '1:1', 'it cannot be read: "}" stands where something else is needed'],
    ['resource "a-${b}" "c" {}', '1:18', 'a label has something to fill in'],
  ])('is refused at the place: %j', (text, place, line) => {
    const error = errorOf(text)
    const before = text.slice(0, error.at).split('\n')
    expect(`${before.length}:${(before.at(-1) ?? '').length + 1}`).toBe(place)
    const { message, remedy } = error
    expect((remedy === undefined ? message : `${message}; ${remedy}`).startsWith(line)).toBe(true)
  })
})

function errorOf(text: string): HclError {
  try {
    parseHcl(text)
  } catch (error) {
    if (error instanceof HclError) return error
    throw error
  }
  throw new Error('it was read')
}
