import type { JsonObject } from '../../../model/json/json.ts'
import {
  type DeclarableKind,
  hasTargeting,
  identityField,
  switchField,
  targetingField,
} from '../../../model/kind.ts'
import { levelOf, type RiskPolicy, risks } from '../../../model/safety/risk.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import {
  compareExposure,
  type Exposure,
  type ExposureComparison,
  type GroupTypeNumbers,
  newlyUnreachable,
  type ReleasedFlag,
  valueText,
  type Widening,
} from '../../../targeting/index.ts'
import type { Action, Change, ExposureChange } from '../../change.ts'
import { isSameField } from '../../diff.ts'
import type { ObjectRedaction } from '../../redaction.ts'
import { getsOwnershipTag, withoutOwnershipTag } from '../ownership-tag.ts'
import { fieldSummary, newFieldSummary, releaseSummary, switchSummary, whoSummary } from './field-summary.ts'
import { fileSummary } from './file-summary.ts'
import {
  changedFinding,
  createdFinding,
  fieldFindings,
  mixed,
  reachFindings,
  stepText,
  unnoticed,
} from './flag-findings.ts'
import { withNamedGroupTypes } from './named-fields.ts'
import { redrawnBy } from './redrawn.ts'
import { type JudgedRisk, judgeRisk, type RiskFinding } from './risk-reasons.ts'

/** What a change does to people: in words, as a risk and, for a flag, as a change of its reach. */
export interface ChangeSummary extends JudgedRisk {
  readonly summary: readonly string[]
  readonly exposure?: ExposureChange
  /** A widening that nobody may overlook: `everyone: 10% -> 100%`. */
  readonly alert?: string
  /** The condition that widens most, where one does. */
  readonly widest?: Widening
}

/** The whole object before and after: null where there is none. Only fields that count for people are looked at. */
interface Transition {
  readonly action: Action
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** The fields that the change touches. */
  readonly fields: readonly string[]
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** What the repository makes of each rule of risk. */
  readonly risk: RiskPolicy
  /** Source files as they will be written, and as they are where the service shows them. */
  readonly files?: NonNullable<Change['files']>
  readonly filesBefore?: Change['filesBefore']
  /** What no word may show; undefined where that is nothing. */
  readonly redaction?: ObjectRedaction | undefined
  /** What words call types of groups. */
  readonly groupTypes?: GroupTypeNumbers | undefined
  /** Whoever tells of the plan says once which objects get it. */
  readonly ownershipTag?: string | undefined
}

/**
 * Works out what a change of one object means. Pure; flags are judged by their reach, other kinds by the action. What is
 * hidden of it takes part in that, and is in no word.
 */
export function summaryOf(kind: DeclarableKind, transition: Transition): ChangeSummary {
  const meant = meaningOf(kind, transition)
  const { redaction } = transition
  const told = toldTransition(kind, transition)
  if (told === transition) return meant
  const shown = meaningOf(kind, told)
  const hidden = (text: string) => redaction?.text(text) ?? text
  const alert = meant.alert === undefined ? undefined : (shown.alert ?? hidden(meant.alert))
  const words = shown.riskReasons.map(({ rule, reason }) => ({ rule, reason }))
  const riskReasons = meant.riskReasons.map(({ rule, level, reason }) => {
    const at = words.findIndex(each => each.rule === rule)
    const [told] = at < 0 ? [] : words.splice(at, 1)
    return { rule, level, reason: told?.reason ?? hidden(reason) }
  })
  return { ...meant, riskReasons, summary: shown.summary, ...(alert === undefined ? {} : { alert }) }
}

/** What words go by: with names in place of numbers, and without what is hidden. The same one where that is all of it. */
function toldTransition(kind: DeclarableKind, transition: Transition): Transition {
  const { before, after, files, filesBefore, redaction, groupTypes } = transition
  const isNamed = groupTypes !== undefined && hasTargeting(kind)
  if (!redaction && !isNamed) return transition
  const told = (fields: JsonObject) => {
    const shown = redaction?.fields(fields) ?? fields
    return isNamed ? withNamedGroupTypes(kind, shown, groupTypes) : shown
  }
  return {
    ...transition,
    before: before && told(before),
    after: after && told(after),
    ...(files && redaction ? { files: redaction.files(files) } : {}),
    ...(filesBefore && redaction ? { filesBefore: redaction.files(filesBefore) } : {}),
  }
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
  const summary = [...wordsOf(kind, fields, before ?? {}, after ?? {}, transition.rules), ...sources]
  const noticed = fields.filter(name => name !== kind.lifecycle.ownedBy)
  const findings: readonly RiskFinding[] = [
    ...(sources.length > 0
      ? [{ rule: 'source_changed' as const, reason: 'the code that runs on events changes' }]
      : []),
    ...changedFinding(noticed),
  ]
  return { summary, ...judgeRisk(findings.length > 0 ? findings : [unnoticed], risk) }
}

/** A change as it is told: without the ownership tag that it adds. */
function withoutNewTag(kind: DeclarableKind, transition: Transition): Transition {
  const { before, after, fields, ownershipTag } = transition
  if (ownershipTag === undefined || !after || !getsOwnershipTag(kind, before ?? {}, after, ownershipTag))
    return transition
  const { ownedBy = '' } = kind.lifecycle
  const others = withoutOwnershipTag(kind, after, ownershipTag)
  const isSame = isSameField(kind, ownedBy, before?.[ownedBy] ?? null, others)
  return {
    ...transition,
    after: { ...after, [ownedBy]: others },
    fields: isSame ? fields.filter(name => name !== ownedBy) : fields,
  }
}

/** What a role may do from now on; where there are no levels, it may edit. */
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

function flagSummary(kind: DeclarableKind, targeting: string, transition: Transition): ChangeSummary {
  const { action, before, after, rules } = transition
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
      summary: [removalSummary(kind), ...served],
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
      ...redrawn.map(({ words }) => words),
      ...(transition.fields.includes(targeting) ? newlyUnreachable(was.filters, becomes.filters, rules) : []),
    ],
    ...judgeRisk(findings.length > 0 ? findings : [unnoticed], transition.risk),
    exposure,
    ...alertOf(compared, transition.risk),
    ...(compared.widest ? { widest: compared.widest } : {}),
  }
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
    ...wordsOf(kind, others, old, now, rules),
  ]
}

/** A new name before everything else: whoever asks for the old one is told of nothing. */
function wordsOf(
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

function removalSummary(kind: DeclarableKind): string {
  if (kind.lifecycle.softDelete) return 'soft-deleted; can be restored'
  return kind.lifecycle.cannotCreate ? `deleted; ${kind.lifecycle.cannotCreate}` : 'deleted for good'
}
