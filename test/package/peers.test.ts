import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { usePacked } from '../support/consumer.ts'

const packed = usePacked()
const root = join(import.meta.dirname, '../..')
// The engine has it, and it is what npm itself compares versions with.
const semver = createRequire(import.meta.resolve('cdktn'))('semver')

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}

const engines = ['cdktf', 'cdktn'] as const

describe('the peers of the package', () => {
  it.each(engines)('are as many as %s takes', async engine => {
    const { version, peerDependencies = {} } = await manifestIn(join(root, 'node_modules', engine))
    expect(semver.satisfies(version, manifest.peerDependencies[engine])).toBe(true)
    const { constructs } = peerDependencies
    expect(constructs).toMatch(/\d/)
    expect(semver.subset(constructs, manifest.peerDependencies.constructs)).toBe(true)
  })

  it('are what the page says', async () => {
    const page = await readFile(join(root, 'docs/cdktf.md'), 'utf8')
    for (const name of [...engines, 'constructs'] as const) {
      expect(page).toContain(`\`${name}\` ${manifest.peerDependencies[name]}`)
    }
  })
})

describe('the example in the package', () => {
  it('asks for versions that go together', async () => {
    const { dependencies = {} } = await manifestIn(join(packed.folder, 'examples/cdktf'))
    const { vexil, cdktn, constructs } = dependencies
    expect(semver.satisfies(manifest.version, vexil)).toBe(true)
    const { version, peerDependencies = {} } = await manifestIn(join(root, 'node_modules/cdktn'))
    expect(semver.satisfies(version, cdktn)).toBe(true)
    expect(semver.subset(constructs, peerDependencies.constructs)).toBe(true)
    expect(semver.subset(cdktn, manifest.peerDependencies.cdktn)).toBe(true)
    expect(semver.subset(constructs, manifest.peerDependencies.constructs)).toBe(true)
  })
})
