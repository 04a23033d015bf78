import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What builds, measures and describes the sources, none of which a compiler follows. */
async function textFiles(): Promise<readonly string[]> {
  const top = await readdir(root)
  const inside = await Promise.all(
    ['docs', 'test/bench'].map(async folder =>
      (await readdir(join(root, folder), { recursive: true })).map(name => `${folder}/${name}`),
    ),
  )
  return [...top, ...inside.flat()].filter(
    name => /\.(ts|js|cjs|mjs|md)$/.test(name) && name !== 'CHANGELOG.md',
  )
}

it('names no source that is not there, where it is named as a text', async () => {
  const named = await Promise.all(
    (await textFiles()).map(async file => {
      const text = await readFile(join(root, file), 'utf8')
      const paths = [...text.matchAll(/(?<![\w./-])(?:\.\/)?(src\/[\w./-]+\.(?:ts|js|css))\b/g)]
      return paths.map(([, path = '']) => ({ file, path }))
    }),
  )
  const all = named.flat()
  expect(all.length).toBeGreaterThan(30)
  expect(all.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})
