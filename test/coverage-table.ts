import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Prints how many statements of each room the last `npm run coverage` ran, and at which commit, as CONTRIBUTING.md has it. */

interface Count {
  readonly total: number
  readonly covered: number
}

const root = join(import.meta.dirname, '..')
// What the json-summary reporter of istanbul writes.
const summary = JSON.parse(readFileSync(join(root, 'coverage/coverage-summary.json'), 'utf8')) as Record<
  string,
  { readonly statements: Count }
>

const rooms = new Map<string, Count>()
for (const [path, { statements }] of Object.entries(summary)) {
  const [first, room = '', ...below] = path === 'total' ? [] : relative(root, path).split(sep)
  const name = first === undefined ? 'all' : below.length > 0 ? `src/${room}` : 'src'
  const before = rooms.get(name) ?? { total: 0, covered: 0 }
  rooms.set(name, {
    total: before.total + statements.total,
    covered: before.covered + statements.covered,
  })
}

const commit = execFileSync('git', ['log', '-1', '--format=%h of %cs'], {
  cwd: root,
  encoding: 'utf8',
}).trim()
console.log(`Measured at ${commit}.\n`)
console.log('| room | statements | run |\n|---|---:|---:|')
const told = [...rooms].filter(([, { total }]) => total > 0)
for (const [name, { total, covered }] of told.sort(([one], [other]) => (one < other ? -1 : 1))) {
  console.log(
    `| ${name === 'all' ? name : `\`${name}\``} | ${total} | ${((covered / total) * 100).toFixed(1)} % |`,
  )
}
