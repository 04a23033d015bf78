import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { printFigures } from './print-figures.ts'
import { measure, medianOf } from './process.ts'

const dist = join(import.meta.dirname, '../../dist')
const engines = Object.keys(manifest.peerDependencies).filter(name => name.startsWith('cdkt'))

/** What the constructs add to the package, and to the start of a program that uses them, for each engine. */
export async function benchConstructs(): Promise<void> {
  for (const engine of engines) {
    const generated = (await readdir(join(dist, engine), { withFileTypes: true }))
      .filter(each => each.isDirectory() && each.name !== 'types')
      .map(({ name }) => join(engine, name))
    const { stdout } = await medianOf(9, () =>
      measure([join(import.meta.dirname, 'import-constructs.js'), engine]),
    )
    const importMs = JSON.parse(stdout) as { engine: number; constructs: number }
    printFigures(`vexil/${engine}`, {
      'packed KB': await packedKb([engine]),
      'of it generated': await packedKb(generated),
      'import ms': importMs.engine + importMs.constructs,
      'of it ours': importMs.constructs,
    })
  }
}

/** How large folders of what is built are as npm packs them. */
async function packedKb(folders: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)('tar', ['-cz', '-C', dist, ...folders], {
    encoding: 'buffer',
    maxBuffer: 100_000_000,
  })
  return stdout.length / 1024
}
