import { declarableKind, kindBelow } from '../kinds/index.ts'
import { withoutElsewhere } from '../model/field.ts'
import {
  type DeclarableKind,
  identityField,
  isTargeting,
  managedFields,
  objectAddress,
  switchField,
  targetingField,
} from '../model/kind.ts'
import { canonicalText, formMembers, type Json, type JsonObject } from '../model/text/json.ts'
import { compareTexts } from '../model/text/names.ts'
import { getAt, pointerOf, setAt } from '../model/text/pointer.ts'
import { describeRelease, exposureOf } from '../targeting/index.ts'
import { byAddress } from './change.ts'
import {
  type ComparedEnvironment,
  type ComparedObject,
  type ComparedRow,
  type ComparedState,
  type Comparison,
  commonGroupTypes,
  type EnvironmentDifference,
  inNumbersOf,
  type Verdict,
} from './comparison.ts'
import { grantSummary } from './describe/describe-change.ts'
import { fieldSummary, fileSummary, newFieldSummary, withNamedGroupTypes } from './describe/describe-field.ts'
import { type Declarations, type Desired, parentKey } from './desired.ts'
import { declaredFields, ignoredPlaces, isSameField } from './diff.ts'
import { canonicalManaged, type Exportable } from './live.ts'
import { ownersInTags, ownersOf } from './ownership.ts'
import type { Redaction } from './redaction.ts'

/**
 * Compares environments side by side, object by object.
 *
 * | environments have it                   | verdict                                       |
 * |----------------------------------------|-----------------------------------------------|
 * | all of them, with the same fields      | `equal`                                       |
 * | all of them, with a field that differs | `differs`                                     |
 * | some of them                           | `only`; those that have it may differ as well |
 * | none: declared absent, or not declared | `equal` if all declare it so, else `differs`  |
 *
 * Fields are equal if their canonical forms are, as in a plan. An undeclared field is a difference.
 */
export function compareEnvironments(
  environments: readonly ComparedEnvironment[],
  redaction?: Redaction,
): Comparison {
  const sides = environments.map(({ name, numbers, objects }) => ({
    name,
    numbers,
    objects: new Map(objects.map(object => [object.address, object])),
  }))
  const kinds = new Map(
    environments.flatMap(({ objects }) => objects.map(({ address, kind }) => [address, kind] as const)),
  )
  const rows = [...kinds].map(([address, kind]) => {
    const found = sides.map(({ objects, ...side }) => ({ ...side, object: objects.get(address) }))
    return rowOf(address, kind, found, redaction)
  })
  return { environments: sides.map(({ name }) => name), rows: rows.sort(byAddress) }
}

interface Found extends Pick<ComparedEnvironment, 'name' | 'numbers'> {
  readonly object: ComparedObject | undefined
}

function rowOf(
  address: string,
  kindName: string,
  found: readonly Found[],
  redaction: Redaction | undefined,
): ComparedRow {
  const kind = declarableKind(kindName)
  const present = found.flatMap(({ object, ...side }) =>
    object?.state === 'present' ? [{ ...side, object }] : [],
  )
  const [first, ...others] = present
  const differences = first
    ? others.flatMap(other => differenceBetween(kind, first, other, redaction) ?? [])
    : []
  return {
    address,
    kind: kindName,
    verdict: verdictOf(found, present.length, differences.length > 0),
    environments: Object.fromEntries(found.map(({ name, object }) => [name, stateOf(kind, object)])),
    differences,
  }
}

function verdictOf(found: readonly Found[], present: number, differ: boolean): Verdict {
  if (present > 0 && present < found.length) return 'only'
  const states = new Set(found.map(({ object }) => object?.state))
  return differ || states.size > 1 ? 'differs' : 'equal'
}

function stateOf(kind: DeclarableKind, object: ComparedObject | undefined): ComparedState {
  if (!object) return { state: 'missing', summary: '' }
  return { state: object.state, summary: object.state === 'present' ? wordOf(kind, object.fields) : '' }
}

/** The state in a word. Flag: whether it is on, and its largest percentage. Grant: its level. */
function wordOf(kind: DeclarableKind, fields: JsonObject): string {
  const level = kind.lifecycle.levels?.field
  if (level !== undefined) return String(fields[level] ?? kind.fields[level]?.assumed ?? '')
  const targeting = targetingField(kind)
  const active = fields[switchField(kind) ?? '']
  if (targeting === undefined) return ''
  if (active === false) return 'off'
  const filters = fields[targeting]
  const reach = filters === undefined ? [] : [reachWord(filters)]
  return [...(active === undefined ? [] : ['on']), ...reach].join(', ')
}

