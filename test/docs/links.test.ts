import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Page, pages, proseOf, root } from './pages.ts'

/** Every relative link of a page: what it leads to, from the root of the repository on, and the heading. */
function linksOf(page: Page): { path: string; heading: string | undefined }[] {
  const withoutCode = proseOf(page).replaceAll(/`[^`\n]*`/g, '')
  return Array.from(
    withoutCode.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ([, to = '', heading]) => ({
      path: to === '' ? page.path : join(dirname(page.path), to),
      heading,
    }),
  )
}

/** The anchors that a Markdown reader makes of headings: lower case, hyphens for blanks, no punctuation. */
function anchorsIn(path: string): string[] {
  const text = proseOf({ path, text: readFileSync(join(root, path), 'utf8') })
  const written = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)
  const headings = Array.from(text.matchAll(/^#{1,6} (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  return [...written, ...headings]
}

/** What a page names of the repository's own files, such as `src/kinds`; a page in `examples` names its own. */
function pathsOf({ path, text }: Page): string[] {
  if (path.startsWith('examples/')) return []
  const named = text.matchAll(/(?<![\w/.-])(?:src|test|docs|schemas)\/[\w./-]*\w(?![*\w])/g)
  return [...new Set(Array.from(named, ([found]) => found))]
}

describe('the links of the pages', () => {
  it('are found', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(30)
  })

  it.each(pages.filter(page => linksOf(page).length > 0))('lead somewhere in $path', page => {
    const broken = linksOf(page).filter(({ path, heading }) => {
      if (!existsSync(join(root, path))) return true
      return (
        heading !== undefined && !(statSync(join(root, path)).isFile() && anchorsIn(path).includes(heading))
      )
    })
    expect(broken).toEqual([])
  })

  it.each(pages.filter(page => pathsOf(page).length > 0))(
    'are beside paths that are right in $path',
    page => {
      const missing = pathsOf(page).filter(
        path => !existsSync(join(root, path)) && !existsSync(join(root, `${path}.ts`)),
      )
      expect(missing).toEqual([])
    },
  )
})
