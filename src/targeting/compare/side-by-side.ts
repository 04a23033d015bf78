import { doubleOf } from '../../hcl/json.ts'

import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { compactFilters, shownPayload, withTidyGroupTypes } from '../canonical-filters.ts'
import {
  describeCondition,
  detailsOfVariant,
  forcedVariantText,
  percentText,
  variantName,
  weightText,
} from '../describe.ts'
import { describeProperty, detailsOfCondition, word } from '../describe-condition.ts'
import { describedMembers } from '../filter-parts.ts'
import { readRelease } from '../release.ts'
import { bucketText } from '../value-words.ts'
import { type Alignment, alignConditions, alignVariants, spelledAs } from './align.ts'
import { bucketsText } from './exposure.ts'

/** One part of an object on one side. */
export interface SideCell {
  /** `condition 2`, `variant "blue"`. */
  readonly name: string
  /** Its content; empty if the name and the share show everything. */
  readonly lines: readonly string[]
  /** `25%`. */
  readonly share?: string
  /** `share` as a number from 0 to 100, if it is a number. */
  readonly percent?: number
  /** Whether the share is an upper bound, because not everybody in it gets the flag. */
  readonly isUpTo?: true
}

/** A part before and after; if one is missing, the part is new or removed. */
export interface SideRow {
  readonly before?: SideCell
  readonly after?: SideCell
  /** Whether both sides are equal, except for their position. */
  readonly isSame: boolean
  /** Whether it changed places with another part. */
  readonly isMoved?: true
}

export interface SideTable {
  readonly title: string
  readonly rows: readonly SideRow[]
}

/**
 * Two filters side by side, complete: conditions paired by the people they match, then variants, payloads and
 * the rest. Undefined means that the object does not exist.
 */
export function filtersSideBySide(before: Json | undefined, after: Json | undefined): readonly SideTable[] {
  const becomes = tidy(after)
  const was = becomes === undefined ? tidy(before) : spelled(tidy(before), becomes)
  const tables = [
    { title: 'Conditions', rows: conditionRows(was, becomes) },
    { title: 'Variants', rows: variantRows(was, becomes) },
    { title: 'Payloads', rows: memberRows(payloadsOf(was), payloadsOf(becomes)) },
    { title: 'Other settings', rows: memberRows(othersOf(was), othersOf(becomes)) },
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

export function memberRows(was: JsonObject, becomes: JsonObject): readonly SideRow[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(becomes)])].sort()
  return names.map(name => {
    const [left, right] = [was[name], becomes[name]]
    return {
      ...(left === undefined ? {} : { before: { name: word(name), lines: jsonLines(left) } }),
      ...(right === undefined ? {} : { after: { name: word(name), lines: jsonLines(right) } }),
      isSame: left !== undefined && right !== undefined && isSameJson(left, right),
    }
  })
}

function tidy(filters: Json | undefined): Json | undefined {
  if (filters === undefined) return undefined
  const compact = compactFilters(filters)
  return isJsonObject(compact) ? withTidyGroupTypes(compact) : compact
}

function spelled(filters: Json | undefined, others: Json): Json | undefined {
  return filters === undefined ? undefined : spelledAs(filters, others)
}

function conditionRows(was: Json | undefined, becomes: Json | undefined): readonly SideRow[] {
  const [before, after] = [listIn(was, 'groups'), listIn(becomes, 'groups')]
  // Such as an early exit, or a holdout.
  const isLimited = [was, becomes].some(filters => readRelease(filters ?? null).others.length > 0)
  return alignedRows(before, after, alignConditions(before, after), (condition, at) =>
    conditionCell(condition, at, isLimited),
  )
}

function conditionCell(condition: Json, at: number, isLimited: boolean): SideCell {
  const { properties = null, rollout_percentage: given = null } = isJsonObject(condition) ? condition : {}
  const percent = isEmptyJson(given) ? 100 : doubleOf(given)
  const isList = isJsonArray(properties) && properties.length > 0
  return {
    name: `condition ${at + 1}`,
    lines: [
      ...(isList ? properties.map(describeProperty) : [describeCondition(condition)]),
      ...forcedVariantText(condition),
      ...detailsOfCondition(condition).map(line => line.trimStart()),
    ],
    share: percentText(condition),
    ...(percent === undefined ? {} : { percent }),
    ...(isLimited || !isEmptyJson(properties) ? { isUpTo: true } : {}),
  }
}

