import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, targetingField } from '../../model/kind.ts'
import { valueText } from '../../targeting/describe/value-words.ts'
import { judgeRisk, type RiskFinding } from '../change.ts'
import { differenceSummary, fileSummary, newFieldSummary, removalSummary } from './field-summary.ts'
import { changedFinding, flagSummary, unnoticed } from './flag-summary.ts'
import { type ChangeSummary, shownTransition, type Transition, withoutNewTag } from './transition.ts'

/**
 * Finds the meaning of a change of one object. Pure; flags are judged by their reach, other kinds by the
 * action. Hidden values count for that, and appear in no text.
 */
export function summaryOf(kind: DeclarableKind, transition: Transition): ChangeSummary {
  const meant = meaningOf(kind, transition)
  const { redaction } = transition
  const plain = shownTransition(kind, transition)
  if (plain === transition) return meant
  const shown = meaningOf(kind, plain)
  const hidden = (text: string) => redaction?.text(text) ?? text
  const alert = meant.alert === undefined ? undefined : (shown.alert ?? hidden(meant.alert))
  const words = shown.riskReasons.map(({ rule, reason }) => ({ rule, reason }))
  const riskReasons = meant.riskReasons.map(({ rule, level, reason }) => {
    const at = words.findIndex(each => each.rule === rule)
    const [found] = at < 0 ? [] : words.splice(at, 1)
    return { rule, level, reason: found?.reason ?? hidden(reason) }
  })
  return { ...meant, riskReasons, summary: shown.summary, ...(alert === undefined ? {} : { alert }) }
}

function meaningOf(kind: DeclarableKind, whole: Transition): ChangeSummary {
  const transition = withoutNewTag(kind, whole)
  const targeting = targetingField(kind)
  if (targeting !== undefined) return flagSummary(kind, targeting, transition)
  const { action, before, after, fields, files = {}, filesBefore, risk } = transition
  if (kind.lifecycle.parent) {
    const reason = grantSummary(kind, transition)
    const rule = action === 'delete' ? 'revoked' : 'granted'
    return { summary: [reason], ...judgeRisk([{ rule, reason }], risk) }
  }
  if (action === 'delete') {
    const summary = [removalSummary(kind)]
    const reason = kind.lifecycle.files ? `its code no longer runs on events: ${summary}` : `${summary}`
    const rule = kind.lifecycle.cannotCreate ? 'deleted_unused' : 'deleted'
    return { summary, ...judgeRisk([{ rule, reason }], risk) }
  }
  const sources = fileSummary(files, filesBefore)
  if (action === 'create') {
    const given = fields.filter(name => name !== identityField(kind))
    return {
      summary: [...newFieldSummary(kind, given, after ?? {}), ...sources],
      ...judgeRisk(
        sources.length > 0
          ? [{ rule: 'source_changed', reason: 'new code that runs on events' }]
          : [{ rule: 'created', reason: 'it is new, without source files' }],
        risk,
      ),
    }
  }
  const summary = [
    ...differenceSummary(kind, fields, before ?? {}, after ?? {}, transition.rules),
    ...sources,
  ]
  const noticed = fields.filter(name => name !== kind.lifecycle.ownedBy)
  const findings: readonly RiskFinding[] = [
    ...(sources.length > 0
      ? [{ rule: 'source_changed' as const, reason: 'the code that runs on events changes' }]
      : []),
    ...changedFinding(noticed),
  ]
  return { summary, ...judgeRisk(findings.length > 0 ? findings : [unnoticed], risk) }
}

/** What a role may do after the change; without levels, it may edit. */
export function grantSummary(
  kind: DeclarableKind,
  { action, before, after }: Pick<Transition, 'action' | 'before' | 'after'>,
): string {
  const field = kind.lifecycle.levels?.field ?? ''
  const assumed = kind.fields[field]?.assumed ?? null
  const levelIn = (record: JsonObject | null) => record?.[field] ?? assumed
  const [was, becomes] = [levelIn(before), levelIn(after)]
  if (action === 'update') return `level: ${valueText(was)} -> ${valueText(becomes)}`
  if (action === 'delete') return was === assumed ? 'may no longer edit' : `loses the level ${valueText(was)}`
  return becomes === assumed ? 'may edit' : `gets the level ${valueText(becomes)}`
}
