import type { Desired } from '../../../core/desired.ts'
import { featureFlag } from '../../../kinds/feature-flag.ts'
import { objectAddress } from '../../../model/address.ts'
import type { Json } from '../../../model/json/json.ts'
import { switchField } from '../../../model/kind.ts'
import type { RepositoryFlags, RepositorySettings } from '../../connection/repository-settings.ts'
import type { Host } from '../../host/host.ts'
import { openWritten } from '../../repository/repository.ts'

/** What a repository declares of a flag in one environment, as far as its files can be read. */
export interface DeclaredFlag extends Pick<Desired, 'allow' | 'protect' | 'sensitive' | 'source'> {
  /** Whether it is declared to be on; undefined where nothing is said. */
  readonly active?: Json
}

/** Nothing of it keeps a flag from being turned off, so a file that cannot be read says nothing. */
export async function readDeclaredFlag(
  host: Host,
  flags: RepositoryFlags,
  { settingsFile }: RepositorySettings,
  key: string,
): Promise<DeclaredFlag> {
  // Any other folder may hold YAML of anybody's.
  if (settingsFile === undefined) return {}
  const address = objectAddress(featureFlag.name, key)
  const written = await openWritten(host, flags).catch(() => undefined)
  if (!written) return {}
  const { declarations, protection } = written
  const declared = declarations.desired.find(each => each.address === address)
  const protect = protection.has({ address, kind: featureFlag.name, id: declared?.id })
  const { allow, sensitive, source, fields } = declared ?? {}
  return {
    ...(allow ? { allow } : {}),
    ...(source ? { source } : {}),
    ...(protect ? { protect } : {}),
    ...(sensitive ? { sensitive } : {}),
    ...(fields ? { active: fields[switchField(featureFlag) ?? ''] } : {}),
  }
}
