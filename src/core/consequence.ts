import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { compareExposure, describeFilterDifference, describeRelease, exposureOf } from '../targeting/index.ts'
import { type Action, type ExposureChange, greaterRisk, type Risk } from './change.ts'
import { canonicalField } from './live.ts'

/** What a change does to people: in words, as a risk and, for a flag, as a change of its reach. */
export interface Consequence {
  readonly words: readonly string[]
  readonly risk: Risk
  readonly exposure?: ExposureChange
}

/** The whole object before and after: null where there is none. Only fields that count for people are looked at. */
interface Transition {
  readonly action: Action
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** The fields that the change touches. */
  readonly fields: readonly string[]
}

/** From this step, in percentage points, a widening is a high risk. */
const highStep = 25

/** Works out what a change of one object means. Pure; flags are judged by their reach, other kinds by the action. */
export function consequenceOf(
  kind: DeclarableKind,
  transition: Transition,
  files: readonly string[],
): Consequence {
  if ('filters' in kind.fields) return flagConsequence(kind, transition)
  const { action, before, after, fields } = transition
  if (kind.lifecycle.parent)
    return { words: [action === 'delete' ? 'may no longer edit' : 'may edit'], risk: 'low' }
  if (action === 'delete')
    return { words: [removalWords(kind)], risk: kind.lifecycle.cannotCreate ? 'medium' : 'high' }
  if (action === 'create') {
    const given = fields.filter(name => name !== identityField(kind))
    return {
      words: [...given.map(name => givenWords(name, after?.[name] ?? null)), ...fileWords(files)],
      risk: 'medium',
    }
  }
  const words = [...fieldWords(kind, fields, before ?? {}, after ?? {}), ...fileWords(files)]
  const onlyLabels = files.length === 0 && fields.every(name => name === kind.lifecycle.ownedBy)
  return { words, risk: onlyLabels ? 'low' : files.length > 0 ? 'high' : 'medium' }
}

function flagConsequence(kind: DeclarableKind, { action, before, after, fields }: Transition): Consequence {
  const [was, becomes] = [releaseOf(before, action === 'revive'), releaseOf(after, action === 'delete')]
  const compared = compareExposure(was, becomes)
  const exposure: ExposureChange = {
    before: exposureOf(was).maxPercent,
    after: exposureOf(becomes).maxPercent,
    direction: compared.direction,
    step: compared.step,
  }
  if (action === 'create') {
    const isUnlimited = becomes.active && after?.filters === undefined
    const unlimited = isUnlimited ? ['no `filters` are declared, so nothing limits who gets it'] : []
    const isHigh = isUnlimited || exposure.direction === 'mixed'
    const risk = isHigh ? 'high' : exposure.after > 0 ? 'medium' : 'low'
    return {
      words: [...unlimited, ...createWords(becomes), ...newFlagWords(kind, fields, after ?? {})],
      risk,
      exposure,
    }
  }
  if (action === 'delete') {
    const isServed = exposure.direction !== 'none'
    const served = isServed ? 'nobody gets it any more' : 'nobody gets it today'
    return { words: [removalWords(kind), served], risk: isServed ? 'high' : 'medium', exposure }
  }
  // What nobody had is not compared: a flag that comes back, or is turned on, is said whole, as a new one.
  const isRisen = action === 'revive' || (becomes.active && !was.active)
  const words = isRisen
    ? [
        action === 'revive' ? 'comes back from its soft delete, with the same id' : 'active: off -> on',
        ...createWords(becomes),
        ...fieldWords(kind, besidesRelease(kind, fields), before ?? {}, after ?? {}),
      ]
    : fieldWords(kind, fields, before ?? {}, after ?? {})
  return {
    words: [...words, ...compared.assignmentChanges],
    risk: greaterRisk(
      reachRisk(exposure, exposureOf(becomes).everyone),
      compared.assignmentChanges.length > 0 ? 'high' : fieldRisk(fields),
    ),
    exposure,
  }
}

