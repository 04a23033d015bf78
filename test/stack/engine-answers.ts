import { isDeepStrictEqual } from 'node:util'
import {
  answersIn,
  type Kept,
  recordedAnswers,
  recordedInputs,
  recordedVariables,
} from '../hcl/language/recorded-answers.ts'
import {
  outputsOf,
  terraformAnswers,
  terraformInputs,
  variablesOf,
} from '../hcl/language/terraform-answers.ts'
import { terraformFolderAnswers } from './folder-parity/folder-answers.ts'
import folder from './folder-parity/recorded-folder-answers.json' with { type: 'json' }
import references from './recorded-references.json' with { type: 'json' }
import { refusedByTerraform } from './refused-references.ts'

type Answers = Readonly<Record<string, unknown>>

/** All that is recorded of Terraform 1.11.4, and how an engine is asked the same. */
const recorded: readonly (readonly [Answers, (asked: string[], command: string) => Promise<Answers>])[] = [
  [recordedAnswers, (asked, command) => terraformAnswers(asked, outputsOf, { command })],
  [recordedVariables, (asked, command) => terraformAnswers(asked, variablesOf, { command })],
  [recordedInputs, terraformInputs],
  // The file holds what `recordText` writes.
  [answersIn(folder as unknown as Readonly<Record<string, Kept>>), terraformFolderAnswers],
  [
    takenOrRefused([...references.refused, ...references.taken], references.refused),
    async (asked, command) => takenOrRefused(asked, await refusedByTerraform(asked, command)),
  ],
]

function takenOrRefused(asked: readonly string[], refused: readonly string[]): Answers {
  return Object.fromEntries(asked.map(each => [each, refused.includes(each) ? 'refused' : 'taken']))
}

/** What an engine answers otherwise than Terraform 1.11.4, asked some of what is recorded. A folder is another each time. */
export async function differencesOf(
  command: string,
  isAsked: (asked: string, index: number) => boolean,
): Promise<Answers> {
  const differences: [string, unknown][] = []
  for (const [before, ask] of recorded) {
    const asked = Object.keys(before).filter(
      (each, index) => !each.includes('abspath(') && isAsked(each, index),
    )
    const now = Object.entries(await ask(asked, command))
    differences.push(...now.filter(([each, answer]) => !isDeepStrictEqual(answer, before[each])))
  }
  return Object.fromEntries(differences)
}
