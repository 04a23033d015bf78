// The floor of starting: node, and all of our bundle that a command loads before it does anything, compiled anew.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [dist, ...commands] = process.argv.slice(2)
const chunks = join(dist, 'chunks')
const wanted = readdirSync(chunks).filter(name => commands.some(command => name.startsWith(`${command}-`)))
if (wanted.length < commands.length) throw new Error(`no chunk for each of ${commands.join(', ')}`)
const require = createRequire(import.meta.url)
for (const name of wanted) require(join(chunks, name))
