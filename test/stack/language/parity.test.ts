import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terraform } from '../../acceptance/support/binary.ts'
import { arbitraryExpression } from './arbitrary-expression.ts'
import { expressions } from './expressions.ts'
import { isSameAnswer } from './fits.ts'
import { ourAnswer } from './our-answer.ts'
import recorded from './recorded-answers.json' with { type: 'json' }
import { type Answer, terraformAnswers } from './terraform-answers.ts'

// The file holds what `terraformAnswers` gives.
const answers = recorded as Readonly<Record<string, Answer>>

/** What Terraform can work out and we cannot, and say so. */
const onlyThere = [
  'upper("abc äö ß ﬁ")',
  'lower("İ")',
  'title("a b")',
  'format("%v", null)',
  'format("%s", null)',
  'format("a%v", null)',
  '1 / 0',
  'jsonencode([for])',
  '[for x in [1] : x]',
  '{ for = 1 }',
  '[1, 2][*]',
  '[{ a = 1 }].*.a',
  'undefined_function(1)',
]

/** Ours where they differ, with theirs; nothing where we refuse by name what only Terraform works out. */
function differences(theirs: Readonly<Record<string, Answer>>) {
  return Object.entries(theirs).flatMap(([expression, answer]) => {
    const ours = ourAnswer(expression)
    if (typeof ours === 'object' && 'unsupported' in ours) return []
    return isSameAnswer(ours, answer) ? [] : [{ expression, ours, theirs: answer }]
  })
}

describe('expressions', () => {
  it('come to what they come to in Terraform, value and type', () => {
    expect(Object.keys(answers)).toEqual([...new Set(expressions)])
    expect(differences(answers)).toEqual([])
  })

  it('are refused by name where only Terraform works them out', () => {
    const refused = expressions.filter(expression => {
      const ours = ourAnswer(expression)
      return typeof ours === 'object' && 'unsupported' in ours
    })
    expect([...new Set(refused)].sort()).toEqual([...onlyThere].sort())
  })

  it.each(['timestamp()', 'uuid()', 'file("x")', 'templatefile("x", {})', 'abspath("x")', 'plantimestamp()'])(
    'that look at more than their arguments are refused: %s',
    expression => {
      const name = expression.slice(0, expression.indexOf('('))
      expect(ourAnswer(expression)).toEqual({ unsupported: `function ${name}() is not worked out here` })
    },
  )

  describe.skipIf(!terraform)('with the real Terraform', () => {
    it('still come to what is recorded', async () => {
      expect(await terraformAnswers(expressions)).toEqual(answers)
    })

    it('of any form come to the same', async () => {
      const some = fc.sample(arbitraryExpression, { seed: 7, numRuns: 1500 })
      const short = [...new Set(some)].filter(({ length }) => length < 400)
      expect(short.length).toBeGreaterThan(300)
      expect(differences(await terraformAnswers(short))).toEqual([])
    })
  })
})