function variantRows(was: Json | undefined, becomes: Json | undefined): readonly SideRow[] {
  const [before, after] = [variantsIn(was), variantsIn(becomes)]
  return alignedRows(before, after, alignVariants(before, after), variantCell)
}

function variantCell(variant: Json): SideCell {
  const percent = isJsonObject(variant) ? doubleOf(variant.rollout_percentage) : undefined
  return {
    name: variantName(variant),
    lines: detailsOfVariant(variant).map(line => line.trimStart()),
    share: weightText(variant),
    ...(percent === undefined ? {} : { percent }),
  }
}

/** The new order; a removed part follows its former predecessor. */
function alignedRows(
  before: readonly Json[],
  after: readonly Json[],
  { pairs, removed, added }: Alignment,
  cellOf: (part: Json, at: number) => SideCell,
): readonly SideRow[] {
  const [left, right] = [
    (at: number) => ({ before: cellOf(before[at] ?? null, at) }),
    (at: number) => ({ after: cellOf(after[at] ?? null, at) }),
  ]
  const kept = [
    ...pairs.map(pair => ({ ...pair, row: pairRow(pair) })),
    ...added.map(at => ({ before: undefined, after: at, row: { ...right(at), isSame: false } })),
  ].sort((one, other) => one.after - other.after)
  const rows: { readonly before: number | undefined; readonly row: SideRow }[] = [...kept]
  for (const at of removed) {
    const leader = rows.findLastIndex(row => row.before !== undefined && row.before < at)
    rows.splice(leader + 1, 0, { before: at, row: { ...left(at), isSame: false } })
  }
  return rows.map(({ row }) => row)

  function pairRow(pair: Alignment['pairs'][number]): SideRow {
    const isSame = isSameJson(before[pair.before] ?? null, after[pair.after] ?? null)
    return { ...left(pair.before), ...right(pair.after), isSame, ...(pair.isMoved ? { isMoved: true } : {}) }
  }
}

function listIn(filters: Json | undefined, name: string): readonly Json[] {
  const list = isJsonObject(filters) ? filters[name] : undefined
  return isJsonArray(list) ? list : []
}

function variantsIn(filters: Json | undefined): readonly Json[] {
  return isJsonObject(filters) ? listIn(filters.multivariate ?? null, 'variants') : []
}

function payloadsOf(filters: Json | undefined): JsonObject {
  const payloads = isJsonObject(filters) ? filters.payloads : undefined
  if (!isJsonObject(payloads)) return {}
  return Object.fromEntries(Object.entries(payloads).map(([key, payload]) => [key, shownPayload(payload)]))
}

/** Members without their own table, and members with an unexpected shape. */
function othersOf(filters: Json | undefined): JsonObject {
  if (filters === undefined) return {}
  if (!isJsonObject(filters)) return { filters }
  const { groups, multivariate = null, payloads } = filters
  const { variants, ...beside } = isJsonObject(multivariate) ? multivariate : { variants: undefined }
  const buckets = bucketsText(readRelease(filters))
  const named = Object.entries(filters).filter(([name]) => !describedMembers.includes(name))
  return Object.fromEntries([
    ...named,
    // Persons are counted by default.
    ...(['', bucketText(undefined)].includes(buckets) ? [] : [['bucketing', buckets]]),
    ...(isEmptyJson(groups) || isJsonArray(groups) ? [] : [['groups', groups ?? null]]),
    ...(isEmptyJson(multivariate) || isJsonObject(multivariate) ? [] : [['multivariate', multivariate]]),
    ...(isEmptyJson(variants) || isJsonArray(variants) ? [] : [['variants', variants ?? null]]),
    ...Object.entries(beside),
    ...(isEmptyJson(payloads) || isJsonObject(payloads) ? [] : [['payloads', payloads ?? null]]),
  ])
}

function jsonLines(value: Json): readonly string[] {
  return writeJson(value, 2).split('\n')
}
