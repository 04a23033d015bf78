import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functionNames } from '../../../src/hcl/functions/call-function.ts'
import { fileFunctionNames } from '../../../src/hcl/functions/files.ts'
import { terraform } from '../../acceptance/support/binary.ts'
import { isFull } from '../../suites.ts'
import { arbitraryExpression } from './arbitrary-expression.ts'
import { arbitraryHeredoc } from './arbitrary-heredoc.ts'
import { isSameAnswer } from './fits.ts'
import { ourAnswer } from './our-answer.ts'
import { recordedAnswers as answers, answersOf } from './recorded-answers.ts'
import { type Answer, terraformAnswers } from './terraform-answers.ts'

/** Functions that look at more than their arguments: `test/stack/folder-parity` has those. */
const looksFurther = ['templatefile', 'templatestring', 'provider::']

/** Why we refuse what only Terraform can work out. */
const onlyThere: readonly string[] = [
  'YAML in this form: Flow sequence in block collection must be sufficiently indented and end with a ]',
  'YAML in this form: Missing closing "quote',
  'a member that is there twice in JSON, with values of two kinds',
  'a name without a space behind its colon in YAML',
  'a negative number',
  'a number beyond the end of the prefix',
  'a number without end',
  'a relative path is another one on every machine',
  'a result that is no finite number',
  'a value that is null',
  'such line ends in YAML',
  'the encoding "..."',
  'the letter "..."',
  'the tag tag:yaml.org,2002:int in YAML',
  'two groups of one name in a pattern',
]

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
    expect(Object.keys(answers).length).toBeGreaterThan(700)
    expect(differences(answers)).toEqual([])
  })

  it('are recorded of each function, values and refusals', () => {
    const names = functionNames.filter(
      name => !looksFurther.some(each => name.startsWith(each)) && !fileFunctionNames.includes(name),
    )
    const few = names.filter(name => {
      const { values, refusals } = answersOf(name, answers)
      return values < 2 || values + refusals < 4
    })
    expect(few).toEqual([])
  })

  it('are refused by name where only Terraform works them out', () => {
    const refused = Object.entries(answers).flatMap(([expression, answer]) =>
      verdictOf(expression, answer) === 'refused here only' ? [ourAnswer(expression)] : [],
    )
    const reasons = refused.map(answer =>
      typeof answer === 'object' && 'unsupported' in answer
        ? answer.unsupported.replace(/^function \w+\(\): /, '').replaceAll(/"[^"]*"/g, '"..."')
        : '',
    )
    expect([...new Set(reasons)].sort()).toEqual(onlyThere)
    expect(refused).toHaveLength(32)
  })

  // What they came to there is recorded, and compared above.
  describe.skipIf(!terraform || !isFull())('with the real Terraform', () => {
    it('still come to what is recorded', async () => {
      expect(await terraformAnswers(Object.keys(answers))).toEqual(answers)
    })

    it.each([
      ['of any form', arbitraryExpression],
      ['of several lines', arbitraryHeredoc],
    ])('%s come to the same', async (_, arbitrary) => {
      const some = fc.sample(arbitrary, { seed: 7, numRuns: 800 })
      const short = [...new Set(some)].filter(({ length }) => length < 400)
      expect(short.length).toBeGreaterThan(300)
      expect(differences(await terraformAnswers(short))).toEqual([])
    })
  })
})
