import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import type { Change, Plan } from '../change.ts'
import { digestOf } from '../fingerprint.ts'
import { redactedPlan } from '../redacted-plan.ts'
import type { Redaction } from '../redaction.ts'
import { valuesFrom, valuesText, valuesToJson, withValues } from './change-values.ts'
import { PlanFileError, type PlanMeta, type PlanScope, planDocument, type SavedPlan } from './plan-file.ts'

/** A plan as a document and, where something of it is hidden, the text of the file that holds its values. */
export interface WrittenPlan {
  readonly document: JsonObject
  readonly values?: string
}

/** What a plan file that hides values is called, and the file beside it that holds them. */
export function valuesName(planName: string): string {
  return `${planName}.values`
}

/**
 * Writes a plan in two parts: the document, which anybody may read, and its values, which whoever applies it needs.
 *
 * | part     | holds                                                                                       |
 * |----------|---------------------------------------------------------------------------------------------|
 * | document | the plan with something in place of what is hidden, and the digest of the other part        |
 * | values   | of each change its values and fingerprint, the digests of what was declared, and the salt   |
 *
 * The digests of what is declared have no salt, since later runs compare by them: whoever knows the rest of a field could
 * try out what is hidden of it, so that they go with the values. The digest of the values tells nothing, for the salt.
 */
export function writtenPlan(
  plan: Plan,
  meta: PlanMeta,
  { redaction, scope, more = {} }: { redaction: Redaction; scope?: PlanScope; more?: JsonObject },
): WrittenPlan {
  const { parts } = redaction
  if (parts.length === 0 && !plan.changes.some(change => redaction.of(change)))
    return { document: planDocument(plan, meta, scope, more) }
  const values = sealedText({ changes: plan.changes, scope }, redaction)
  const { notTargeted = [] } = scope ?? {}
  const document = planDocument(redactedPlan(plan, redaction), meta, undefined, {
    ...(notTargeted.length > 0 ? { not_targeted: [...notTargeted] } : {}),
    redacted: { parts: [...parts], values: digestOf(values) },
    ...more,
  })
  return { document, values }
}

/** The text of the file that holds the values of a plan. */
export function sealedText(
  { changes, scope }: { readonly changes: readonly Change[]; readonly scope?: PlanScope | undefined },
  redaction: Redaction,
): string {
  const { salt = '' } = redaction
  // Tables of texts, which JSON holds as they are.
  const declared = scope?.declared as unknown as JsonObject | undefined
  const content = { salt, changes: valuesToJson(changes, redaction), ...(declared ? { declared } : {}) }
  return valuesText(content, whole => writeJson(whole, 2))
}

/** A saved plan with its values in it again. Throws a `PlanFileError` where the text is not what belongs to it. */
export function unsealed(saved: SavedPlan, text: string): SavedPlan {
  const { redacted, notTargeted = [], ...plan } = saved
  if (!redacted) return saved
  const content = digestOf(text) === redacted.values ? valuesFrom(text) : ''
  if (typeof content === 'string') {
    throw new PlanFileError('values', 'its values are those of another plan, or were edited; plan again')
  }
  const values = isJsonObject(content.changes) ? content.changes : {}
  const changes = saved.changes.map(change => withValues(change, values))
  if (!isJsonObject(content.declared)) return { ...plan, redacted, changes }
  // The digest has been checked: it is what was written.
  const declared = content.declared as unknown as PlanScope['declared']
  return { ...plan, redacted, changes, scope: { declared, notTargeted } }
}

/** Whether a text is a file of values, of whatever plan. */
export function isValuesText(text: string): boolean {
  return typeof valuesFrom(text) !== 'string'
}
