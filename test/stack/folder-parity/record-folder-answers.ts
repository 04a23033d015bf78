import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv } from 'node:process'
import { recordText } from '../../hcl/language/recorded-answers.ts'
import { terraformFolderAnswers } from './folder-answers.ts'
import recorded from './recorded-folder-answers.json' with { type: 'json' }

// `npm run build && npx tsx test/stack/folder-parity/record-folder-answers.ts [CALL ...]` asks the real Terraform anew.
const answers = await terraformFolderAnswers([...new Set([...Object.keys(recorded), ...argv.slice(2)])])
await writeFile(join(import.meta.dirname, 'recorded-folder-answers.json'), recordText(answers))
