import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { arbitraryReference } from './arbitrary-reference.ts'
import { refusedByTerraform } from './refused-references.ts'

// `npm run build && npx tsx test/stack/record-references.ts` asks the real Terraform anew.
const references = [...new Set(fc.sample(arbitraryReference, { seed: 11, numRuns: 1200 }))].sort()
const refused = await refusedByTerraform(references)
const taken = references.filter(reference => !refused.includes(reference))
const file = join(import.meta.dirname, 'recorded-references.json')
await writeFile(file, `${JSON.stringify({ refused, taken }, null, 2)}\n`)
