import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { conflict, invalid, type Refusal } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/call.ts'
import type { FlagRow } from '../store/rows.ts'

/** Whether filters hold rules of version 2 instead of conditions, as those of projects in a trial may. [service-today 3] */
export function hasRules({ version }: JsonObject): boolean {
  return version === 2
}

/**
 * Lets a change through to a flag whose filters say a version, or refuses it.
 *
 * | the version  | what is sent, beside the flag's current version       | answer                            |
 * |--------------|--------------------------------------------------------|-----------------------------------|
 * | none, or 1   | anything                                               | as to any flag                    |
 * | any          | filters with a version                                 | 400 `reserved_config_version`     |
 * | neither 2    | anything                                               | 400 `unsupported_config_version`  |
 * | 2            | no version, or an older one                            | 400 `required`, 409               |
 * | 2            | that it is off, or deleted                             | taken                             |
 * | 2            | anything else, or to a soft-deleted one                | 400 `unsupported_config_version`  |
 */
export function checkRulesVersion({ body }: ProjectCall, flag: FlagRow): void {
  const { version: held } = flag.filters
  if (held === undefined || held === 1) return
  const { version, original_flag: _, ...sent } = body
  if (isJsonObject(sent.filters) && sent.filters.version !== undefined) throw reservedVersion()
  if (!hasRules(flag.filters)) throw unsupportedVersion()
  if (typeof version !== 'number') throw invalid('version', 'This field is required.', 'required')
  if (version !== flag.version) throw conflict('The feature flag was updated since you started editing it.')
  const isSafe = ([name, value]: readonly [string, unknown]) =>
    (name === 'active' && value === false) || (name === 'deleted' && value === true)
  if (!Object.entries(sent).every(isSafe)) throw unsupportedVersion()
}

export function reservedVersion(): Refusal {
  return invalid('filters', 'Filters may not have a version.', 'reserved_config_version')
}

export function unsupportedVersion(attr: string | null = 'filters'): Refusal {
  return invalid(
    attr,
    'This operation does not support the configuration version of this feature flag.',
    'unsupported_config_version',
  )
}
