import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv } from 'node:process'
import {
  inputsText,
  recordedAnswers,
  recordedInputs,
  recordedVariables,
  recordText,
} from './recorded-answers.ts'
import { terraformAnswers, terraformInputs, variablesOf } from './terraform-answers.ts'

// `npx tsx test/hcl/language/record-answers.ts [EXPRESSION ...]` asks the real Terraform anew, and about further expressions.
const asked = [...new Set([...Object.keys(recordedAnswers), ...argv.slice(2)])]
const variables = await terraformAnswers(Object.keys(recordedVariables), variablesOf)
const inputs = await terraformInputs(Object.keys(recordedInputs))
for (const [name, text] of [
  ['answers', recordText(await terraformAnswers(asked))],
  ['variables', recordText(variables)],
  ['inputs', inputsText(inputs)],
] as const)
  await writeFile(join(import.meta.dirname, `recorded-${name}.json`), text)
