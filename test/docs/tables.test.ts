import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { variables } from '../../src/api/environment.ts'
import { exitCode } from '../../src/cli/host/exit-code.ts'
import { declarableKinds } from '../../src/kinds/index.ts'
import { guardRules } from '../../src/model/guard-rule.ts'
import { pluralTitle } from '../../src/model/kind.ts'
import { cli } from '../support/cli.ts'
import { pages, root } from './pages.ts'

/** The first cells of all table rows of a page. */
function firstCells(path: string): string {
  const text = pages.find(page => page.path === path)?.text ?? ''
  return Array.from(text.matchAll(/^\| (.+?) \|/gm), ([, cell = '']) => cell).join('\n')
}

describe('the tables of the pages', () => {
  it('have every command', async () => {
    const { stdout } = await cli('--help', { directory: root })
    const [listed = ''] = /^Commands:\n[\s\S]*?\n\n/m.exec(stdout) ?? []
    const commands = Array.from(listed.matchAll(/^ {2}([a-z]+)[| ][^\n]* {2,}/gm), ([, name = '']) => name)
    const cells = firstCells('docs/commands.md')
    expect(commands.length).toBeGreaterThan(15)
    expect(commands.filter(name => name !== 'help' && !new RegExp(`\`${name}\\b`).test(cells))).toEqual([])
  })

  it('have every exit code', () => {
    const cells = firstCells('docs/commands.md').split(/[\n,]/)
    const missing = Object.values(exitCode).filter(code => !cells.some(cell => cell.trim() === String(code)))
    expect(missing).toEqual([])
  })

  it('have every rule that can be allowed', () => {
    const cells = firstCells('docs/how-it-decides.md')
    expect(guardRules.filter(rule => !cells.includes(`\`${rule}\``))).toEqual([])
  })

  it('have every variable of the connection', () => {
    const cells = firstCells('docs/keys.md')
    expect(
      Object.values(variables)
        .flat()
        .filter(name => !cells.includes(`\`${name}\``)),
    ).toEqual([])
  })

  it('have every room of the source, with its coverage and in the drawing', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name)
    const measured = Array.from(firstCells('CONTRIBUTING.md').matchAll(/^`src\/(.+)`$/gm), ([, room]) => room)
    expect(measured).toEqual(rooms.sort())
    const architecture = pages.find(({ path }) => path === 'docs/architecture.md')?.text ?? ''
    const [, drawing = ''] = /^## The rooms\n\n```\n([\s\S]*?)^```$/m.exec(architecture) ?? []
    expect(rooms.filter(room => !new RegExp(`\\b${room}\\b`).test(drawing))).toEqual([])
  })

  it('have the scopes of every kind', () => {
    const cells = firstCells('docs/keys.md')
    expect(declarableKinds.map(pluralTitle).filter(title => !cells.includes(title))).toEqual([])
  })
})
