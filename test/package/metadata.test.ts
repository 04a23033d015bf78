import { readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { isFull } from '../suites.ts'
import { usePacked } from '../support/consumer.ts'

const packed = usePacked()

describe('the manifest of the package', () => {
  it('installs nothing that it cannot do without: what it loads is bundled', () => {
    const { peerDependencies, peerDependenciesMeta } = manifest
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('optionalDependencies')
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies))
    expect(Object.values(peerDependenciesMeta)).toEqual(
      Object.keys(peerDependencies).map(() => ({ optional: true })),
    )
  })

  it('says where the project is and what it is about', () => {
    expect(manifest).toMatchObject({
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:/),
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:/) },
    })
    expect(manifest.keywords).toContain('feature-flags')
  })

  it('leaves publint nothing to suggest', async () => {
    const tarball = await readFile(packed.tarball)
    const { messages } = await publint({
      pack: { tarball: new Uint8Array(tarball).buffer },
      level: 'suggestion',
      strict: true,
    })
    expect(messages).toEqual([])
  })

  it.skipIf(!isFull())('has types that agree with its code, however it is resolved', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)))
    if (!analysis.types) throw new Error('the package has no types')
    // Every Node that we run on can `require` an ES module.
    const problems = analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')
    expect(problems).toEqual([])
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['.', './cdktf', './testing']))
  })
})
