import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { pages, root } from './pages.ts'

/** The parts of docs/service-facts.md, which comments cite: `[service-behaviour 2.6]`, `[sdk-routes 1, 3]`. */
const cited = ['service-behaviour', 'service-today', 'sdk-routes'] as const
const facts = readFileSync(join(root, 'docs/service-facts.md'), 'utf8')

interface Citation {
  readonly where: string
  readonly document: string
  readonly section: string
}

const sources = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root, ignore: 'test/docs/**' }).map(
  path => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }),
)

function citationsIn({ path, text }: { readonly path: string; readonly text: string }): Citation[] {
  // A citation may go on in the next line of a comment.
  const flowing = text.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ')
  const pattern = new RegExp(`\\[(${cited.join('|')})(?:\\.md)? ([^\\]]*)\\]`, 'g')
  return Array.from(flowing.matchAll(pattern), ([, document = '', sections = '']) =>
    (sections.split(';')[0] ?? '')
      .split(/,|\band\b/)
      .map(section => ({ where: path, document, section: section.trim() })),
  ).flat()
}

function sectionsOf(document: string): string[] {
  const heading = new RegExp(`^### ${document} (\\d+(?:\\.\\d+)*): `, 'gm')
  return Array.from(facts.matchAll(heading), ([, number = '']) => number)
}

describe('what comments and pages cite', () => {
  const citations = [...sources, ...pages].flatMap(citationsIn)

  it.each(cited)('is a section of the page: %s', document => {
    const own = citations.filter(citation => citation.document === document)
    const sections = sectionsOf(document)
    expect(own.length).toBeGreaterThan(3)
    expect(own.filter(({ section }) => !sections.includes(section))).toEqual([])
  })

  it('is nothing else: no comment cites a document that is not here', () => {
    const known = new RegExp(`^(?:${cited.join('|')})$`)
    const others = sources.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/(?:\/\/|\*).*\[([a-z]+(?:-[a-z]+)*) \d+(?:\.\d+)?\]/g), ([, name = '']) => ({
        path,
        name,
      })),
    )
    expect(others.filter(({ name }) => !known.test(name))).toEqual([])
  })
})
