import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { releaseOf } from '../../../src/generate/provider-release/registry-files.ts'
import { version } from '../../../src/model/version.ts'
import { providerSources } from '../../../src/schema/terraform/terraform-names.ts'
import {
  archiveName,
  packageHash,
  providerFiles,
  type ReleaseFile,
  scriptPlatforms,
  zipOf,
} from '../../../src/terraform/install.ts'
import { packageRoot } from '../../support/built.ts'

const files = await providerFiles(packageRoot, version)
const release = releaseOf([{ platforms: scriptPlatforms, files }], version)

describe('the checksum of a package', () => {
  it('is what Go makes of names and contents, in the order of the names', () => {
    const sha256 = (text: string) => createHash('sha256').update(text)
    const lines = `${sha256('1').digest('hex')}  B\n${sha256('2').digest('hex')}  a\n`
    const h1 = `h1:${sha256(lines).digest('base64')}`
    const [B, a] = [
      { path: 'B', bytes: Buffer.from('1') },
      { path: 'a', bytes: Buffer.from('2') },
    ]
    expect([packageHash([B, a]), packageHash([a, B])]).toEqual([h1, h1])
  })
})

describe('one version', () => {
  it('has one content in every archive, for every platform and registry', () => {
    const archives = release.filter(({ path }) => path.endsWith('.zip'))
    const paths = scriptPlatforms.map(platform => archiveName(version, platform))
    const mirrored = providerSources.flatMap(source => paths.map(path => `mirror/${source}/${path}`))
    expect(archives.map(({ path }) => path)).toEqual([...paths, ...mirrored])
    const hashes = archives.map(({ bytes }) =>
      packageHash(Object.entries(unzipSync(bytes)).map(([path, content]) => ({ path, bytes: content }))),
    )
    expect(new Set(hashes)).toEqual(new Set([packageHash(files)]))
    expect(new Set(archives.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))).size).toBe(
      1,
    )
  })

  it('carries no compiled code, which fits one engine and one machine', () => {
    expect(files.map(({ path }) => path).filter(path => path.includes('cache'))).toEqual([])
  })

  it('is packed to the same bytes in whatever order its files come', () => {
    const turned: readonly ReleaseFile[] = [...files].reverse()
    expect(Buffer.from(zipOf(turned)).equals(release[0]!.bytes)).toBe(true)
  })

  // A process has one zone, from its start on.
  it.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns'])('is packed to the same bytes in %s', zone => {
    const script = `
      import { createHash } from 'node:crypto'
      import { zipOf } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'src/terraform/install.ts')).href)}
      const files = [{ path: 'a', bytes: Buffer.from('one'), isExecutable: true }]
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      console.log(timeZone, createHash('sha256').update(zipOf(files)).digest('hex'))`
    const env = { ...process.env, TZ: zone }
    const told = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: packageRoot,
      env,
      encoding: 'utf8',
    })
    const here = zipOf([{ path: 'a', bytes: Buffer.from('one'), isExecutable: true }])
    expect(told.trim()).toBe(`${zone} ${createHash('sha256').update(here).digest('hex')}`)
  })
})
