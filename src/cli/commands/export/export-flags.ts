import type { Split } from '../../../yaml/write/split-files.ts'
import type { RepositoryFlags } from '../../connection/repository-settings.ts'
import type { SessionFlags } from '../../connection/session.ts'
import type { OutputFlags } from '../../host/output/output.ts'
import type { Choice } from '../../plan/target-filter.ts'
import type { ExportLanguage } from './export-language.ts'

/** What the command line says of an export. */
export interface ExportFlags
  extends Omit<RepositoryFlags, 'env'>,
    Omit<SessionFlags, 'env'>,
    OutputFlags,
    Pick<Choice, 'owner'> {
  /** The environments; the only one where none is given. */
  readonly env?: readonly string[]
  /** Addresses, bare identities, or globs of either: what is exported; everything where none is given. */
  readonly addresses?: readonly string[]
  readonly directory?: string
  readonly kind?: readonly string[]
  readonly grants: boolean
  readonly raw?: boolean
  readonly split?: Split
  readonly language?: ExportLanguage
  /** A file with a state of Terraform; only what the service's own provider manages there is exported. */
  readonly fromState?: string
  readonly moved?: boolean
}
