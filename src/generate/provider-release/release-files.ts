import { providerSources } from '../../schema/terraform/terraform-names.ts'
import { checksumsOf, type ReleaseFile, zipOf } from '../../terraform/install/archive.ts'
import { archiveName, checksumsName, manifestName } from '../../terraform/install/file-names.ts'
import type { Platform } from '../../terraform/install/platform.ts'

/** The files of a version for some platforms. */
export interface Packed {
  readonly platforms: readonly Platform[]
  readonly files: readonly ReleaseFile[]
}

/**
 * A release as registries take it: one archive per platform, their checksums and the manifest; and the same archives
 * once more where a filesystem mirror has them.
 */
export function releaseOf(packed: readonly Packed[], version: string): readonly ReleaseFile[] {
  const archives = packed.flatMap(({ platforms, files }) => {
    const archive = zipOf(files)
    return platforms.map(platform => plain(archiveName(version, platform), archive))
  })
  const manifest = plain(manifestName(version), Buffer.from(manifestContent))
  const checksums = plain(checksumsName(version), Buffer.from(checksumsOf([...archives, manifest])))
  const mirrored = providerSources.flatMap(source =>
    archives.map(({ path, bytes }) => plain(`mirror/${source}/${path}`, bytes)),
  )
  return [...archives, manifest, checksums, ...mirrored]
}

/** The protocol that the registry tells Terraform of before it downloads anything. */
export const manifestContent = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ['6.0'] } }, null, 2)}
`

function plain(path: string, bytes: Uint8Array): ReleaseFile {
  return { path, bytes, isExecutable: false }
}
