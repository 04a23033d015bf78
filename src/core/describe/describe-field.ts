import { memberOfTag, tagMemberNames } from '../../model/field.ts'
import {
  type DeclarableKind,
  hasTargeting,
  identityField,
  isDescription,
  isTargeting,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import type { RiskPolicy } from '../../model/risk.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import {
  diffLines,
  type Hunk,
  hunksOf,
  hunkTitle,
  type LineEdit,
  lineSigns,
  linesOf,
  withoutEnd,
} from '../../model/text/line-diff.ts'
import { compareTexts } from '../../model/text/names.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { describeFilterDifference } from '../../targeting/compare/describe-difference.ts'
import { exposureOf, type ReleasedFlag, type Widening } from '../../targeting/compare/exposure.ts'
import { describeRelease, type GroupTypeNumbers, withGroupTypesNamed } from '../../targeting/describe.ts'
import { describeMemberDifference, describeValue } from '../../targeting/describe-condition.ts'
import { shortenPair, textStep, valueText, visible } from '../../targeting/value-words.ts'
import type { Action, Change, ExposureChange, JudgedRisk } from '../change.ts'
import { isSameField } from '../diff.ts'
import { canonicalField } from '../live.ts'
import { getsOwnershipTag, withoutOwnershipTag } from '../ownership.ts'
import type { ObjectRedaction } from '../redaction.ts'

/** Describes each changed field with its old and new value; the reach first. */
export function fieldSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  before: JsonObject,
  after: JsonObject,
  rules?: EvaluationRules,
): string[] {
  return inWeight(kind, fields).flatMap(name => {
    const [was, becomes] = [before[name] ?? null, after[name] ?? null]
    if (isTargeting(kind, name)) return describeFilterDifference(was, becomes, rules)
    if (name === kind.lifecycle.ownedBy) return tagSummary(kind, name, was, becomes)
    const words = wordsOf(kind, name)
    if (words) return [`${words(was)} -> ${words(becomes)}`]
    const title = titleOf(kind, name)
    if (typeof was === 'string' || typeof becomes === 'string')
      return [`${title}: ${textSummary(was, becomes)}`]
    if (isPlain(was) && isPlain(becomes)) return [`${title}: ${plain(was)} -> ${plain(becomes)}`]
    return describeMemberDifference(title, nothingWhereEmpty(was), nothingWhereEmpty(becomes))
  })
}

export function newFieldSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  after: JsonObject,
): string[] {
  return inWeight(kind, fields).flatMap(name => {
    const value = after[name] ?? null
    if (name === kind.lifecycle.ownedBy) return newTagSummary(kind, name, value)
    const words = wordsOf(kind, name)
    if (words) return [words(value)]
    return isPlain(value) && isNothing(value)
      ? [`${titleOf(kind, name)}: (none)`]
      : describeValue(titleOf(kind, name), value)
  })
}

export function releaseSummary({ filters, active }: ReleasedFlag): string[] {
  return [...(active ? [] : ['inactive: nobody gets it']), ...describeRelease(filters)]
}

/** Describes the effect if a flag is turned on or off, or stays off. */
export function switchSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  before: ReleasedFlag,
  after: ReleasedFlag,
  switched: Json,
): string[] {
  const turned = switchField(kind) ?? ''
  if (!before.active && after.active) {
    return [`${turned}: off -> on`, `who gets it from now on: ${whoSummary(after.filters)}`]
  }
  if (before.active && !after.active) {
    return [
      `${turned}: on -> off, nobody gets it any more`,
      `who had it until now: ${whoSummary(before.filters)}`,
    ]
  }
  if (fields.includes(turned)) return [`${turned}: ${plain(switched)} -> ${after.active ? 'on' : 'off'}`]
  const isRetargeted = fields.some(name => isTargeting(kind, name))
  return !after.active && isRetargeted ? ['inactive: nobody gets it, before and after'] : []
}

/** Describes who gets an undeclared object with the ownership tag. */
export function orphanSummary(kind: DeclarableKind, record: JsonObject): string {
  const [active, filters] = [record[switchField(kind) ?? ''], record[targetingField(kind) ?? '']]
  const who = active === false ? ': off' : filters === undefined ? '' : `: ${whoSummary(filters)}`
  return `${undeclaredSummary}${who}`
}

export const undeclaredSummary = 'not in the files, still live'

/** Who gets a flag that is on: `country is DE at 10%; everyone at 5%`. */
export function whoSummary(filters: Json): string {
  const { conditions } = exposureOf({ filters, active: true })
  if (conditions.length === 0) return 'nobody'
  const shown = conditions.slice(0, mostConditions).map(({ people, percent }) => `${people} at ${percent}%`)
  const more = conditions.length - shown.length
  return [
    ...shown,
    ...(more > 0 ? [`and ${more} more ${more === 1 ? 'condition' : 'conditions'}`] : []),
  ].join('; ')
}

