import { providerSources } from '../../schema/terraform/terraform-names.ts'
import { checksumsOf, type ReleaseFile, zipOf } from '../../terraform/install/archive.ts'
import { archiveName, checksumsName, manifestName } from '../../terraform/install/file-names.ts'
import { type Platform, scriptPlatforms } from '../../terraform/install/platform.ts'

/**
 * A release as registries take it: one archive per platform, their checksums and the manifest; and the same archives
 * once more where a filesystem mirror has them. The files inside are the same everywhere, so one lock entry fits all.
 */
export function releaseOf(
  provider: readonly ReleaseFile[],
  version: string,
  platforms: readonly Platform[] = scriptPlatforms,
): readonly ReleaseFile[] {
  const archive = zipOf(provider)
  const archives = platforms.map(platform => plain(archiveName(version, platform), archive))
  const manifest = plain(manifestName(version), Buffer.from(`${JSON.stringify(manifestContent, null, 2)}\n`))
  const checksums = plain(checksumsName(version), Buffer.from(checksumsOf([...archives, manifest])))
  const mirrored = providerSources.flatMap(source =>
    archives.map(({ path, bytes }) => plain(`mirror/${source}/${path}`, bytes)),
  )
  return [...archives, manifest, checksums, ...mirrored]
}

/** The protocol that the registry tells Terraform of before it downloads anything. */
const manifestContent = { version: 1, metadata: { protocol_versions: ['6.0'] } }

function plain(path: string, bytes: Uint8Array): ReleaseFile {
  return { path, bytes, isExecutable: false }
}
