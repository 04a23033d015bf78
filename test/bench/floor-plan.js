// The floor of a plan in one process: it starts as a plan does, asks for the list while it reads the files, keeps what it
// has read, and compares each declared field once. It checks nothing, and tells how many fields differ.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bareList } from './bare-list.js'
import { loadChunks } from './load-chunks.js'

const given = JSON.parse(process.argv[2])
loadChunks(given.dist, given.loader, given.compiled, given.chunks)
const live = new Map()
const listing = bareList(given.list, rows => {
  for (const row of rows) live.set(row.key, row)
})
const { readPlainly } = await import(given.reader)
const files = []
for (const name of readdirSync(given.flags)) {
  files.push(readPlainly(readFileSync(join(given.flags, name), 'utf8')))
  // Requests leave between turns.
  await nextTurn()
}
await listing
let different = 0
for (const { value } of files)
  for (const [key, declared] of Object.entries(value.feature_flags)) {
    const row = live.get(key)
    for (const name in declared) {
      const isSame =
        name === 'tags'
          ? same([...declared.tags].sort(), [...row.tags].sort())
          : same(declared[name], row[name])
      if (!isSame) different += 1
    }
  }
console.log(different)

function same(one, other) {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (!Array.isArray(one)) {
    for (const name in one) if (!same(one[name], other[name])) return false
    return true
  }
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) if (!same(one[index], other[index])) return false
  return true
}
