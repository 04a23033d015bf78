import type { TerraformResource } from 'cdktf'
import { meantHint } from '../../model/text/names.ts'
import { type EvaluationReason, evaluationReasons } from '../../targeting/evaluate/evaluate-flag.ts'
import { groupTypes } from '../../targeting/filter-parts.ts'
import { jsonMembers, knownText, members, notA, notKnown, type Reader, shown } from '../argument.ts'
import { markedForm } from '../engine/engine-marks.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { hasReference } from '../templates.ts'
import type { When } from './when.ts'

/** A group of a person in a test: only its key, or with properties. */
export interface TestGroup {
  readonly key: string
  /** Properties by their names in the service. */
  readonly properties?: { readonly [name: string]: unknown }
}

/** The person of a test. Many tests can share a constant of the app. */
export interface TestPerson {
  /** The name of the person in messages, in place of an id. */
  readonly name?: string
  /** The id that percentages depend on; without it, results that depend on a percentage are undecided. */
  readonly distinctId?: string
  /** The device, for flags that count devices. */
  readonly deviceId?: string
  /** Properties by their names in the service. */
  readonly properties?: { readonly [name: string]: unknown }
  /** The groups of the person, by the number of the group type. */
  readonly groups?: { readonly [groupTypeIndex: number]: TestGroup | string }
}

/** What a subject should get from a flag. */
export interface FlagTest {
  readonly person: TestPerson
  /**
   * True, false, or the key of a variant; optionally with the payload that code should receive (null means
   * none), and with the different values of some SDKs, by name, in `sdks`.
   */
  readonly expect:
    | boolean
    | string
    | {
        readonly value: boolean | string
        readonly payload?: unknown
        readonly sdks?: { readonly [name: string]: boolean | string }
      }
  /** The condition that should decide, as one of the release or by its number, from 1; or another reason. */
  readonly because?: When | number | EvaluationReason
}

/** A test from the app, with its line in the app if it was added separately: `../main.ts:8:15`. */
export interface GivenTest {
  readonly test: FlagTest
  readonly place?: string | undefined
}

const testReaders: Readers<FlagTest> = { person, expect: expected, because: reasonOf }

/** Reads a test. Terraform ignores tests, so it could never resolve references in them. */
export const flagTest: Reader<FlagTest> = (value, name) => {
  // Missing members are reported below.
  const read = readArguments(members(value, name) as unknown as FlagTest, testReaders, 'a test', name)
  for (const needed of ['person', 'expect'] as const)
    if (read[needed] === undefined) throw new TypeError(`"${name}" has no "${needed}"`)
  return read
}

export const flagTests: Reader<readonly FlagTest[]> = (value, name) => {
  if (markedForm(value) !== undefined) throw notKnown(name)
  if (!Array.isArray(value)) throw notA('a list of tests', value, name)
  return value.map((each, index) => flagTest(each, `${name}[${index}]`))
}

/**
 * Writes tests into the stack for Vexil, as a comment that Terraform ignores. A condition is written as its
 * number in the release; 0 if the release does not contain it.
 */
export function writeTests(
  resource: TerraformResource,
  tests: readonly GivenTest[],
  release: readonly When[],
): void {
  if (tests.length === 0) return
  const written = tests.map(({ test: { person: who, expect, because }, place }) => ({
    person: {
      name: who.name,
      distinct_id: who.distinctId,
      device_id: who.deviceId,
      properties: who.properties,
      groups: who.groups,
    },
    expect,
    because: typeof because === 'object' ? release.indexOf(because) + 1 : because,
    trace: place === undefined ? undefined : [place],
  }))
  // A value like a date is written in its JSON form.
  resource.addOverride('//.vexil.tests', JSON.parse(JSON.stringify(written)))
}

/** The problem of tests whose conditions are not in the release; empty if there are none. */
export function strayConditions(tests: readonly GivenTest[], release: readonly When[]): readonly string[] {
  return tests.flatMap(({ test: { because } }, index) =>
    typeof because === 'object' && !release.includes(because)
      ? [`"tests[${index}].because" is not a condition of the release of this flag`]
      : [],
  )
}

function person(value: unknown, name: string): TestPerson {
  const readers: Readers<TestPerson> = {
    name: knownText,
    distinctId: knownText,
    deviceId: knownText,
    properties: knownMembers,
    groups: groupsOf,
  }
  return readArguments(members(value, name) as TestPerson, readers, 'a person', name)
}

function groupsOf(value: unknown, name: string): NonNullable<TestPerson['groups']> {
  const entries = Object.entries(members(value, name)).map(([type, group]) => {
    const number = Number(type)
    if (!/^\d$/.test(type) || number < groupTypes.from || number > groupTypes.to)
      throw new TypeError(
        `"${name}" names ${JSON.stringify(type)}, which is not a group type; group types are numbers from ${groupTypes.from} to ${groupTypes.to}`,
      )
    const at = `${name}.${type}`
    return [type, typeof group === 'string' ? knownText(group, at) : groupOf(group, at)] as const
  })
  return Object.fromEntries(entries)
}

function groupOf(value: unknown, name: string): TestGroup {
  const readers: Readers<TestGroup> = { key: knownText, properties: knownMembers }
  const read = readArguments(members(value, name) as unknown as TestGroup, readers, 'a group', name)
  if (read.key === undefined) throw new TypeError(`"${name}" has no "key"`)
  return read
}

function expected(value: unknown, name: string): FlagTest['expect'] {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return knownText(value, name)
  const given = knownMembers(value, name)
  const { value: result, payload, sdks, ...strays } = given
  const [stray] = Object.keys(strays)
  if (stray !== undefined)
    throw new TypeError(
      `"${name}.${stray}" is not a member of an expectation; the members are value, payload, sdks`,
    )
  const own = sdks === undefined ? [] : Object.entries(knownMembers(sdks, `${name}.sdks`))
  return {
    value: answer(result, `${name}.value`),
    ...(payload === undefined ? {} : { payload }),
    ...(own.length === 0
      ? {}
      : { sdks: Object.fromEntries(own.map(([sdk, each]) => [sdk, answer(each, `${name}.sdks.${sdk}`)])) }),
  }
}

function answer(value: unknown, name: string): boolean | string {
  if (typeof value === 'boolean' || typeof value === 'string') return value
  throw notA('true, false or a variant', value, name)
}

function reasonOf(value: unknown, name: string): FlagTest['because'] {
  if (typeof value === 'object' && value !== null && 'condition' in value && markedForm(value) === undefined)
    // None of our other classes has that member.
    return value as When
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value
  const reason = evaluationReasons.find(each => each === value)
  if (reason !== undefined) return reason
  const hint = meantHint(
    typeof value === 'string' ? value : '',
    evaluationReasons,
    `use a condition created by When, its number from 1, or one of ${evaluationReasons.join(', ')}`,
  )
  throw new TypeError(`"${name}" is ${shown(value)}, which is neither a condition nor a reason; ${hint}`)
}

function knownMembers(value: unknown, name: string): { readonly [member: string]: unknown } {
  const read = jsonMembers(value, name)
  if (hasReference(read)) throw notKnown(name)
  return read
}
