// The floor of starting: node, and all of our bundle that a command loads before it does anything.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const [dist, ...commands] = process.argv.slice(2)
const chunks = join(dist, 'chunks')
const wanted = readdirSync(chunks).filter(name => commands.some(command => name.startsWith(`${command}-`)))
if (wanted.length < commands.length) throw new Error(`no chunk for each of ${commands.join(', ')}`)
for (const name of wanted) await import(join(chunks, name))
