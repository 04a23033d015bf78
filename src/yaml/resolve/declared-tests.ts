import type { DeclaredTest } from '../../core/desired.ts'
import { targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { listSome, Suggestions } from '../../model/text/names.ts'
import { getAt, pointerOf } from '../../model/text/pointer.ts'
import { groupTypes } from '../../targeting/filter-parts.ts'
import { type AnySubject, evaluationReasons, type TestReason } from '../../targeting/index.ts'
import {
  conditionCount,
  expectationIn,
  groupIn,
  isReason,
  noCondition,
  subjectIn,
  variantHint,
} from '../../targeting/read-test.ts'
import { reporter } from '../check/check-declaration.ts'
import { inEnvironments, unknownEnvironment, unknownNamesIn } from '../check/check-settings.ts'
import { quote } from '../check/problem-order.ts'
import { type DeclarationFile, type Layer, type ObjectDeclaration, quoteWritten } from '../declaration.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { effectiveIn } from './layers.ts'
import { numberIn } from './names.ts'

/** A test as it applies to one environment. */
interface MeantTest {
  readonly written: TestDeclaration
  /** Undefined for an unknown name. */
  readonly person: MeantPerson | undefined
  /** Undefined if its person or its meaning is unknown. */
  readonly test: DeclaredTest | undefined
  /** The expected reason, if it is neither a condition of the flag nor a known reason. */
  readonly unknownReason?: string
}

/**
 * The tests of a repository: those next to its flags, separate ones, and the persons and groups that they
 * use. If several have the same name, which is a problem, the first one is used.
 */
export class DeclaredTests {
  readonly files: readonly FileFixtures[]
  readonly persons: ReadonlyMap<string, Fixture>
  readonly #groups: ReadonlyMap<string, GroupFixture>
  readonly #apart = new Map<string, TestDeclaration[]>()

  constructor(files: readonly FileFixtures[]) {
    this.files = files
    const persons = files.flatMap(file => file.persons).reverse()
    const groups = files.flatMap(file => file.groups).reverse()
    this.persons = new Map(persons.map(person => [person.name, person]))
    this.#groups = new Map(groups.map(group => [groupName(group.type, group.name), group]))
    for (const { flag, ...test } of files.flatMap(({ tests }) => tests)) {
      const of = this.#apart.get(flag)
      if (of) of.push(test)
      else this.#apart.set(flag, [test])
    }
  }

  /** All tests that are written for a flag, for any environment. */
  writtenFor(declaration: ObjectDeclaration): readonly TestDeclaration[] {
    if (targetingField(declaration.kind) === undefined) return []
    const apart = this.#apart.get(declaration.identity)
    const beside = testsBeside(declaration)
    return apart ? [...beside, ...apart] : beside
  }

  /** The tests of a flag in an environment; empty if the flag is not declared there, or absent. */
  meantIn(declaration: ObjectDeclaration, environment: Environment): readonly MeantTest[] {
    const written = this.writtenFor(declaration)
    const effective = written.length > 0 ? effectiveIn(declaration, environment) : undefined
    if (effective?.ensure !== 'present') return []
    return written
      .filter(test => isFor(test, environment.name))
      .map(test => this.#meantAs(declaration, effective.layer, test, environment))
  }

  /** The tests that can be run. */
  testsIn(declaration: ObjectDeclaration, environment: Environment): readonly DeclaredTest[] {
    return this.meantIn(declaration, environment).flatMap(({ test }) => test ?? [])
  }

  #meantAs(
    declaration: ObjectDeclaration,
    layer: Layer,
    written: TestDeclaration,
    environment: Environment,
  ): MeantTest {
    const { file, pointer, members } = written
    const person = this.#personOf(written, environment)
    const because = members.because === undefined ? undefined : reasonIn(declaration, layer, members.because)
    const expected = expectationIn(members.expect ?? null)
    const isKnown = person?.unknownTypes.length === 0 && because !== null && expected !== undefined
    return {
      written,
      person,
      test: isKnown
        ? {
            person: person.name,
            isNamed: typeof written.members.person === 'string',
            subject: person.subject,
            ...expected,
            ...(because === undefined ? {} : { because }),
            sourceOf: () => file.parsed.locate(pointer),
          }
        : undefined,
      ...(because === null ? { unknownReason: String(members.because) } : {}),
    }
  }

  #personOf({ file, pointer, members }: TestDeclaration, environment: Environment): MeantPerson | undefined {
    const { person = null } = members
    if (typeof person === 'string') {
      const named = this.persons.get(person)
      return named && this.#meantPerson(named, named.name, environment)
    }
    const own = { file, pointer: pointer + pointerOf('person'), name: '', members: objectOf(person) }
    return this.#meantPerson(own, writtenId(own), environment)
  }

  #meantPerson(fixture: Fixture, name: string | undefined, environment: Environment): MeantPerson {
    const { file, pointer, members } = fixture
    const read = entriesOf(members.groups).map(([type, group]) => ({
      type,
      index: groupIndex(type, environment),
      group,
    }))
    const known = read.flatMap(({ type, index, group }) =>
      index === undefined ? [] : [{ index, ...this.#groupOf(type, group) }],
    )
    return {
      name,
      subject: subjectIn(members, known),
      unknownTypes: read
        .filter(({ index }) => index === undefined)
        .map(({ type }) => ({ at: { file, pointer: pointer + pointerOf('groups', type) }, type })),
    }
  }

  /** The group properties of a person override the properties of the group itself. */
  #groupOf(type: string, group: Json): { readonly key: string; readonly properties: JsonObject } {
    const { key, properties } = groupIn(group)
    const shared = this.#groups.get(groupName(type, key))?.members
    return { key, properties: { ...shared, ...properties } }
  }
}

