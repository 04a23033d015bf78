import { providerName } from '../../schema/terraform/terraform-names.ts'
import { type Platform, platformName } from './platform.ts'

const [, type = ''] = providerName.split('/')

/**
 * Where Terraform looks for an unpacked provider below a plugin folder or a filesystem mirror. For packed ones it looks in
 * the folder that is named as the source itself.
 */
export function unpackedFolder(source: string, version: string, platform: Platform): string {
  return `${source}/${version}/${platformName(platform)}`
}

/**
 * The file that Terraform starts. It ends in `.cjs`, because below a project whose package.json says "module" a
 * script without an extension would be loaded as the wrong kind of module and die.
 */
export function executableName(version: string): string {
  return `terraform-provider-${type}_v${version}.cjs`
}

/** The same where Node is inside: nobody looks at what such a file ends in, but Windows. */
export function singleExecutableName(version: string, { os }: Platform): string {
  return `terraform-provider-${type}_v${version}${os === 'windows' ? '.exe' : ''}`
}

export function archiveName(version: string, platform: Platform): string {
  return `terraform-provider-${type}_${version}_${platformName(platform)}.zip`
}

export function checksumsName(version: string): string {
  return `terraform-provider-${type}_${version}_SHA256SUMS`
}

export function manifestName(version: string): string {
  return `terraform-provider-${type}_${version}_manifest.json`
}
