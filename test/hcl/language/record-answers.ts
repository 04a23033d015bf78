import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { arbitraryExpression } from './arbitrary-expression.ts'
import { arbitraryInput, arbitraryVariable } from './arbitrary-variable.ts'
import { drawn } from './drawn.ts'
import { expressions } from './expressions/index.ts'
import { inputsText, recordText } from './recorded-answers.ts'
import { terraformAnswers, terraformInputs, variablesOf } from './terraform-answers.ts'

// `npx tsx test/hcl/language/record-answers.ts` asks the real Terraform anew: some minutes.
// Each function and operator of generated ones is kept some dozen times with a value, and as often refused.
const generated = fc.sample(arbitraryExpression, { seed: 11, numRuns: 9000 })
const short = generated.filter(({ length }) => length > 6 && length < 140)
const answers = await terraformAnswers([...new Set([...expressions, ...short])])
const isWritten = (expression: string) => expressions.includes(expression)
const some = Object.entries(answers).filter(
  ([expression, answer]) => !isWritten(expression) && (answer === 'refused' || answer.json.length < 300),
)
const kept = drawn(Object.fromEntries(some), 12)
const all = Object.entries(answers).filter(
  ([expression]) => isWritten(expression) || Object.hasOwn(kept, expression),
)
await writeFile(join(import.meta.dirname, 'recorded-answers.json'), recordText(Object.fromEntries(all)))

const variables = new Set(fc.sample(arbitraryVariable, { seed: 11, numRuns: 600 }))
const given = await terraformAnswers(
  [...variables].filter(({ length }) => length < 400),
  variablesOf,
)
await writeFile(join(import.meta.dirname, 'recorded-variables.json'), recordText(drawn(given, 20)))

const inputs = new Set(fc.sample(arbitraryInput, { seed: 11, numRuns: 450 }))
const taken = await terraformInputs([...inputs].filter(({ length }) => length < 400))
await writeFile(join(import.meta.dirname, 'recorded-inputs.json'), inputsText(drawn(taken, 20)))
