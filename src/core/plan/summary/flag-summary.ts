import type { JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, identityField, switchField, targetingField } from '../../../model/kind.ts'
import { levelOf, type RiskPolicy, risks } from '../../../model/safety/risk.ts'
import { lostWithKey } from '../../../targeting/filter-parts.ts'
import {
  compareExposure,
  type Exposure,
  type ExposureComparison,
  newlyUnreachable,
  type ReleasedFlag,
} from '../../../targeting/index.ts'
import type { ExposureChange } from '../../change.ts'
import { lossByDeletion, lossByRename } from '../../uses.ts'
import { fieldSummary, newFieldSummary, releaseSummary, switchSummary, whoSummary } from './field-summary.ts'
import { createdFinding, fieldFindings, mixed, reachFindings, stepText, unnoticed } from './flag-findings.ts'
import { differenceSummary, removalSummary } from './object-summary.ts'
import { areDrawn, redrawnBy } from './redrawn.ts'
import { judgeRisk, type RiskFinding } from './risk-reasons.ts'
import type { ChangeSummary, Transition } from './transition.ts'

/** What a change of a flag means: it is judged by whom it reaches. */
export function flagSummary(kind: DeclarableKind, targeting: string, transition: Transition): ChangeSummary {
  const { action, before, after, rules, lost = lostWithKey(before?.[targeting] ?? null) } = transition
  const released = releaseReader(kind, targeting)
  const [was, becomes] = [released(before, action === 'restore'), released(after, action === 'delete')]
  const compared = compareExposure(was, becomes, rules)
  const redrawn = redrawnBy(kind, transition, [was, becomes])
  const isMixed = redrawn.some(({ isOfEverybody }) => isOfEverybody)
  const exposure: ExposureChange = {
    before: compared.before.maxPercent,
    after: compared.after.maxPercent,
    direction: isMixed ? 'mixed' : compared.direction,
    step: compared.step,
  }
  if (action === 'create') return creation(kind, transition, becomes, { exposure, after: compared.after })
  if (action === 'delete') {
    const isServed = exposure.direction !== 'none'
    const served = isServed
      ? ['nobody gets it any more', `who had it until now: ${whoSummary(was.filters)}`]
      : ['nobody gets it today']
    const finding: RiskFinding = isServed
      ? { rule: 'deleted', reason: 'people get it, and it is deleted' }
      : { rule: 'deleted_unused', reason: 'it is deleted, and nobody gets it today' }
    return {
      summary: [removalSummary(kind), ...served, ...oneLine(lossByDeletion(lost))],
      ...judgeRisk([finding], transition.risk),
      exposure,
    }
  }
  const findings = [
    ...reachFindings({ ...compared, direction: exposure.direction }),
    ...(compared.assignmentChanges.length > 0 || isMixed
      ? [{ rule: 'reassigned' as const, reason: 'people who have it may get another value' }]
      : []),
    ...fieldFindings(kind, transition, exposure),
  ]
  return {
    summary: [
      ...changedSummary(kind, transition, was, becomes),
      ...compared.assignmentChanges,
      ...(action === 'update' && transition.fields.includes(identityField(kind))
        ? oneLine(lossByRename(kind, lost, areDrawn([was, becomes])))
        : []),
      ...redrawn.map(({ words }) => words),
      ...(transition.fields.includes(targeting)
        ? newlyUnreachable(was.filters, becomes.filters, rules, transition.redaction?.hides('values'))
        : []),
    ],
    ...judgeRisk(findings.length > 0 ? findings : [unnoticed], transition.risk),
    exposure,
    ...alertOf(compared, transition.risk),
    ...(compared.widest ? { widest: compared.widest } : {}),
  }
}

function oneLine(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}

function creation(
  kind: DeclarableKind,
  { after, fields, risk }: Transition,
  becomes: ReleasedFlag,
  reach: { readonly exposure: ExposureChange; readonly after: Exposure },
): ChangeSummary {
  const { exposure } = reach
  const targeting = targetingField(kind) ?? ''
  const isUnlimited = becomes.active && after?.[targeting] === undefined
  const unlimited = isUnlimited ? [`no \`${targeting}\` are declared, so nothing limits who gets it`] : []
  const findings: readonly RiskFinding[] = [
    ...(isUnlimited ? [{ rule: 'unlimited' as const, reason: 'nothing limits who gets it' }] : []),
    ...(exposure.direction === 'mixed' ? [mixed] : []),
    ...createdFinding(reach.after),
  ]
  return {
    summary: [
      ...unlimited,
      ...releaseSummary(becomes),
      ...newFieldSummary(kind, besidesRelease(kind, fields), after ?? {}),
    ],
    ...judgeRisk(findings.length > 0 ? findings : [unnoticed], risk),
    exposure,
  }
}

/** What comes back is said whole, as something new: nobody had it. Of everything else only what differs is said. */
function changedSummary(
  kind: DeclarableKind,
  { action, before, after, fields, rules }: Transition,
  was: ReleasedFlag,
  becomes: ReleasedFlag,
): string[] {
  const [old, now] = [before ?? {}, after ?? {}]
  if (action === 'restore') {
    return [
      'comes back from its soft delete, with the same id',
      ...releaseSummary(becomes),
      ...fieldSummary(kind, besidesRelease(kind, fields), old, now, rules),
    ]
  }
  const turned = switchField(kind) ?? ''
  const others = fields.filter(name => name !== turned)
  return [
    ...switchSummary(kind, fields, was, becomes, old[turned] ?? null),
    ...differenceSummary(kind, others, old, now, rules),
  ]
}

/** What a reviewer must see first: many more people at once, or everybody where it was not everybody. */
function alertOf(
  { widest, step, before, after }: ExposureComparison,
  policy: RiskPolicy,
): Pick<ChangeSummary, 'alert'> {
  const level = levelOf(policy, 'widened', step) ?? 'low'
  const isNewToEveryone = after.everyone && !before.everyone
  if (!widest || (risks.indexOf(level) < risks.indexOf('high') && !isNewToEveryone)) return {}
  return { alert: stepText(widest) }
}

function releaseReader(kind: DeclarableKind, targeting: string) {
  const turned = switchField(kind) ?? ''
  return (record: JsonObject | null, isGone: boolean): ReleasedFlag => {
    if (record === null) return { filters: { groups: [] }, active: false }
    return { filters: record[targeting] ?? null, active: record[turned] !== false && !isGone }
  }
}

/** The fields that the words about a flag's release do not cover. */
function besidesRelease(kind: DeclarableKind, fields: readonly string[]): string[] {
  const covered = [switchField(kind), targetingField(kind), identityField(kind)]
  return fields.filter(name => !covered.includes(name))
}
