import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const examples = join(import.meta.dirname, '../../examples')
const [folders = '', points = ''] = readFileSync(join(examples, 'README.md'), 'utf8').split(
  '## Where to find what\n',
)

const linked = (cell: string) => Array.from(cell.matchAll(/\]\((.+?)\)/g), ([, path = '']) => path)

/** What a reader looks for, with the files that show it and what stands there. */
const rows = Array.from(
  points.matchAll(/^\| (.+?) \| (\[.+?) \| (.+?) \|$/gm),
  ([, what = '', where = '', words = '']) => ({
    what,
    files: linked(where),
    words: Array.from(words.matchAll(/`(.+?)`/g), ([, word = '']) => word),
  }),
)

it('examples/README.md names every folder of the examples', () => {
  const named = new Set(linked(folders).map(path => path.split('/')[0]))
  const there = readdirSync(examples, { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect([...named].sort()).toEqual(there.map(({ name }) => name).sort())
})

it('examples/README.md has no line that is not read here', () => {
  // The head of the table and the line below it are no rows.
  expect(rows).toHaveLength(points.split('\n').filter(line => line.startsWith('|')).length - 2)
})

it.each(rows)('the examples show $what', ({ files, words }) => {
  expect(files).not.toEqual([])
  expect(words).not.toEqual([])
  for (const file of files) {
    const text = readFileSync(join(examples, file), 'utf8')
    for (const word of words) expect(text, file).toContain(word)
  }
})
