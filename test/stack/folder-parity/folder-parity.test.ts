import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileFunctionNames } from '../../../src/hcl/functions/files.ts'
import { providerFunctions } from '../../../src/stack/evaluate/stack-scope.ts'
import { isOlderThan, terraform } from '../../acceptance/support/binary.ts'
import { isSameAnswer } from '../../hcl/language/fits.ts'
import type { OurAnswer } from '../../hcl/language/our-answer.ts'
import { answersIn, answersOf, type Kept } from '../../hcl/language/recorded-answers.ts'
import type { Answer } from '../../hcl/language/terraform-answers.ts'
import { isFull } from '../../suites.ts'
import { inFolder } from '../../support/folder.ts'
import { arbitraryCall } from './arbitrary-call.ts'
import { folderFiles } from './folder.ts'
import { ourFolderAnswer, terraformFolderAnswers } from './folder-answers.ts'
import recorded from './recorded-folder-answers.json' with { type: 'json' }

// The file holds what `recordText` writes.
const answers = answersIn(recorded as unknown as Readonly<Record<string, Kept>>)

/** What Terraform works out and we refuse by name: patterns that the library reads otherwise, and what is no text. */
const reasons =
  /^function fileset\(\): (?:Vexil does not support the pattern ".*"|the folder ".*" has|the pattern is in ".*", which is a file|Terraform may not match|".*" is not a valid pattern|".*" is outside the folder of the stack$)/

interface Difference {
  readonly expression: string
  readonly ours: OurAnswer
  readonly theirs: Answer
}

/** Where they differ, and what is refused here by name alone. */
async function compare(theirs: Readonly<Record<string, Answer>>) {
  return inFolder(folderFiles, async folder => {
    const differences: Difference[] = []
    const refused: string[] = []
    for (const [expression, answer] of Object.entries(theirs)) {
      const ours = ourFolderAnswer(expression, folder, 'Terraform')
      if (typeof ours === 'object' && 'unsupported' in ours) {
        if (answer !== 'refused') refused.push(ours.unsupported)
      } else if (!isSameAnswer(ours, answer)) differences.push({ expression, ours, theirs: answer })
    }
    return { differences, refused }
  })
}

describe('calls that look at files, templates or filters', () => {
  let first: ReturnType<typeof compare> | undefined
  const compared = () => {
    first ??= compare(answers)
    return first
  }

  it('come to what they come to in Terraform, value and type', async () => {
    expect(Object.keys(answers).length).toBeGreaterThan(150)
    expect((await compared()).differences).toEqual([])
  })

  it('are refused by name where only Terraform works them out', async () => {
    const { refused } = await compared()
    expect(refused.filter(each => !reasons.test(each))).toEqual([])
    expect(refused.length).toBeLessThan(Object.keys(answers).length / 5)
  })

  it('are recorded of each function, values and refusals', () => {
    const names = [...fileFunctionNames, 'templatefile', 'templatestring', ...Object.keys(providerFunctions)]
    const few = names.filter(name => {
      const { values, refusals } = answersOf(name, answers)
      return Math.min(values, refusals) < 3
    })
    expect(few).toEqual([])
  })

  // Without functions of providers and `templatestring`, the configuration itself is refused.
  it.skipIf(!isFull() || !terraform || isOlderThan('1.9'))(
    'of any form come to the same with the real Terraform',
    async () => {
      const some = [...new Set(fc.sample(arbitraryCall, { seed: 7, numRuns: 300 }))]
      expect(some.length).toBeGreaterThan(200)
      expect((await compare(await terraformFolderAnswers(some))).differences).toEqual([])
    },
  )
})
