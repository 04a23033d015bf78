import {
  type DeclarableKind,
  identityField,
  isDescription,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { levelOf, type RiskPolicy, risks } from '../../model/risk.ts'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { compactFilters } from '../../targeting/canonical-filters.ts'
import { newlyUnreachable } from '../../targeting/check/unreachable.ts'
import {
  type ConditionReach,
  compareExposure,
  type Exposure,
  type ExposureComparison,
  exposureOf,
  isDrawn,
  type ReleasedFlag,
  type Widening,
} from '../../targeting/compare/exposure.ts'
import { lostWithKey } from '../../targeting/filter-parts.ts'
import { valueText } from '../../targeting/value-words.ts'
import { type Action, type ExposureChange, judgeRisk, type RiskFinding } from '../change.ts'
import { lossByDeletion, lossByRename, redrawnWords } from '../flag-links.ts'
import {
  type ChangeSummary,
  differenceSummary,
  fieldSummary,
  fileSummary,
  newFieldSummary,
  releaseSummary,
  removalSummary,
  shownTransition,
  switchSummary,
  type Transition,
  whoSummary,
  withoutNewTag,
} from './describe-field.ts'

/**
 * Describes a change of one object, and finds its risk: for flags by their reach, for other kinds by the
 * action. Hidden values affect the risk, but are not shown. Pure.
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

/** What a role may do after the change. Without levels, it may edit. */
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

/** Describes a change of a flag; its risk depends on the people that it reaches. */
function flagSummary(kind: DeclarableKind, targeting: string, transition: Transition): ChangeSummary {
  const { action, before, after, rules, lost = lostWithKey(before?.[targeting] ?? null) } = transition
  const released = releaseReader(kind, targeting)
  const [was, becomes] = [released(before, action === 'restore'), released(after, action === 'delete')]
  const compared = compareExposure(was, becomes, rules)
  const redrawn = redrawnBy(kind, transition, [was, becomes])
  const isMixed = redrawn.some(({ isOfEverybody }) => isOfEverybody)
  const exposure: ExposureChange = {
    before: compared.before.maxPercent,
    after: compared.after.maxPercent,
    sure: { before: compared.before.surePercent, after: compared.after.surePercent },
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

/** A restored flag is shown like a new one, because nobody had it. For others, only differences are shown. */
function changedSummary(
  kind: DeclarableKind,
  { action, before, after, fields, rules }: Transition,
  was: ReleasedFlag,
  becomes: ReleasedFlag,
): string[] {
  const [old, now] = [before ?? {}, after ?? {}]
  if (action === 'restore') {
    return [
      'restored from its soft delete, with the same id',
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

/** What reviewers must see first: a large widening, or a widening to everybody. */
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

/** The fields that the description of the release does not cover. */
function besidesRelease(kind: DeclarableKind, fields: readonly string[]): string[] {
  const covered = [switchField(kind), targetingField(kind), identityField(kind)]
  return fields.filter(name => !covered.includes(name))
}

/** From this size on, in percentage points, a widening to everybody is an alert. */
const leap = 75

const mixed: RiskFinding = {
  rule: 'mixed',
  reason: 'some people may gain it, and others may lose it',
}

export const unnoticed: RiskFinding = { rule: 'unnoticed', reason: 'everybody gets the same as before' }

function reachFindings({ direction, step, before, after, widest }: ExposureComparison): RiskFinding[] {
  if (direction === 'none') return []
  if (direction === 'narrower') {
    return after.maxPercent === 0 && before.maxPercent > 0
      ? [{ rule: 'turned_off', reason: turnedOff(before.conditions.length, before.maxPercent) }]
      : [{ rule: 'narrowed', reason: 'some people lose it' }]
  }
  return [
    ...(widest ? [{ rule: 'widened' as const, reason: stepText(widest), points: step }] : []),
    ...(after.everyone && step >= leap
      ? [{ rule: 'everyone' as const, reason: `everybody gets it from now on, ${step} points at once` }]
      : []),
    ...(direction === 'mixed' ? [mixed] : []),
  ]
}

function turnedOff(conditions: number, percent: number): string {
  const stop =
    conditions === 1
      ? `1 condition of ${percent}% stops`
      : `${conditions} conditions of up to ${percent}% stop`
  return `nobody gets it any more: ${stop}`
}

/** The risk of a new flag that somebody gets. */
function createdFinding({ conditions, maxPercent, everyone }: Exposure): RiskFinding[] {
  if (maxPercent === 0) return []
  if (everyone) return [{ rule: 'created', reason: 'it is new, and everyone gets it' }]
  const [only, ...others] = conditions
  const reason =
    only && others.length === 0
      ? `, and ${maxPercent}% of ${isForAll(only) ? 'all people' : 'the people of its condition'} get it`
      : `: ${sharesText(conditions)} get it`
  return [{ rule: 'created', reason: `it is new${reason}` }]
}

/** The largest number of conditions that are shown with their shares. */
const mostShares = 3

/**
 * `5% of everyone, and 100% of the people of condition 1`: conditions for everyone first, then the largest.
 */
function sharesText(conditions: readonly ConditionReach[]): string {
  const shown = [...conditions]
    .sort(
      (left, right) =>
        Number(isForAll(right)) - Number(isForAll(left)) ||
        right.percent - left.percent ||
        left.index - right.index,
    )
    .slice(0, mostShares)
    .map(
      one => `${one.percent}% of ${isForAll(one) ? 'everyone' : `the people of condition ${one.index + 1}`}`,
    )
  const more = conditions.length - shown.length
  const parts =
    more > 0 ? [...shown, `people of ${more} other ${more === 1 ? 'condition' : 'conditions'}`] : shown
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`
}

function isForAll({ people }: ConditionReach): boolean {
  return people === 'everyone'
}

/** The risks of changed fields, without those that the exposure already reports. */
function fieldFindings(kind: DeclarableKind, update: ReleaseUpdate, exposure: ExposureChange): RiskFinding[] {
  const { fields } = update
  const shown = [identityField(kind), kind.lifecycle.ownedBy, switchField(kind), targetingField(kind)]
  return [
    ...(fields.includes(identityField(kind))
      ? [{ rule: 'renamed' as const, reason: 'code must use another name from now on' }]
      : []),
    ...changedFinding(
      fields.filter(name => !shown.includes(name) && !isDescription(kind, name)),
      exposure.direction === 'none' ? unreachedChanges(kind, update, exposure) : [],
    ),
  ]
}

function changedFinding(fields: readonly string[], words: readonly string[] = []): RiskFinding[] {
  const names = [...fields].sort(compareTexts).join(', ')
  const all = [...words, ...(fields.length > 0 ? [`it changes ${names}`] : [])]
  return all.length === 0 ? [] : [{ rule: 'changed', reason: all.join('; ') }]
}

/** `everyone: 10% -> 60%`. */
function stepText({ people, before, after }: Widening): string {
  return `${people}: ${before}% -> ${after}%`
}

interface ReleaseUpdate {
  readonly action: Action
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly fields: readonly string[]
}

/**
 * Describes changes in the release of a flag that change who gets it for nobody.
 *
 * | changes                       | nobody has the flag         | people have it                                   |
 * |-------------------------------|-----------------------------|--------------------------------------------------|
 * | its existence: it is restored | that, and whether it is off | does not occur                                   |
 * | its switch                    | that this has no effect     | the name of the field                            |
 * | its targeting                 | that nobody gets it         | the changed part: conditions, variants, payloads |
 */
function unreachedChanges(
  kind: DeclarableKind,
  { action, before, after, fields }: ReleaseUpdate,
  exposure: ExposureChange,
): string[] {
  const [turned = '', targeting = ''] = [switchField(kind), targetingField(kind)]
  const [isTurned, isRetargeted] = [fields.includes(turned), fields.includes(targeting)]
  if (!isTurned && !isRetargeted) return []
  if (exposure.after > 0) {
    return [
      ...(isTurned ? [`it changes ${turned}`] : []),
      ...(isRetargeted ? partsOf(before?.[targeting] ?? null, after?.[targeting] ?? null) : []),
    ]
  }
  const isOn = after?.[turned] !== false
  if (action === 'restore')
    return [`it comes back${isOn ? ', and its conditions reach nobody' : ' switched off: nobody gets it'}`]
  return [
    ...(isTurned ? [`it is turned ${isOn ? 'on' : 'off'}, and its conditions reach nobody`] : []),
    ...(isRetargeted ? [`its ${targeting} change, and nobody gets it before or after`] : []),
  ]
}

const parts: Readonly<Record<string, string>> = {
  groups: 'its conditions change, and the same people get it',
  multivariate: 'its variants change',
  payloads: 'code receives other payloads',
}

function partsOf(was: Json, becomes: Json): string[] {
  const [before, after] = [was, becomes].map(filters => {
    const compact = compactFilters(filters)
    return isJsonObject(compact) ? compact : {}
  })
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return names.flatMap(name =>
    isSameJson(before?.[name] ?? null, after?.[name] ?? null)
      ? []
      : [parts[name] ?? `${name} of its filters changes`],
  )
}

export interface Redrawn {
  readonly words: string
  /** Whether all people are assigned to percentages anew. */
  readonly isOfEverybody: boolean
}

/** Changes that assign people anew to percentages or variants, if the flag has any. */
function redrawnBy(
  kind: DeclarableKind,
  { action, fields }: { readonly action: Action; readonly fields: readonly string[] },
  flags: readonly ReleasedFlag[],
): Redrawn[] {
  const redrawn = action === 'update' ? fields.flatMap(name => redrawnByField(kind, name)) : []
  return redrawn.length > 0 && areDrawn(flags) ? redrawn : []
}

/** Whether percentages or variants decide what people get, before and after. */
export function areDrawn(flags: readonly ReleasedFlag[]): boolean {
  return flags.every(flag => exposureOf(flag).conditions.length > 0) && flags.some(isDrawn)
}

function redrawnByField(kind: DeclarableKind, name: string): Redrawn[] {
  if (name === identityField(kind)) return []
  const { places } = kind.fields[name] ?? {}
  if (places === undefined) return []
  if (places === 'everybody') return [{ words: redrawnWords(name), isOfEverybody: true }]
  const words = `${name} changed: people may get a different value when they log in`
  return [{ words, isOfEverybody: false }]
}
