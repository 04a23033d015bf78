import type { DeclaredTest } from '../../core/desired.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import { groupTypes } from '../../targeting/filter-parts.ts'
import type { AnySubject, TestReason } from '../../targeting/index.ts'
import { conditionCount, expectationIn, groupIn, isReason, subjectIn } from '../../targeting/read-test.ts'
import type { DeclarationFile, Layer, ObjectDeclaration } from '../declaration.ts'
import { effectiveIn } from '../resolve/effective.ts'
import { numberIn } from '../resolve/names.ts'
import type { Environment } from '../settings.ts'

/** The meaning of a test in one environment. */
export interface MeantTest {
  readonly written: TestDeclaration
  /** Undefined for an unknown name. */
  readonly person: MeantPerson | undefined
  /** Undefined if its person or its meaning is unknown. */
  readonly test: DeclaredTest | undefined
  /** The expected reason, if it is no condition of the flag and no known reason. */
  readonly unknownReason?: string
}

/**
 * The tests of a repository: those beside its flags, and separate ones; the persons and groups that they name. If
 * several have one name, which is a problem, the first counts.
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

  /** Those of a flag in an environment; none if it is not declared, or absent. */
  meantIn(declaration: ObjectDeclaration, environment: Environment): readonly MeantTest[] {
    const written = this.writtenFor(declaration)
    const effective = written.length > 0 ? effectiveIn(declaration, environment) : undefined
    if (effective?.ensure !== 'present') return []
    return written
      .filter(test => isFor(test, environment.name))
      .map(test => this.#meantAs(declaration, effective.layer, test, environment))
  }

  /** The ones that can be run. */
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

  /** A person's properties of its group override the properties of the group itself. */
  #groupOf(type: string, group: Json): { readonly key: string; readonly properties: JsonObject } {
    const { key, properties } = groupIn(group)
    const shared = this.#groups.get(groupName(type, key))?.members
    return { key, properties: { ...shared, ...properties } }
  }
}

/** The environments that a test names, each with its place. */
export function environmentsNamed({
  pointer,
  members,
}: TestDeclaration): readonly (readonly [string, string])[] {
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

/** A condition by its name has priority over a reason; null if there is neither. */
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

/** The person of a test, with the group types that one environment knows. */
interface MeantPerson {
  /** Its name in messages, without any value from the environment. */
  readonly name: string | undefined
  readonly subject: AnySubject
  /** Types of groups that the environment does not know, and the places that name them. */
  readonly unknownTypes: readonly { readonly at: Pick<Fixture, 'file' | 'pointer'>; readonly type: string }[]
}

/** The number of a type of groups, by its name in the settings or as it is written. */
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

/** A test as it is written. */
export interface TestDeclaration {
  readonly file: DeclarationFile
  readonly pointer: string
  readonly members: JsonObject
}

/** A test that is written apart from its flag. */
export interface SeparateTest extends TestDeclaration {
  /** The key of the flag. */
  readonly flag: string
  /** The pointer of that key. */
  readonly flagPointer: string
}

/** A fixture of tests: a person, or a group by its type and its key. */
export interface Fixture {
  readonly file: DeclarationFile
  readonly pointer: string
  readonly name: string
  readonly members: JsonObject
}

/** The fixtures in a file for tests beside its flags. */
export interface FileFixtures {
  readonly persons: readonly Fixture[]
  readonly groups: readonly GroupFixture[]
  readonly tests: readonly SeparateTest[]
}

/** The properties of a group. */
interface GroupFixture extends Fixture {
  /** The name or the number of its type. */
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

/** The tests beside a flag. */
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
