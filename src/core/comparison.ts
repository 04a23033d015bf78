import type { Sensitive } from '../model/field.ts'
import { type DeclarableKind, targetingField } from '../model/kind.ts'
import type { JsonObject } from '../model/text/json.ts'
import type { ObjectOf } from '../schema/json-schema.ts'
import type { comparison } from '../schema/printed-edits.ts'
import { namedFilters } from '../targeting/describe.ts'

type Printed = ObjectOf<typeof comparison>

/** One object in all environments. Each environment is compared with the first one that has the object. */
export type ComparedRow = Printed['objects'][number]
/** The state of an object in one environment, in a word: `on 10%`. Empty if it has none. */
export type ComparedState = ComparedRow['environments'][string]
/** Of an object in two environments. A field that only one has is only in `before` or `after`. */
export type EnvironmentDifference = ComparedRow['differences'][number]
/** `only`: some of the environments have it, and others do not. */
export type Verdict = ComparedRow['verdict']

export interface ComparedObject {
  /** Without ids that differ between environments: a grant has the name of its role. */
  readonly address: string
  readonly kind: string
  readonly state: Exclude<ComparedState['state'], 'missing'>
  readonly fields: JsonObject
  /** Source files, by name; null means that there is none. */
  readonly files?: Readonly<Record<string, string | null>>
  /** JSON pointers into `fields` that are left to the service. */
  readonly ignore?: readonly string[]
  readonly sensitive?: Sensitive
  readonly owners?: readonly string[]
  /** The address of the flag that a grant belongs to. */
  readonly parent?: string
}

export interface ComparedEnvironment {
  readonly name: string
  readonly objects: readonly ComparedObject[]
  /** The numbers of cohorts and group types, by name. They differ between projects. */
  readonly numbers?: NumbersByName
}

export interface Comparison {
  readonly environments: readonly string[]
  /** By address. */
  readonly rows: readonly ComparedRow[]
}

/** A project's numbers for the names in the settings. */
export interface NumbersByName {
  readonly cohorts?: Readonly<Record<string, number>>
  readonly groupTypes?: Readonly<Record<string, number>>
}

/**
 * Replaces the numbers of cohorts and group types by those of another environment, by name: each project has
 * its own numbers. A number without a name in both environments stays.
 */
export function inNumbersOf(
  to: NumbersByName = {},
  from: NumbersByName = {},
  kind: DeclarableKind,
  fields: JsonObject,
): JsonObject {
  const field = targetingField(kind)
  const filters = field === undefined ? undefined : fields[field]
  const numbers = {
    cohort: numbersBetween(from.cohorts, to.cohorts),
    'group type': numbersBetween(from.groupTypes, to.groupTypes),
  }
  if (field === undefined || filters === undefined || numbers.cohort.size + numbers['group type'].size === 0)
    return fields
  return { ...fields, [field]: namedFilters(filters, (thing, number) => numbers[thing].get(number)) }
}

/**
 * The group type numbers of one environment, for group types that both environments name. Both sides are
 * shown with these numbers.
 */
export function commonGroupTypes(
  { groupTypes = {} }: NumbersByName = {},
  { groupTypes: others = {} }: NumbersByName = {},
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(groupTypes).filter(([name]) => Object.hasOwn(others, name)))
}

function numbersBetween(
  from: Readonly<Record<string, number>> = {},
  to: Readonly<Record<string, number>> = {},
): ReadonlyMap<number, number> {
  return new Map(
    Object.entries(from).flatMap(([name, number]) => {
      const other = Object.hasOwn(to, name) ? to[name] : undefined
      return other === undefined || other === number ? [] : [[number, other] as const]
    }),
  )
}

/** The number of objects by verdict; `only` for each environment. */
export function comparisonCounts({ environments, rows }: Comparison) {
  const count = (fits: (row: ComparedRow) => boolean) => rows.filter(fits).length
  const only = environments.map(
    name =>
      [name, count(row => row.verdict === 'only' && row.environments[name]?.state === 'present')] as const,
  )
  return {
    equal: count(({ verdict }) => verdict === 'equal'),
    differs: count(({ verdict }) => verdict === 'differs'),
    only: Object.fromEntries(only),
  }
}