const mostConditions = 5

/** Sorts fields: the reach first, then other effects, then tags and texts. */
function inWeight(kind: DeclarableKind, fields: readonly string[]): string[] {
  const order = [switchField(kind), targetingField(kind)]
  const weight = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return [...fields].sort((left, right) => weight(left) - weight(right) || compareTexts(left, right))
}

/** The readable form of a field's value, if the field has its own terms. */
function wordsOf({ fields }: DeclarableKind, name: string): ((value: Json) => string) | undefined {
  const field = fields[name]
  const words = field?.type === 'boolean' ? field.words : undefined
  return words && (value => (value === true ? words.true : words.false))
}

/** A flag's `name` holds its description. */
function titleOf(kind: DeclarableKind, name: string): string {
  return isDescription(kind, name) ? 'description' : name
}

/** Two texts, shown around their difference. */
function textSummary(was: Json, becomes: Json): string {
  if (typeof was === 'string' && typeof becomes === 'string' && was !== '' && becomes !== '')
    return textStep(was, becomes)
  return `${plain(was)} -> ${plain(becomes)}`
}

function nothingWhereEmpty(value: Json): Json {
  return isEmptyJson(value) ? null : value
}

function isPlain(value: Json): boolean {
  return !isJsonArray(value) && !isJsonObject(value)
}

function isNothing(value: Json): boolean {
  return value === null || value === ''
}

function plain(value: Json): string {
  return isNothing(value) ? '(none)' : valueText(value)
}

/** Describes the differences, a new name first: requests for the old name find nothing. */
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

export function removalSummary(kind: DeclarableKind): string {
  if (kind.lifecycle.softDelete) return 'soft-deleted; can be restored'
  return kind.lifecycle.cannotCreate ? `deleted; ${kind.lifecycle.cannotCreate}` : 'deleted for good'
}

/**
 * Describes changes of tags. Tags with a prefix such as `owner:` are shown like their declaration member,
 * `owner: payments -> growth`, if there is at most one before and after.
 */
function tagSummary(kind: DeclarableKind, name: string, was: Json, becomes: Json): string[] {
  return stepsOf(kind, name, { was, becomes }, (before, after) => `${shown(before)} -> ${shown(after)}`)
}

function newTagSummary(kind: DeclarableKind, name: string, becomes: Json): string[] {
  return stepsOf(kind, name, { was: null, becomes }, (_, after) => shown(after))
}

function stepsOf(
  kind: DeclarableKind,
  name: string,
  { was, becomes }: { readonly was: Json; readonly becomes: Json },
  words: (before: string | undefined, after: string | undefined) => string,
): string[] {
  const [old, now] = [
    elements(canonicalField(kind, name, was)),
    elements(canonicalField(kind, name, becomes)),
  ]
  const steps = tagMemberNames.flatMap(member => {
    const [before, after] = [valuesOf(member, old), valuesOf(member, now)]
    const isPlain = before.length <= 1 && after.length <= 1 && ![...before, ...after].includes('')
    if (!isPlain || before[0] === after[0]) return []
    return [{ member, words: `${member}: ${words(before[0], after[0])}` }]
  })
  const isShown = (tag: string) => steps.some(({ member }) => memberOfTag(tag)?.member === member)
  const added = now.filter(tag => !old.includes(tag) && !isShown(tag)).map(tag => `+${tag}`)
  const removed = old.filter(tag => !now.includes(tag) && !isShown(tag)).map(tag => `-${tag}`)
  const others = [...added, ...removed]
  const shown = steps.map(step => step.words)
  if (others.length > 0) return [...shown, [name, ...others].map(visible).join(' ')]
  return shown.length > 0 ? shown : [`${name}: (none)`]
}

function valuesOf(member: string, tags: readonly string[]): string[] {
  return tags.flatMap(tag => {
    const named = memberOfTag(tag)
    return named?.member === member ? [named.value] : []
  })
}

function shown(value: string | undefined): string {
  return value === undefined ? '(none)' : visible(value)
}

function elements(value: Json): string[] {
  return isJsonArray(value) ? value.map(String) : []
}

type Files = Readonly<Record<string, string | null>>

/** The largest number of lines that a file's difference shows. */
const mostLines = 24
const longestLine = 120

/**
 * Describes changes of source files: a short unified diff of each, with counts. `before` is undefined if the
 * service does not show them.
 */
export function fileSummary(files: Files, before: Files | undefined): string[] {
  return Object.keys(files)
    .sort()
    .flatMap(name => fileLines(visible(name), before, before?.[name] ?? null, files[name] ?? null))
}