/** The share of everyone, or the largest share in a condition. */
function reachWord(filters: Json): string {
  const { conditions, maxPercent } = exposureOf({ filters, active: true })
  const isShare = conditions.every(({ people }) => people === 'everyone')
  return isShare ? `${maxPercent}%` : `at most ${maxPercent}%`
}

interface Present extends Found {
  readonly object: ComparedObject
}

/** Undefined if the two are equal. */
function differenceBetween(
  kind: DeclarableKind,
  left: Present,
  right: Present,
  redaction: Redaction | undefined,
): EnvironmentDifference | undefined {
  const before = comparable(kind, left.object)
  const written = comparable(kind, right.object)
  const renumbered = inNumbersOf(left.numbers, right.numbers, kind, written)
  const after = withIgnored(kind, renumbered, before, left.object, right.object)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter(name => {
    const [was, becomes] = [before[name], after[name]]
    return was === undefined || becomes === undefined || !isSameField(kind, name, was, becomes)
  })
  const files = differingFiles(left.object.files, right.object.files)
  if (differing.length === 0 && files.length === 0) return undefined
  const onlyIn = (fields: JsonObject, others: JsonObject) =>
    differing.filter(name => name in fields && !(name in others))
  const sensitive = left.object.sensitive ?? right.object.sensitive
  const hidden = redaction?.of({ kind: kind.name, sensitive })
  const shown = (fields: JsonObject) => hidden?.fields(fields) ?? fields
  const shownFiles = ({ object }: Present) => {
    const differ = picked(object.files ?? {}, files)
    return hidden?.files(differ) ?? differ
  }
  const [was, becomes] = [shown(before), shown(after)]
  const groupTypes = commonGroupTypes(left.numbers, right.numbers)
  const named = (fields: JsonObject) => withNamedGroupTypes(kind, fields, groupTypes)
  return {
    from: left.name,
    to: right.name,
    fields: differing,
    files,
    before: picked(was, differing),
    after: picked(shown(written), differing),
    summary: [
      ...commonSummary(
        kind,
        differing.filter(name => name in before && name in after),
        named(was),
        named(becomes),
      ),
      ...onlySummary(kind, left.name, onlyIn(before, after), named(was)),
      ...onlySummary(kind, right.name, onlyIn(after, before), named(becomes)),
      ...fileSummary(shownFiles(right), shownFiles(left)),
    ],
  }
}

/** A grant without a level has its default level. */
function comparable(kind: DeclarableKind, { fields }: ComparedObject): JsonObject {
  const level = kind.lifecycle.levels?.field
  const assumed = kind.fields[level ?? '']?.assumed
  return level === undefined || assumed === undefined ? fields : { [level]: assumed, ...fields }
}

/** A value that both sides leave to the service counts as equal. */
function withIgnored(
  kind: DeclarableKind,
  after: JsonObject,
  before: JsonObject,
  left: ComparedObject,
  right: ComparedObject,
): JsonObject {
  return formMembers(after, (value, name) =>
    ignoredPlaces(kind, { ignore: left.ignore, fields: before }, name, value).reduce(
      (field, { pointer, found }) => {
        const was = getAt(before[name] ?? null, pointer)
        if (found.is !== 'there' || !right.ignore?.includes(pointerOf(name) + found.pointer)) return field
        return was === undefined || getAt(field, found.pointer) === undefined
          ? field
          : setAt(field, found.pointer, was)
      },
      value,
    ),
  )
}

function commonSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  before: JsonObject,
  after: JsonObject,
): readonly string[] {
  if (fields.length === 0) return []
  if (kind.lifecycle.parent) return [grantSummary(kind, { action: 'update', before, after })]
  const turned = switchField(kind)
  const switched = fields.filter(name => name === turned).map(name => switchLine(name, before, after))
  return [
    ...switched,
    ...fieldSummary(
      kind,
      fields.filter(name => name !== turned),
      before,
      after,
    ),
  ]
}

function switchLine(name: string, before: JsonObject, after: JsonObject): string {
  const word = (value: Json | undefined) => (value === true ? 'on' : 'off')
  return `${name}: ${word(before[name])} -> ${word(after[name])}`
}

/** Fields that the other environment does not declare. */
function onlySummary(
  kind: DeclarableKind,
  environment: string,
  fields: readonly string[],
  values: JsonObject,
): string[] {
  if (fields.length === 0) return []
  const lines = fields.flatMap(name =>
    isTargeting(kind, name) ? describeRelease(values[name] ?? null) : newFieldSummary(kind, [name], values),
  )
  return [`in ${environment} only:`, ...lines.map(line => `  ${line}`)]
}

