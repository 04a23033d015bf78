// The floor of parsing: the same files, parsed by our reader of plain YAML alone and kept by nobody. The file that the
// reader was built into is given.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, reader] = process.argv.slice(2)
const { readPlainly } = await import(reader)
const startedAt = performance.now()
for (const name of readdirSync(folder)) {
  if (readPlainly(readFileSync(join(folder, name), 'utf8')) === undefined)
    throw new Error(`${name} is not plain`)
}
console.log(performance.now() - startedAt)
