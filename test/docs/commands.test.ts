import { describe, expect, it } from 'vitest'
import { isPlain } from '../suites.ts'
import { arrangements, commandPages, readingOf } from './arrangements.ts'
import { blocksOf } from './blocks.ts'
import { aReader } from './reader.ts'

/** A page is a whole session: the longest starts some sixty processes, beside other pages on a busy machine. */
const slowestPageMs = 300_000

/** What a newcomer types: in `npm test` these alone. */
const firstPages = ['README.md', 'docs/getting-started.md', 'examples/gitops/README.md']

describe('the commands of the pages', () => {
  it('are in known pages', () => {
    expect(commandPages.map(({ path }) => path)).toEqual(Object.keys(arrangements).sort())
  })

  it('are all run, except those with a reason', () => {
    const marked = commandPages.flatMap(page =>
      blocksOf(page).flatMap(({ marker }) => (marker === undefined ? [] : [`${page.path}: ${marker}`])),
    )
    expect(marked).toMatchInlineSnapshot(`
      [
        "CONTRIBUTING.md: not run: it builds and tests the repository itself; .ci/run does that",
        "CONTRIBUTING.md: not run: the repository has no such tag",
        "README.md: not run: it builds the repository itself; .ci/run runs the tests in a clean clone, and test/cli the demo",
        "README.md: not run: it packs the repository itself; the test installs the packed package in its place",
        "README.md: not run: it needs an account of the real service",
        "docs/cdktf.md: not run: it asks the npm registry; the test installs the packed package and its peers in its place",
        "docs/cdktf.md: not run: it asks the npm registry; by hand, it was with cdktf-cli 0.21.0, TypeScript 5.9.3, ts-node 10.9.2, jest 30.5.2 and ts-jest 29.4.15",
        "docs/cdktf.md: needs terraform",
        "docs/cdktf.md: needs terraform",
        "docs/ci.md: not run: it needs Docker; the tests run its steps in folders of their own",
        "docs/commands.md: not run: it serves until it is stopped",
        "docs/getting-started.md: not run: it builds the repository itself and changes the global folder of npm",
        "docs/getting-started.md: not run: it needs an account of the real service; the next block does the same against the sandbox",
        "docs/keys.md: not run: it needs an account of the real service",
        "docs/local-development.md: not run: it serves until it is stopped; test/browser/local-development.test.ts runs these lines",
        "docs/reports.md: not run: it asks the npm registry",
        "docs/terraform.md: not run: it asks the npm registry; the test installs the packed package in its place",
        "docs/terraform.md: needs terraform",
        "docs/terraform.md: needs terraform",
        "docs/terraform.md: needs terraform",
        "docs/terraform.md: not run: it needs a state of that provider; the tests run it with one that it has left",
        "examples/cdktf/README.md: not run: it asks the npm registry; the test installs the packed package and its peers in its place",
        "examples/cdktf/README.md: needs terraform",
        "examples/terraform/README.md: needs terraform",
        "examples/terraform/README.md: needs terraform",
        "examples/terraform/README.md: needs terraform",
      ]
    `)
  })

  it('have no block of another shell, and no marker without a block', () => {
    const shells = new Set(['bash', 'shell', 'console', 'zsh', 'fish'])
    for (const page of commandPages) {
      const blocks = blocksOf(page)
      expect(blocks.filter(({ language }) => shells.has(language))).toEqual([])
      const comments = page.text.match(/<!-- (?:not run|needs )/g) ?? []
      expect(blocks.filter(({ marker }) => marker !== undefined)).toHaveLength(comments.length)
    }
  })

  it.concurrent.each(isPlain() ? firstPages : Object.keys(arrangements))(
    'work in %s',
    async path => {
      const reader = await aReader()
      try {
        const { code, output } = await reader.run(readingOf(path))
        expect(code, output).toBe(0)
      } finally {
        await reader.leave()
      }
    },
    slowestPageMs,
  )
})
