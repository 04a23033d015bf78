import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './pages.ts'

const page = readFileSync(join(root, 'test/docs/sixty-faults.md'), 'utf8')
const rows = Array.from(
  page.matchAll(/^\| \d+ \| (.+) \| `(.+)` \| (.+) \|$/gm),
  ([, fault, file, title]) => ({
    fault: fault as string,
    file: join(root, file as string),
    titles: (title as string).split(' > '),
  }),
)

it('sixty different faults each have a test that is there', () => {
  const missing = rows.filter(({ file, titles }) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return !titles.every(title => ["'", '"', '`'].some(quote => text.includes(quote + title + quote)))
  })
  expect(missing).toEqual([])
  expect(rows.length).toBeGreaterThanOrEqual(60)
  expect(new Set(rows.map(({ fault }) => fault)).size).toBe(rows.length)
})