/** The environments that a test names, each with its position. */
function environmentsNamed({ pointer, members }: TestDeclaration): readonly (readonly [string, string])[] {
  const { env = null } = members
  const at = pointer + pointerOf('env')
  if (typeof env === 'string') return [[env, at]]
  if (!isJsonArray(env)) return []
  return env.flatMap((name, index) =>
    typeof name === 'string' ? [[name, at + pointerOf(index)] as const] : [],
  )
}

function isFor(test: TestDeclaration, environment: string | undefined): boolean {
  if (test.members.env === undefined) return true
  return environmentsNamed(test).some(([name]) => name === environment)
}

/** The expected reason. A condition with that name has priority; null if there is neither. */
function reasonIn({ kind }: ObjectDeclaration, layer: Layer, because: Json): TestReason | null {
  if (isJsonNumber(because)) {
    const number = Number(because)
    const filters = layer.fields[targetingField(kind) ?? ''] ?? null
    return number <= conditionCount(filters) ? { condition: number - 1 } : null
  }
  if (typeof because !== 'string') return null
  const condition = layer.expanded?.conditionNames.indexOf(because) ?? -1
  if (condition !== -1) return { condition, name: because }
  return isReason(because) ? { reason: because } : null
}

/** The person of a test, with the group types of one environment. */
interface MeantPerson {
  /** Its name in messages, without values of environment variables. */
  readonly name: string | undefined
  readonly subject: AnySubject
  /** Group types that the environment does not know, and the positions that use them. */
  readonly unknownTypes: readonly { readonly at: Pick<Fixture, 'file' | 'pointer'>; readonly type: string }[]
}

/** The number of a group type, by its name in the settings, or the number as written. */
export function groupIndex(type: string, environment: Environment): string | undefined {
  const named = numberIn(environment, 'group type', type)
  if (named !== undefined) return String(named)
  const number = Number(type)
  return /^\d$/.test(type) && number >= groupTypes.from && number <= groupTypes.to ? type : undefined
}

function groupName(type: string, key: string): string {
  return JSON.stringify([type, key])
}

function writtenId({ file, pointer, members }: Fixture): string | undefined {
  const named = (['distinct_id', 'device_id'] as const).find(name => members[name] !== undefined)
  const written = named && getAt(file.parsed.value ?? null, pointer + pointerOf(named))
  return typeof written === 'string' ? written : undefined
}

interface TestDeclaration {
  readonly file: DeclarationFile
  readonly pointer: string
  readonly members: JsonObject
}

/** A test that is written separately from its flag. */
export interface SeparateTest extends TestDeclaration {
  /** The key of the flag. */
  readonly flag: string
  /** The pointer of the flag's key. */
  readonly flagPointer: string
}

/** A fixture of tests: a person, or a group by its type and its key. */
interface Fixture {
  readonly file: DeclarationFile
  readonly pointer: string
  readonly name: string
  readonly members: JsonObject
}

/** The persons, groups and tests that a file declares outside its flags. */
export interface FileFixtures {
  readonly persons: readonly Fixture[]
  readonly groups: readonly GroupFixture[]
  readonly tests: readonly SeparateTest[]
}

/** The properties of a group. */
interface GroupFixture extends Fixture {
  /** The name or the number of its group type. */
  readonly type: string
}

export const noFixtures: FileFixtures = { persons: [], groups: [], tests: [] }