/** A widening is judged by its step; reaching everybody in one leap is the worst of them. */
function reachRisk({ direction, step, before, after }: ExposureChange, everyone: boolean): Risk {
  if (direction === 'none') return 'low'
  if (direction === 'narrower') return after === 0 && before > 0 ? 'high' : 'medium'
  if (everyone && step >= 75) return 'critical'
  return step > highStep || direction === 'mixed' ? 'high' : 'medium'
}

function fieldRisk(fields: readonly string[]): Risk {
  const harmless = new Set(['name', 'tags'])
  return fields.every(name => harmless.has(name)) ? 'low' : 'medium'
}

function releaseOf(record: JsonObject | null, isGone: boolean): { filters: Json; active: boolean } {
  if (record === null) return { filters: { groups: [] }, active: false }
  return { filters: record.filters ?? null, active: record.active !== false && !isGone }
}

function createWords({ filters, active }: { filters: Json; active: boolean }): string[] {
  return [...(active ? [] : ['inactive: nobody gets it']), ...describeRelease(filters)]
}

function newFlagWords(kind: DeclarableKind, fields: readonly string[], after: JsonObject): string[] {
  return besidesRelease(kind, fields).map(name => {
    const value = after[name] ?? null
    if (name === kind.lifecycle.ownedBy) return labelWords(kind, name, null, value)
    return givenWords(name === 'name' ? 'description' : name, value)
  })
}

/** The fields that the words about a flag's release do not cover. */
function besidesRelease(kind: DeclarableKind, fields: readonly string[]): string[] {
  const covered = ['active', 'filters', identityField(kind)]
  return fields.filter(name => !covered.includes(name)).sort(byWeight)
}

function removalWords(kind: DeclarableKind): string {
  if (kind.lifecycle.tombstone) return 'soft-deleted; can be restored'
  return kind.lifecycle.cannotCreate ? `deleted; ${kind.lifecycle.cannotCreate}` : 'deleted for good'
}

function fieldWords(
  kind: DeclarableKind,
  fields: readonly string[],
  before: JsonObject,
  after: JsonObject,
): string[] {
  return [...fields].sort(byWeight).flatMap(name => {
    const [was, becomes] = [before[name] ?? null, after[name] ?? null]
    if (name === 'filters') return describeFilterDifference(was, becomes)
    if (name === 'active')
      return [becomes === false ? 'active: on -> off, nobody gets it' : 'active: off -> on']
    if (name === kind.lifecycle.ownedBy) return [labelWords(kind, name, was, becomes)]
    if (name === 'name') return ['description changed']
    return [
      isPlain(was) && isPlain(becomes) ? `${name}: ${plain(was)} -> ${plain(becomes)}` : `${name} changed`,
    ]
  })
}

/** The reach first, then what else people notice, then labels and texts. */
function byWeight(left: string, right: string): number {
  const order = ['active', 'filters']
  const [a, b] = [order.indexOf(left), order.indexOf(right)]
  if (a !== b) return (a < 0 ? order.length : a) - (b < 0 ? order.length : b)
  return left < right ? -1 : left > right ? 1 : 0
}

function labelWords(kind: DeclarableKind, name: string, was: Json, becomes: Json): string {
  const [old, now] = [labels(canonicalField(kind, name, was)), labels(canonicalField(kind, name, becomes))]
  const added = now.filter(label => !old.includes(label)).map(label => `+${label}`)
  const removed = old.filter(label => !now.includes(label)).map(label => `-${label}`)
  return added.length + removed.length > 0 ? [name, ...added, ...removed].join(' ') : `${name}: (none)`
}

function labels(value: Json): string[] {
  return isJsonArray(value) ? value.map(String) : []
}

function givenWords(name: string, value: Json): string {
  return isPlain(value) ? `${name}: ${plain(value)}` : `${name} set`
}

function identityField({ identity }: DeclarableKind): string {
  return identity.by === 'field' ? identity.field : identity.sentAs
}

function fileWords(files: readonly string[]): string[] {
  return files.length === 0 ? [] : [`source files written: ${files.join(', ')}`]
}

function isPlain(value: Json): boolean {
  return !isJsonArray(value) && !isJsonObject(value) && String(value).length <= 60
}

function plain(value: Json): string {
  return value === null || value === '' ? '(none)' : JSON.stringify(value)
}
