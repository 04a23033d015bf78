import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { folderOfTest } from '../support/folder.ts'

const program = built('vexil.cjs')
const dist = dirname(program)

/** What a command may load before it does anything: so many files, and so many bytes. */
const budgets = [
  ['--version', [], 8, 457_500],
  ['plan', ['plan'], 26, 2_080_000],
  ['apply', ['apply'], 26, 2_080_000],
  ['validate', ['validate'], 26, 2_080_000],
  ['completion', ['completion'], 10, 465_800],
] as const

describe('the start of a command', () => {
  it.each(budgets)('loads few files and few bytes: %s', (_, commands, mostFiles, mostBytes) => {
    const files = loadedFrom([program, main(), ...commands.map(chunkOf)])
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0)
    expect(files.length).toBeLessThanOrEqual(mostFiles)
    expect(bytes).toBeLessThanOrEqual(mostBytes)
    expect(bytes, 'a budget follows what is loaded').toBeGreaterThan(mostBytes * 0.8)
  })

  it('of the library takes no more files', () => {
    expect(loadedFrom([built('index.js')]).length).toBeLessThanOrEqual(28)
  })

  it('loads what commands share and nothing that one of them has for itself', () => {
    const names = loadedFrom([program, main(), chunkOf('plan')]).map(file => relative(dist, file))
    const commands = ['apply', 'export', 'sandbox', 'drift', 'schema'].map(name => `chunks/${name}-`)
    expect(names.filter(name => commands.some(command => name.startsWith(command)))).toEqual([])
  })
})

describe('what Node compiles of a command', () => {
  const run = (home: string, env = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--version'], {
      env: { HOME: home, ...env },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const kept = (home: string) => readdirSync(home, { recursive: true, encoding: 'utf8' })

  it('is kept in the home of its user where Node can, and says nothing', async () => {
    const home = await folderOfTest({})
    const first = run(home)
    expect(first).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
    const files = kept(home)
    expect(files.at(-1)).toMatch(/^\.cache\/vexil\/compiled\/v[^/]+\/code$/)
    expect(run(home)).toEqual(first)
    expect(kept(home)).toEqual(files)
  })

  it('is not kept where Node is told so', async () => {
    const home = await folderOfTest({})
    expect(run(home, { NODE_DISABLE_COMPILE_CACHE: '1' }).status).toBe(0)
    expect(kept(home)).toEqual([])
  })
})

/** The chunk that the program begins with. Other modules that are loaded on demand have the same name. */
function main(): string {
  const named = /"(main-[A-Z0-9]{8}\.cjs)"/.exec(readFileSync(program, 'utf8'))?.[1]
  if (named === undefined) throw new Error('the program loads no "main"')
  return join(dist, 'chunks', named)
}

/** The file of a module that is loaded on demand. */
function chunkOf(name: string): string {
  const file = readdirSync(join(dist, 'chunks')).find(each =>
    new RegExp(`^${name}-[A-Z0-9]{8}\\.cjs$`).test(each),
  )
  if (file === undefined) throw new Error(`dist/chunks has nothing of "${name}"`)
  return join(dist, 'chunks', file)
}

/** These files with all that they import when they are loaded. */
function loadedFrom(files: readonly string[]): readonly string[] {
  const loaded = new Set(files)
  for (const file of loaded) for (const next of importsOf(file)) loaded.add(next)
  return [...loaded]
}

/** What the build has a chunk load later stands in a function. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(/(?:(?<!=>)\brequire\(|^import \w+ from )["'](\.\/[^"']+\.cjs)["']/gm)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}
