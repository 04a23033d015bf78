import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Prints the coverage of the last `npm run coverage` as a column of docs/decisions/12-figures-to-hold.md. */

interface Count {
  readonly total: number
  readonly covered: number
}

const root = join(import.meta.dirname, '..')
const rooms = ['core', 'targeting', 'api', 'yaml', 'terraform', 'stack']
const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
// What the json-summary reporter of istanbul writes.
const summary = JSON.parse(readFileSync(join(root, 'coverage/coverage-summary.json'), 'utf8')) as Record<
  string,
  { readonly lines: Count; readonly branches: Count }
>
const { total, ...files } = summary

console.log(`| coverage | ${commit} |\n|---|---:|`)
for (const measure of ['lines', 'branches'] as const) {
  console.log(`| ${measure}, all of src | ${percent(total ? [total[measure]] : [])} |`)
  for (const room of rooms) {
    const below = join('src', room) + sep
    const counts = Object.entries(files).filter(([path]) => relative(root, path).startsWith(below))
    console.log(`| ${measure}, ${room} | ${percent(counts.map(([, file]) => file[measure]))} |`)
  }
}

function percent(counts: readonly Count[]): string {
  const sum = (of: keyof Count) => counts.reduce((before, count) => before + count[of], 0)
  return `${((100 * sum('covered')) / sum('total')).toFixed(1)} %`
}