type Files = NonNullable<ComparedObject['files']>

function differingFiles(left: Files = {}, right: Files = {}): string[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()
  return names.filter(name => (left[name] ?? null) !== (right[name] ?? null))
}

function picked<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The declared objects of one environment, for a comparison. Grants use the names of roles. */
export function declaredObjects({ desired, skipped = [] }: Declarations): ComparedObject[] {
  return [
    ...desired.map(one => comparedOf(one, one.ensure)),
    ...skipped.map(one => comparedOf(one, 'skipped')),
  ]
}

function comparedOf(desired: Desired, state: ComparedObject['state']): ComparedObject {
  const kind = declarableKind(desired.kind)
  const { address, files, ignore, sensitive } = desired
  return {
    address,
    kind: kind.name,
    state,
    fields: declaredFields(kind, desired, undefined),
    ...(files ? { files } : {}),
    ...(ignore ? { ignore } : {}),
    ...(sensitive === undefined ? {} : { sensitive }),
    owners: ownersOf(desired),
    ...parentOf(kind, desired),
  }
}

function parentOf(
  { lifecycle: { parent } }: DeclarableKind,
  desired: Desired,
): Pick<ComparedObject, 'parent'> {
  const key = parentKey(desired)
  return parent && key !== undefined ? { parent: objectAddress(parent.kind, key) } : {}
}

/**
 * The live objects of one environment, for a comparison. Grants use the names of roles, from the settings or
 * else from the service. Objects with the same name are numbered, since ids differ between environments:
 * `plugin.geoip`, `plugin.geoip #2`.
 */
export function liveObjects(
  objects: readonly Exportable[],
  roleNames: ReadonlyMap<string, string>,
): ComparedObject[] {
  const compared = objects.flatMap((object): ComparedObject[] => {
    const { kind, identity, files, fields } = object
    const address = objectAddress(kind, identity)
    return [
      {
        address,
        kind,
        state: 'present',
        fields: wholeFields(declarableKind(kind), fields),
        ...(files ? { files } : {}),
        owners: ownersInTags(declarableKind(kind), fields),
      },
      ...grantsOf(object, address, roleNames),
    ]
  })
  return numbered(compared)
}

/** Numbered in the order of their content, so that equal environments get equal numbers. */
function numbered(objects: readonly ComparedObject[]): ComparedObject[] {
  const byAddress = new Map<string, ComparedObject[]>()
  for (const object of objects) {
    const same = byAddress.get(object.address)
    if (same) same.push(object)
    else byAddress.set(object.address, [object])
  }
  const taken = new Set(byAddress.keys())
  return [...byAddress.values()].flatMap(group => {
    if (group.length === 1) return group
    const [first, ...others] = inOrder(group)
    let number = 2
    return [
      ...(first ? [first] : []),
      ...others.map(object => {
        while (taken.has(`${object.address} #${number}`)) number += 1
        const address = `${object.address} #${number}`
        taken.add(address)
        return { ...object, address }
      }),
    ]
  })
}

function inOrder(objects: readonly ComparedObject[]): readonly ComparedObject[] {
  return objects
    .map(object => ({ object, content: contentOf(object) }))
    .sort((left, right) => compareTexts(left.content, right.content))
    .map(({ object }) => object)
}

function contentOf({ kind, fields, files = {} }: ComparedObject): string {
  return canonicalText([canonicalManaged(declarableKind(kind), fields), files])
}

/** Adds the default of fields that a service lacks. Fields that other parts of the product write stay. */
function wholeFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  const names = managedFields(kind).filter(name => name !== identityField(kind))
  return Object.fromEntries(
    names.map(
      name => [name, withoutElsewhere(kind.fields[name], fields[name] ?? assumedIn(kind, name))] as const,
    ),
  )
}

function assumedIn({ fields }: DeclarableKind, name: string): Json {
  return fields[name]?.assumed ?? null
}

function grantsOf(
  { kind, identity, grants = [] }: Exportable,
  parent: string,
  roleNames: ReadonlyMap<string, string>,
): ComparedObject[] {
  const below = kindBelow(kind)
  if (!below) return []
  const field = below.lifecycle.levels?.field
  return grants.map(({ id, name, level }) => ({
    address: objectAddress(below.name, roleNames.get(id.toLowerCase()) ?? name ?? id, identity),
    kind: below.name,
    state: 'present',
    fields: field === undefined || level === undefined ? {} : { [field]: level },
    parent,
  }))
}
