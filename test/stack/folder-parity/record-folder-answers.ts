import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { drawn } from '../../hcl/language/drawn.ts'
import { recordText } from '../../hcl/language/recorded-answers.ts'
import { arbitraryCall, fileCalls } from './arbitrary-call.ts'
import { terraformFolderAnswers } from './folder-answers.ts'

// `npm run build && npx tsx test/stack/folder-parity/record-folder-answers.ts` asks the real Terraform anew.
const generated = fc.sample(arbitraryCall, { seed: 11, numRuns: 1500 })
const calls = [...new Set([...fileCalls, ...generated])].sort()
const answers = await terraformFolderAnswers(calls)
// Functions, the signs of patterns, and the members of filters.
const words = /[a-z_0-9:]+(?=\()|\*\*|[*?{}^!()[\]\\]|null|\bgroups\b|\bproperties\b/g
const kept = drawn(answers, 20, words)
await writeFile(join(import.meta.dirname, 'recorded-folder-answers.json'), recordText(kept))
