import type { TerraformResource } from 'cdktf'
import { strangeNames } from '../targeting/check/check-variants.ts'
import { knownTexts, knownTruth, notA, type Reader } from './arguments/argument.ts'
import { markedForm } from './engine/engine-marks.ts'

/** The reader for the hidden parts of a flag. Terraform accepts no reference in a comment. */
export const sensitiveValues: Reader<boolean | readonly string[]> = (value, name) => {
  if (Array.isArray(value)) return knownTexts(value, name)
  if (typeof value !== 'boolean' && markedForm(value) === undefined)
    throw notA('true, false or a list of variants', value, name)
  return knownTruth(value, name)
}

/** Throws names without a payload. A flag whose filters are left to others may have any. */
export function requirePayloads(
  sensitive: boolean | readonly string[] | undefined,
  filters: { readonly [member: string]: unknown } | undefined,
): void {
  if (filters === undefined || typeof sensitive !== 'object') return
  const { payloads } = filters
  const known = typeof payloads === 'object' && payloads !== null ? payloads : {}
  const [strange] = strangeNames(sensitive, known)
  if (strange)
    throw new Error(`sensitive names ${JSON.stringify(strange.name)}, which has no payload; ${strange.hint}`)
}

/** Writes it into the stack for Vexil, as a comment that Terraform ignores. */
export function writeSensitive(
  resource: TerraformResource,
  sensitive: boolean | readonly string[] | undefined,
): void {
  if (sensitive) resource.addOverride('//.vexil.sensitive', sensitive)
}
