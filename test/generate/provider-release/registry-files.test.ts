import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { manifestContent, registryFiles } from '../../../src/generate/provider-release/registry-files.ts'
import { terraformDocs } from '../../../src/generate/terraform-docs.ts'
import { terraformSchema } from '../../../src/schema/terraform/terraform-schema.ts'

/*
 * What the public registry documents of a provider's repository ("Provider Documentation", "Publish Providers"): the
 * folders it reads, the lines at the head of a page, at most 1,000 pages of at most 500 KB.
 */
const folders = [
  'index.md',
  'guides',
  'resources',
  'data-sources',
  'functions',
  'ephemeral-resources',
  'list-resources',
  'actions',
]
const mostPages = 1000
const mostBytes = 500_000

const files = registryFiles(terraformDocs())
const pages = files.filter(({ path }) => path.startsWith('docs/'))
const examples = files.filter(({ path }) => path.startsWith('examples/'))
const namesIn = (folder: string) =>
  pages.flatMap(({ path }) =>
    path.startsWith(`docs/${folder}/`) ? [path.slice(`docs/${folder}/`.length, -3)] : [],
  )

describe('the repository that a registry reads', () => {
  it('has nothing but pages, examples and the manifest of the release', () => {
    expect(files.length - pages.length - examples.length).toBe(1)
    expect(files.find(({ path }) => path === 'terraform-registry-manifest.json')?.text).toBe(manifestContent)
    expect(JSON.parse(manifestContent)).toEqual({ version: 1, metadata: { protocol_versions: ['6.0'] } })
  })

  it('has its pages in the folders that are read, and a page for all that the provider has', () => {
    expect(pages.map(({ path }) => path)).toContain('docs/index.md')
    for (const { path } of pages) expect(folders).toContain(path.split('/')[1])
    const { resources, dataSources, functions } = terraformSchema()
    const withoutPrefix = (types: object) =>
      Object.keys(types)
        .map(type => type.replace(/^vexil_/, ''))
        .sort()
    expect(namesIn('resources').sort()).toEqual(withoutPrefix(resources))
    expect(namesIn('data-sources').sort()).toEqual(withoutPrefix(dataSources))
    expect(namesIn('functions').sort()).toEqual(Object.keys(functions).sort())
  })

  it('has pages that begin as they should and are small enough', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.length).toBeLessThanOrEqual(mostPages)
    for (const { path, text } of pages) {
      const [before, head = ''] = text.split(/^---$/m)
      expect([path, before]).toEqual([path, ''])
      expect(Object.keys(parse(head)).sort()).toEqual(['description', 'page_title', 'subcategory'])
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(mostBytes)
    }
  })

  it('has the example of each page as a file, and the way to import a resource', () => {
    const paths = examples.map(({ path }) => path)
    expect(paths).toContain('examples/provider/provider.tf')
    const wanted = [
      ...namesIn('resources').flatMap(name => [
        `resources/vexil_${name}/resource.tf`,
        `resources/vexil_${name}/import.sh`,
      ]),
      ...namesIn('data-sources').map(name => `data-sources/vexil_${name}/data-source.tf`),
      ...namesIn('functions').map(name => `functions/${name}/function.tf`),
    ]
    expect(paths).toEqual(expect.arrayContaining(wanted.map(path => `examples/${path}`)))
    const pagesText = pages.map(({ text }) => text).join('')
    for (const { text } of examples) expect(pagesText).toContain(`\n${text}\`\`\`\n`)
  })

  it('refuses a page where no registry looks', () => {
    expect(() => registryFiles([{ path: 'nowhere/page.md', text: '' }])).toThrow(
      'the registry has no pages in "nowhere"',
    )
  })
})
