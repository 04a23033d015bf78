import type { JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, hasTargeting, identityField } from '../../../model/kind.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { valueText } from '../../../targeting/index.ts'
import { fieldSummary } from './field-summary.ts'

/** What differs, a new name before everything else: whoever asks for the old one is told of nothing. */
export function differenceSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  before: JsonObject,
  after: JsonObject,
  rules: EvaluationRules,
): string[] {
  const name = identityField(kind)
  const others = fieldSummary(
    kind,
    fields.filter(field => field !== name),
    before,
    after,
    rules,
  )
  if (!fields.includes(name)) return others
  const [was, becomes] = [valueText(before[name] ?? null), valueText(after[name] ?? null)]
  const lost = hasTargeting(kind) ? `: code that asks for ${was} no longer gets it` : ''
  return [`renamed to ${becomes}${lost}`, ...others]
}

/** What becomes of what is deleted. */
export function removalSummary(kind: DeclarableKind): string {
  if (kind.lifecycle.softDelete) return 'soft-deleted; can be restored'
  return kind.lifecycle.cannotCreate ? `deleted; ${kind.lifecycle.cannotCreate}` : 'deleted for good'
}
