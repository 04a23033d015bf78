import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expressions } from './expressions.ts'
import { terraformAnswers } from './terraform-answers.ts'

// `npx tsx test/stack/language/record-answers.ts` asks the real Terraform anew.
const answers = await terraformAnswers(expressions)
await writeFile(join(import.meta.dirname, 'recorded-answers.json'), `${JSON.stringify(answers, null, 1)}\n`)
