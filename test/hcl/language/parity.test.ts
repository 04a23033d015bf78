import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functionNames } from '../../../src/hcl/functions/call-function.ts'
import { fileFunctionNames } from '../../../src/hcl/functions/files.ts'
import { terraform } from '../../acceptance/support/binary.ts'
import { isFull } from '../../suites.ts'
import { arbitraryExpression } from './arbitrary-expression.ts'
import { expressions } from './expressions/index.ts'
import { isSameAnswer } from './fits.ts'
import { ourAnswer } from './our-answer.ts'
import { recordedAnswers as answers, answersOf } from './recorded-answers.ts'
import { type Answer, terraformAnswers } from './terraform-answers.ts'

/** What Terraform can work out and we cannot, and say so. */
const onlyThere = [
  'upper("abc äö ß ﬁ")',
  'lower("İ")',
  'title("éa ñb ßx")',
  'format("%v", null)',
  'format("%s", null)',
  'format("a%v", null)',
  'textencodebase64("h", "US-ASCII")',
  'yamldecode("!!int 5")',
  'yamldecode("[a:, b]")',
  'yamldecode("{a:}")',
  'yamldecode("a: [1,\\n2]")',
  'yamldecode("a: \\"x\\ny\\"")',
  'yamldecode("a\\u2028b")',
  'jsondecode("{\\"a\\":[{\\"b\\":null,\\"b\\":1}]}")',
  'cidrhost("::/128", 18446744073709551615)',
  'cidrsubnet("fd00::/8", 64, 1e20)',
  'regex("(?P<a>x)|(?P<a>y)", "y")',
  'can(tonumber("inf"))',
  'max("inf", 1) == 1',
  'min("inf", 1)',
  'tonumber("-Inf") < 5',
  'tonumber("inf") > 5',
  'try(tonumber("inf"), 100) == 100',
]

/** Functions that look at more than their arguments: `test/stack/folder-parity` has those. */
const looksFurther = ['templatefile', 'templatestring', 'provider::']

/** What generated expressions are refused for, by name. */
const reasons =
  /: (?:a value that is null|a negative number|a relative path is another one on every machine|a result that is no finite number|a power .*|the (?:letter|number|name|encoding) .*|"(?:&&|\|\|)" with .*)$|^a (?:division by zero|number of so many digits)$/

type Verdict = 'identical' | 'both refuse' | 'refused here only' | 'wrong'

function verdictOf(expression: string, theirs: Answer): Verdict {
  const ours = ourAnswer(expression, 'Terraform')
  if (typeof ours === 'object' && 'unsupported' in ours)
    return theirs === 'refused' ? 'both refuse' : 'refused here only'
  if (!isSameAnswer(ours, theirs)) return 'wrong'
  return theirs === 'refused' ? 'both refuse' : 'identical'
}

/** Ours where they differ, with theirs; nothing where we refuse by name what only Terraform works out. */
function differences(theirs: Readonly<Record<string, Answer>>) {
  return Object.entries(theirs)
    .filter(([expression, answer]) => verdictOf(expression, answer) === 'wrong')
    .map(([expression, answer]) => ({ expression, ours: ourAnswer(expression, 'Terraform'), theirs: answer }))
}

describe('expressions', () => {
  it('come to what they come to in Terraform, value and type', () => {
    expect(expressions.filter(expression => answers[expression] === undefined)).toEqual([])
    expect(Object.keys(answers).length).toBeGreaterThan(2000)
    expect(differences(answers)).toEqual([])
  })

  it.each(
    functionNames.filter(
      name => !looksFurther.some(each => name.startsWith(each)) && !fileFunctionNames.includes(name),
    ),
  )('are recorded of %s, values among them', name => {
    const { values, refusals } = answersOf(name, answers)
    expect(values).toBeGreaterThan(3)
    expect(values + refusals).toBeGreaterThan(6)
  })

  it('are refused by name where only Terraform works them out', () => {
    const refused = Object.entries(answers).flatMap(([expression, answer]) =>
      verdictOf(expression, answer) === 'refused here only' ? [expression] : [],
    )
    const written = refused.filter(expression => expressions.includes(expression))
    expect(written.sort()).toEqual([...onlyThere].sort())
    const generated = refused.filter(expression => !expressions.includes(expression))
    const unexplained = generated
      .map(expression => ourAnswer(expression))
      .filter(answer => {
        return !(typeof answer === 'object' && 'unsupported' in answer && reasons.test(answer.unsupported))
      })
    expect(unexplained).toEqual([])
    expect(refused.length).toBeLessThan(Object.keys(answers).length / 20)
  })

  // What they came to there is recorded, and compared above.
  describe.skipIf(!terraform || !isFull())('with the real Terraform', () => {
    it('still come to what is recorded', async () => {
      const written = Object.fromEntries(expressions.map(expression => [expression, answers[expression]]))
      expect(await terraformAnswers(expressions)).toEqual(written)
    })

    it('of any form come to the same', async () => {
      const some = fc.sample(arbitraryExpression, { seed: 7, numRuns: 800 })
      const short = [...new Set(some)].filter(({ length }) => length < 400)
      expect(short.length).toBeGreaterThan(300)
      expect(differences(await terraformAnswers(short))).toEqual([])
    })
  })
})
