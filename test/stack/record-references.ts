import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { drawn } from '../hcl/language/drawn.ts'
import { arbitraryReference } from './arbitrary-reference.ts'
import { refusedByTerraform } from './refused-references.ts'

// `npm run build && npx tsx test/stack/record-references.ts` asks the real Terraform anew.
const references = [...new Set(fc.sample(arbitraryReference, { seed: 11, numRuns: 1200 }))].sort()
const refused = await refusedByTerraform(references)
const answers = references.map(each => [each, refused.includes(each) ? 'refused' : 'taken'] as const)
const kept = drawn(Object.fromEntries(answers), 12, /\w+|\[[^\]]*\]/g)
const keptAs = (answer: string) => references.filter(each => kept[each] === answer)
const file = join(import.meta.dirname, 'recorded-references.json')
await writeFile(file, `${JSON.stringify({ refused: keptAs('refused'), taken: keptAs('taken') }, null, 2)}\n`)