/** Values of a wrong type are skipped here: the schema has reported them. */
export function readFixtures(file: DeclarationFile): FileFixtures {
  const { value } = file
  if (!isJsonObject(value)) return noFixtures
  const { persons, groups, tests } = value
  if (persons === undefined && groups === undefined && tests === undefined) return noFixtures
  return {
    persons: entriesOf(persons).map(([name, members]) => ({
      file,
      pointer: pointerOf('persons', name),
      name,
      members: objectOf(members),
    })),
    groups: entriesOf(groups).flatMap(([type, byKey]) =>
      entriesOf(byKey).map(([name, members]) => ({
        file,
        pointer: pointerOf('groups', type, name),
        type,
        name,
        members: objectOf(members),
      })),
    ),
    tests: entriesOf(tests).flatMap(([flag, list]) => {
      const flagPointer = pointerOf('tests', flag)
      return testsIn(file, list, flagPointer).map(test => ({ ...test, flag: flag.trim(), flagPointer }))
    }),
  }
}

function testsBeside({ kind, file, base }: ObjectDeclaration): readonly TestDeclaration[] {
  const { tests } = base.members
  if (tests === undefined || targetingField(kind) === undefined) return []
  return testsIn(file, tests, base.pointer + pointerOf('tests'))
}

function testsIn(file: DeclarationFile, list: Json, pointer: string): readonly TestDeclaration[] {
  if (!isJsonArray(list)) return []
  return list.flatMap((members, index) =>
    isJsonObject(members) ? [{ file, pointer: pointer + pointerOf(index), members }] : [],
  )
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : []
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Problems of the tests themselves, mainly unknown names. Nothing is evaluated. */
export function checkTests(
  objects: readonly ObjectDeclaration[],
  tests: DeclaredTests,
  settings: Settings,
): Problem[] {
  const environments = environmentsOf(settings)
  const written = objects.map(object => ({ object, tests: tests.writtenFor(object) }))
  const tested = written.filter(one => one.tests.length > 0)
  const persons = new Suggestions([...tests.persons.keys()])
  const names = settings.environments.map(({ name }) => name)
  const environmentHints = new Suggestions(names)
  return [
    ...tested.flatMap(({ object, tests: of }) =>
      of.flatMap(test => [
        ...unknownPerson(object, test, tests, persons),
        ...badEnvironments(object, test, environments, { names, suggestions: environmentHints }),
      ]),
    ),
    ...inEnvironments(environments, environment => {
      const unknown = unknownNamesIn(environment)
      return tested.flatMap(({ object }) =>
        tests
          .meantIn(object, environment)
          .flatMap(meant => [
            ...unknownTypes(meant, unknown),
            ...unknownReason(object, environment, meant),
            ...unknownVariant(object, environment, meant),
          ]),
      )
    }),
    ...duplicates(tests),
    ...unknownFlags(objects, tests),
  ]
}

export function unusedPersons(objects: readonly ObjectDeclaration[], tests: DeclaredTests): Problem[] {
  const { persons } = tests
  if (persons.size === 0) return []
  const used = new Set(
    objects.flatMap(object => tests.writtenFor(object).map(({ members }) => members.person)),
  )
  return [...persons.values()].flatMap(person =>
    used.has(person.name)
      ? []
      : [
          reporter(person)(
            person.pointer,
            {
              code: 'unused-person',
              severity: 'warning',
              message: 'no test names this person',
              hint: `use the person in a test: { person: ${person.name}, expect: true }; or remove the person`,
            },
            'key',
          ),
        ],
  )
}

function unknownPerson(
  { address }: ObjectDeclaration,
  { file, pointer, members }: TestDeclaration,
  { persons }: DeclaredTests,
  suggestions: Suggestions,
): Problem[] {
  const { person } = members
  if (typeof person !== 'string' || persons.has(person)) return []
  const at = pointer + pointerOf('person')
  const known = [...persons.keys()]
  const listed = known.length === 0 ? '' : `there are: ${listSome(known, 'and')}; `
  const message = `${quoteWritten(file, at)} is not a person that tests know`
  const hint = suggestions.hint(person, `${listed}declare the person under "persons", in any file`)
  return [reporter({ file, address })(at, { code: 'unknown-person', message, hint })]
}

/** Environments that are unknown, or do not declare the flag: the test would check nothing there. */
function badEnvironments(
  object: ObjectDeclaration,
  test: TestDeclaration,
  environments: readonly Environment[],
  { names, suggestions }: { readonly names: readonly string[]; readonly suggestions: Suggestions },
): Problem[] {
  const { file } = test
  const report = reporter({ file, address: object.address })
  return environmentsNamed(test).flatMap(([name, at]): Problem[] => {
    const known = environments.find(environment => environment.name === name)
    const shown = quoteWritten(file, at)
    if (!known) return [report(at, unknownEnvironment(name, names, { shown, suggestions }))]
    if (effectiveIn(object, known)?.ensure === 'present') return []
    const message = `the flag is not declared for ${shown}, so the test would check nothing`
    const hint = 'remove the environment from the test'
    return [report(at, { code: 'test-of-nothing', message, hint })]
  })
}

function unknownTypes({ person }: MeantTest, unknown: ReturnType<typeof unknownNamesIn>): Problem[] {
  return (person?.unknownTypes ?? []).map(({ at, type }) =>
    reporter(at)(at.pointer, unknown('group type', type), 'key'),
  )
}

function unknownReason(
  object: ObjectDeclaration,
  environment: Environment,
  { written, unknownReason: reason }: MeantTest,
): Problem[] {
  if (reason === undefined) return []
  const { file, pointer, members } = written
  const at = pointer + pointerOf('because')
  const report = reporter({ file, address: object.address })
  const filters = filtersIn(object, environment)
  const code = 'unknown-condition'
  if (typeof members.because !== 'string') return [report(at, { code, ...noCondition(reason, filters) })]
  const names = effectiveIn(object, environment)?.layer.expanded?.conditionNames ?? []
  const listed =
    names.length === 0
      ? `the conditions of the flag have no names, so write their numbers; reasons are ${evaluationReasons.join(', ')}`
      : `conditions are ${listSome(names, 'and')}, reasons ${evaluationReasons.join(', ')}`
  const message = `${quoteWritten(file, at)} is neither a condition of the flag nor a reason`
  const hint = new Suggestions([...names, ...evaluationReasons]).hint(reason, listed)
  return [report(at, { code, message, hint })]
}

/** A text that is not a variant of the flag can never be a result. */
function unknownVariant(
  object: ObjectDeclaration,
  environment: Environment,
  { written: { file, pointer, members } }: MeantTest,
): Problem[] {
  const { expect = null } = members
  const value = isJsonObject(expect) ? expect.value : expect
  if (typeof value !== 'string') return []
  const filters = filtersIn(object, environment)
  const hint = variantHint(value, filters)
  if (hint === undefined) return []
  const at = pointer + pointerOf('expect') + (isJsonObject(expect) ? pointerOf('value') : '')
  const message = `${quoteWritten(file, at)} is not a variant of the flag`
  return [reporter({ file, address: object.address })(at, { code: 'unknown-variant', message, hint })]
}

function filtersIn(object: ObjectDeclaration, environment: Environment) {
  return effectiveIn(object, environment)?.layer.fields[targetingField(object.kind) ?? ''] ?? null
}

function duplicates({ files, persons: known }: DeclaredTests): Problem[] {
  const persons = files.flatMap(file => file.persons)
  const groups = files.flatMap(file => file.groups)
  const first = new Map<string, Fixture>()
  return [
    ...persons.flatMap(person => {
      const other = known.get(person.name)
      return other && other !== person ? [duplicate(person, other, 'person')] : []
    }),
    ...groups.flatMap(group => {
      const name = JSON.stringify([group.type, group.name])
      const other = first.get(name)
      if (!other) first.set(name, group)
      return other ? [duplicate(group, other, 'group')] : []
    }),
  ]
}

function duplicate(fixture: Fixture, other: Fixture, thing: string): Problem {
  const { file, line, column } = other.file.parsed.locate(other.pointer, 'key')
  const message = `this ${thing} is also declared at ${file}:${line}:${column}`
  const hint = thing === 'person' ? 'keep one of them, or rename one' : 'remove one of them'
  return reporter(fixture)(fixture.pointer, { code: `duplicate-${thing}`, message, hint }, 'key')
}

function unknownFlags(objects: readonly ObjectDeclaration[], { files }: DeclaredTests): Problem[] {
  const apart = new Map<
    string,
    { readonly file: DeclarationFile; readonly flagPointer: string; readonly flag: string }
  >()
  for (const test of files.flatMap(({ tests }) => tests))
    apart.set(JSON.stringify([test.file.parsed.file, test.flagPointer]), test)
  if (apart.size === 0) return []
  const keys = objects
    .filter(({ kind }) => targetingField(kind) !== undefined)
    .map(({ identity }) => identity)
  const known = new Set(keys)
  const suggestions = new Suggestions(keys)
  return [...apart.values()].flatMap(({ file, flagPointer, flag }) => {
    if (known.has(flag)) return []
    const message = `no flag ${quote(flag)} is declared here`
    const hint = suggestions.hint(flag, 'write the tests under the key of their flag')
    return [reporter({ file })(flagPointer, { code: 'unknown-flag', message, hint }, 'key')]
  })
}