function fileLines(
  name: string,
  known: Files | undefined,
  was: string | null,
  becomes: string | null,
): string[] {
  const [left, right] = [linesOf(was), linesOf(becomes)]
  if (!known) {
    return becomes === null
      ? [`source ${name} removed; the service does not show its content`]
      : [`source ${name} written: ${counted(right.length)}; the service does not show the earlier content`]
  }
  const edits = diffLines(left, right)
  if (was === null) return [`source ${name} added: ${counted(right.length)}`, ...limited(changedLines(edits))]
  if (becomes === null)
    return [`source ${name} removed: ${counted(left.length)}`, ...limited(changedLines(edits))]
  const count = (is: LineEdit['is']) => edits.filter(edit => edit.is === is).length
  const title = `source ${name} changed: ${counted(count('added'))} added, ${count('removed')} removed`
  return [title, ...limited(hunksOf(edits).flatMap(hunkLines))]
}

function hunkLines(hunk: Hunk): string[] {
  return [hunkTitle(hunk), ...changedLines(hunk.edits)]
}

/** Changed lines with their signs. Of long replaced lines, only the part that differs. */
function changedLines(edits: readonly LineEdit[]): string[] {
  const partners = partnersOf(edits)
  return edits.map(({ is, line }, at) => {
    const partner = edits[partners.get(at) ?? at]?.line ?? line
    const [shown] = shortenPair(line.replace(withoutEnd, ''), partner.replace(withoutEnd, ''), longestLine)
    const end = line.endsWith(withoutEnd) ? ', without a line end' : ''
    // Tabs stay: the renderer decides how to show them.
    const safe = shown.text.split('\t').map(visible).join('\t')
    return `${lineSigns[is]}${safe}${shown.note}${end}`
  })
}

/** Pairs removed and added lines, in order. */
function partnersOf(edits: readonly LineEdit[]): Map<number, number> {
  const partners = new Map<number, number>()
  let waiting: number[] = []
  edits.forEach(({ is }, at) => {
    if (is === 'removed') waiting.push(at)
    const partner = is === 'added' ? waiting.shift() : undefined
    if (is === 'same') waiting = []
    if (partner === undefined) return
    partners.set(at, partner)
    partners.set(partner, at)
  })
  return partners
}

function limited(lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostLines).map(line => `  ${line}`)
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `  … and ${counted(more).replace(' ', ' more ')} of this difference`]
}

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`
}

/** The effect of a change on people: summary, risk and, for a flag, the change of its reach. */
export interface ChangeSummary extends JudgedRisk {
  readonly summary: readonly string[]
  readonly exposure?: ExposureChange
  /** A widening that reviewers must notice: `everyone: 10% -> 100%`. */
  readonly alert?: string
  /** The condition that widens most, if one does. */
  readonly widest?: Widening
}

/** The whole object before and after a change; null if there is none. */
export interface Transition {
  readonly action: Action
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** The fields that the change touches. */
  readonly fields: readonly string[]
  /** What other parts of the product lose with the object or its name. */
  readonly lost?: readonly string[]
  readonly rules: EvaluationRules
  /** The level that the repository gives to each rule of risk. */
  readonly risk: RiskPolicy
  /** Source files as they will be written. */
  readonly files?: NonNullable<Change['files']>
  readonly filesBefore?: Change['filesBefore']
  readonly redaction?: ObjectRedaction | undefined
  readonly groupTypes?: GroupTypeNumbers | undefined
  readonly cohorts?: GroupTypeNumbers | undefined
  /** The ownership tag: the plan shows once which objects get it. */
  readonly ownershipTag?: string | undefined
}

/** The values for display: with names instead of numbers, and without hidden values. */
export function shownTransition(kind: DeclarableKind, transition: Transition): Transition {
  const { before, after, files, filesBefore, redaction, groupTypes, cohorts } = transition
  const isNamed = (groupTypes ?? cohorts) !== undefined && hasTargeting(kind)
  if (!redaction && !isNamed) return transition
  const visible = (fields: JsonObject) => {
    const shown = redaction?.fields(fields) ?? fields
    return isNamed ? withNamedGroupTypes(kind, shown, groupTypes, cohorts) : shown
  }
  return {
    ...transition,
    before: before && visible(before),
    after: after && visible(after),
    ...(files && redaction ? { files: redaction.files(files) } : {}),
    ...(filesBefore && redaction ? { filesBefore: redaction.files(filesBefore) } : {}),
  }
}

/** A change for display: without the ownership tag that it adds. */
export function withoutNewTag(kind: DeclarableKind, transition: Transition): Transition {
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

/** The fields of an object for display, with names of group types and cohorts instead of numbers. */
export function withNamedGroupTypes(
  kind: DeclarableKind,
  fields: JsonObject,
  groupTypes: GroupTypeNumbers = {},
  cohorts: GroupTypeNumbers = {},
): JsonObject {
  const field = targetingField(kind)
  const filters = field === undefined ? undefined : fields[field]
  if (field === undefined || filters === undefined) return fields
  return { ...fields, [field]: withGroupTypesNamed(filters, groupTypes, cohorts) }
}
