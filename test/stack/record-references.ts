import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv } from 'node:process'
import recorded from './recorded-references.json' with { type: 'json' }
import { refusedByTerraform } from './refused-references.ts'

// `npm run build && npx tsx test/stack/record-references.ts [REFERENCE ...]` asks the real Terraform anew.
const references = [...new Set([...recorded.refused, ...recorded.taken, ...argv.slice(2)])].sort()
const refused = await refusedByTerraform(references)
const taken = references.filter(each => !refused.includes(each))
const file = join(import.meta.dirname, 'recorded-references.json')
await writeFile(file, `${JSON.stringify({ refused, taken }, null, 2)}\n`)
