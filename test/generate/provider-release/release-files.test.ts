import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { releaseOf } from '../../../src/generate/provider-release/registry-files.ts'
import {
  archiveName,
  checksumsName,
  executableName,
  manifestName,
  platformName,
  platformOf,
  singleExecutableName,
  unpackedFolder,
} from '../../../src/terraform/install.ts'

const linux = { os: 'linux', arch: 'amd64' }
const windows = { os: 'windows', arch: 'amd64' }
const provider = [{ path: 'provider.cjs', bytes: Buffer.from('serve()\n'), isExecutable: true }]

describe('names', () => {
  it('are those that Terraform and its registries look for', () => {
    expect([
      executableName('1.2.3'),
      singleExecutableName('1.2.3', linux),
      singleExecutableName('1.2.3', windows),
      archiveName('1.2.3', linux),
      checksumsName('1.2.3'),
      manifestName('1.2.3'),
      unpackedFolder('registry.terraform.io/vexil/vexil', '1.2.3', linux),
    ]).toEqual([
      'terraform-provider-vexil_v1.2.3.cjs',
      'terraform-provider-vexil_v1.2.3',
      'terraform-provider-vexil_v1.2.3.exe',
      'terraform-provider-vexil_1.2.3_linux_amd64.zip',
      'terraform-provider-vexil_1.2.3_SHA256SUMS',
      'terraform-provider-vexil_1.2.3_manifest.json',
      'registry.terraform.io/vexil/vexil/1.2.3/linux_amd64',
    ])
  })

  it.each([
    ['linux', 'x64', 'linux_amd64'],
    ['darwin', 'arm64', 'darwin_arm64'],
    ['win32', 'x64', 'windows_amd64'],
    ['win32', 'ia32', 'windows_386'],
    ['linux', 'arm', 'linux_arm'],
    ['freebsd', 'riscv64', 'freebsd_riscv64'],
  ])('call %s on %s what Terraform calls it', (os, arch, name) => {
    expect(platformName(platformOf(os, arch))).toBe(name)
  })
})

describe('a release', () => {
  const release = releaseOf([{ platforms: [linux, windows], files: provider }], '1.2.3')
  const bytesOf = (path: string) => release.find(file => file.path === path)!.bytes

  it('has an archive per platform, what registries want beside them, and a mirror', () => {
    expect(release.map(({ path }) => path)).toEqual([
      'terraform-provider-vexil_1.2.3_linux_amd64.zip',
      'terraform-provider-vexil_1.2.3_windows_amd64.zip',
      'terraform-provider-vexil_1.2.3_manifest.json',
      'terraform-provider-vexil_1.2.3_SHA256SUMS',
      'mirror/registry.terraform.io/vexil/vexil/terraform-provider-vexil_1.2.3_linux_amd64.zip',
      'mirror/registry.terraform.io/vexil/vexil/terraform-provider-vexil_1.2.3_windows_amd64.zip',
      'mirror/registry.opentofu.org/vexil/vexil/terraform-provider-vexil_1.2.3_linux_amd64.zip',
      'mirror/registry.opentofu.org/vexil/vexil/terraform-provider-vexil_1.2.3_windows_amd64.zip',
    ])
  })

  it('has the same archive for every platform, so that one lock entry fits all', () => {
    const archives = release.filter(({ path }) => path.endsWith('.zip')).map(({ bytes }) => bytes)
    expect(archives.every(bytes => Buffer.from(bytes).equals(archives[0]!))).toBe(true)
    expect(Object.keys(unzipSync(archives[0]!))).toEqual(['provider.cjs'])
  })

  it('tells the protocol and checks everything that is downloaded', () => {
    const manifest = bytesOf('terraform-provider-vexil_1.2.3_manifest.json')
    expect(JSON.parse(Buffer.from(manifest).toString())).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    })
    const lines = Buffer.from(bytesOf('terraform-provider-vexil_1.2.3_SHA256SUMS'))
      .toString()
      .trim()
      .split('\n')
    const checked = lines.map(line => line.split('  ') as [string, string])
    expect(checked.map(([, path]) => path).sort()).toEqual([
      'terraform-provider-vexil_1.2.3_linux_amd64.zip',
      'terraform-provider-vexil_1.2.3_manifest.json',
      'terraform-provider-vexil_1.2.3_windows_amd64.zip',
    ])
    const digestOf = (path: string) => createHash('sha256').update(bytesOf(path)).digest('hex')
    expect(checked.map(([digest]) => digest)).toEqual(checked.map(([, path]) => digestOf(path)))
  })
})
