// `npm run findings [-- NAME ...]`: runs each finding, and prints a table. Needs a network for the registries.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const verdicts = { 0: 'holds', 77: 'cannot run here' }
const wanted = process.argv.slice(2)
const names = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.sh') && file !== 'lib.sh')
  .map(file => file.slice(0, -'.sh'.length))
  .filter(name => wanted.length === 0 || wanted.includes(name))
if (names.length === 0) throw new Error(`there is no finding named ${wanted.join(', ')}`)

let changed = 0
for (const name of names) {
  const { status, stdout, stderr } = spawnSync('sh', [join(import.meta.dirname, `${name}.sh`)], {
    encoding: 'utf8',
  })
  const verdict = verdicts[status] ?? 'changed'
  console.log(`${name.padEnd(32)} ${verdict}`)
  if (status !== 0) console.log(stdout + stderr)
  if (verdict === 'changed') changed += 1
}
process.exitCode = changed > 0 ? 1 : 0
