import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { describe, expect, it } from 'vitest'
import { escapeText } from '../../../src/model/text/printable.ts'
import { code, codeCell, inline, inlineCell, sentence } from '../../../src/report/markdown.ts'
import { anyText } from '../../support/any-text.ts'
import { markdownTree, nodesIn, readTexts, seenIn } from '../../support/markdown-tree.ts'

const dangerous = fc.constantFrom(
  '@octocat',
  'ada@example.com',
  '#12',
  'GH-12',
  '!7',
  '~label',
  '%"9.1"',
  'https://example.com/a?b=c',
  'www.example.com',
  '[a](https://example.com)',
  '![a](x.png)',
  '<img src=x onerror=alert(1)>',
  '<!-- x -->',
  '-->',
  '</details>',
  '`',
  '``',
  '```',
  '|',
  '\\',
  '\\|',
  '\\\\|',
  '**',
  '_',
  '~~',
  '1.',
  '-',
  '+',
  '#',
  '>',
  ':+1:',
  '$`a`$',
  '&amp;',
  '&#64;',
  '[^1]',
  '[ ]',
  '4f2c1ab',
  'deadbeefcafe1234',
  'word',
  'everyone at 10%',
  ' ',
  '  ',
  '…',
)

/** Any text as a report holds it. */
const text = fc
  .oneof(
    fc.array(fc.oneof(dangerous, anyText({ maxLength: 3 })), { maxLength: 8 }).map(parts => parts.join('')),
    fc.array(dangerous, { maxLength: 6 }).map(parts => parts.join(' ')),
    anyText({ maxLength: 40 }),
  )
  .map(escapeText)
  .filter(drawn => drawn !== '')

/** Nothing that was text has become anything else, but for code. */
const harmless = new Set<Nodes['type']>(['text', 'inlineCode'])

describe('text inside of Markdown', () => {
  it.each([
    ['in code', code],
    ['in words or code', inline],
  ])('reads as it is, and means nothing else: %s', (_, write) => {
    fc.assert(
      fc.property(text, drawn => {
        const [paragraph, ...rest] = markdownTree(`x ${write(drawn)} y`).children
        expect(rest).toEqual([])
        if (paragraph?.type !== 'paragraph') throw new Error(`a ${paragraph?.type}`)
        expect(paragraph.children.filter(({ type }) => !harmless.has(type))).toEqual([])
        expect(seenIn(paragraph)).toBe(`x ${drawn} y`)
        for (const read of readTexts(paragraph))
          expect(read).not.toMatch(/[@#!~$&^\\|_*[\]<`]|\w:|:\w|\w\.\w|-\d/)
      }),
    )
  })

  it.each([
    ['in code', codeCell],
    ['in words or code', inlineCell],
  ])('stays in its cell of a table: %s', (_, write) => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const row = `| ${write(one)} | ${write(other)} |`
        const [table, ...rest] = markdownTree(`| a | b |\n|---|---|\n${row}\n`).children
        expect(rest).toEqual([])
        if (table?.type !== 'table') throw new Error(`a ${table?.type}`)
        const cells = table.children.slice(1).flatMap(({ children }) => children)
        expect(cells.map(seenIn)).toEqual([one, other])
        for (const node of cells.flatMap(nodesIn))
          if (node.type === 'html') expect(node.value).toBe('<!-- -->')
          else expect(['tableCell', 'text', 'inlineCode']).toContain(node.type)
      }),
    )
  })

  it.each([
    ['inactive: nobody gets it', 'inactive: nobody gets it'],
    ['owner: (none) -> search', 'owner: (none) -> search'],
    ['may be edited by role @support', '`may be edited by role @support`'],
    ['closes GH-12', '`closes GH-12`'],
    ['as of 4f2c1ab', '`as of 4f2c1ab`'],
    ['condition 1  everyone', '`condition 1  everyone`'],
    ['a ` b', '``a ` b``'],
  ])('is words where it can only be read as words: %s', (given, written) => {
    expect(inline(given)).toBe(written)
  })

  it.each([
    ['remove `protect: true` first', 'remove `protect: true` first'],
    ['or --allow rollback=a.b or `allow: [x]` there', 'or `--allow rollback=a.b` or `allow: [x]` there'],
    ['ask @team (`vexil plan`), then go on', 'ask `@team` (`vexil plan`), then go on'],
    ['vexil pull a.b', '`vexil pull a.b`'],
    ['a ` b', '``a ` b``'],
    ['`a`-b', '`` `a`-b ``'],
  ])('has its commands as code, and is words beside them: %s', (given, written) => {
    expect(sentence(given)).toBe(written)
  })

  it('means nothing else with commands in it, and reads as it is', () => {
    const withoutMarks = (shown: string) => shown.replaceAll('`', '')
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            text,
            text.map(drawn => `\`${drawn}\``),
          ),
        ),
        parts => {
          const drawn = `go on ${parts.join(' ')}.`
          const [paragraph, ...rest] = markdownTree(`x ${sentence(drawn)} y`).children
          expect(rest).toEqual([])
          if (paragraph?.type !== 'paragraph') throw new Error(`a ${paragraph?.type}`)
          expect(paragraph.children.filter(({ type }) => !harmless.has(type))).toEqual([])
          if (drawn.length <= 300) expect(withoutMarks(seenIn(paragraph))).toBe(withoutMarks(`x ${drawn} y`))
          for (const read of readTexts(paragraph))
            expect(read).not.toMatch(/[@#!~$&^\\|_*[\]<`]|\w:|:\w|\w\.\w|-\d/)
        },
      ),
    )
  })

  it('is cut where it is long, and not between the halves of a character', () => {
    const shown = code('😀'.repeat(400))
    expect(shown.length).toBeLessThan(310)
    expect(shown).toMatch(/^`(?:😀)+…`$/u)
  })
})
