/** A platform in the words of Terraform's registry, which are Go's. */
export interface Platform {
  readonly os: string
  readonly arch: string
}

/** Where the script runs: everywhere that can execute a file by its first line. */
export const scriptPlatforms: readonly Platform[] = [
  { os: 'linux', arch: 'amd64' },
  { os: 'linux', arch: 'arm64' },
  { os: 'darwin', arch: 'amd64' },
  { os: 'darwin', arch: 'arm64' },
  { os: 'freebsd', arch: 'amd64' },
]

/** What takes an executable with Node in it, since it starts no script. */
export const windows: Platform = { os: 'windows', arch: 'amd64' }

/** Node's names for a machine, in Terraform's words. */
export function platformOf(nodePlatform: string, nodeArch: string): Platform {
  const oses: Readonly<Record<string, string>> = { win32: 'windows' }
  const arches: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', arm64: 'arm64', arm: 'arm' }
  return { os: oses[nodePlatform] ?? nodePlatform, arch: arches[nodeArch] ?? nodeArch }
}

export function platformName({ os, arch }: Platform): string {
  return `${os}_${arch}`
}
