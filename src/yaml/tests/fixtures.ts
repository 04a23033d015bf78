import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import { groupTypes } from '../../targeting/filter-parts.ts'
import type { AnySubject } from '../../targeting/index.ts'
import { groupIn, subjectIn } from '../../targeting/read-test.ts'
import { numberIn } from '../resolve/numbered-names.ts'
import type { Environment } from '../settings.ts'
import type { FileFixtures, Fixture, GroupFixture, TestDeclaration } from './test-declaration.ts'

/** Who asks in a test, as one environment knows types of groups. */
export interface MeantPerson {
  /** What it is called in messages, without anything out of the environment. */
  readonly name: string | undefined
  readonly subject: AnySubject
  /** Types of groups that the environment does not know, and where they are named. */
  readonly unknownTypes: readonly { readonly at: Pick<Fixture, 'file' | 'pointer'>; readonly type: string }[]
}

/** The persons and groups that the tests of all files name. Of several with one name, which is a problem, the first counts. */
export class Fixtures {
  readonly persons: ReadonlyMap<string, Fixture>
  readonly #groups: ReadonlyMap<string, GroupFixture>
  readonly #meant = new Map<string | undefined, Map<Fixture, MeantPerson>>()

  constructor(files: readonly FileFixtures[]) {
    const persons = files.flatMap(file => file.persons).reverse()
    const groups = files.flatMap(file => file.groups).reverse()
    this.persons = new Map(persons.map(person => [person.name, person]))
    this.#groups = new Map(groups.map(group => [groupName(group.type, group.name), group]))
  }

  /** Who asks in a test; undefined for a name that nobody has. */
  personOf(test: TestDeclaration, environment: Environment): MeantPerson | undefined {
    const { file, pointer, members } = test
    const { person = null } = members
    if (typeof person !== 'string') {
      const at = pointer + pointerOf('person')
      const own = { file, pointer: at, name: '', members: isJsonObject(person) ? person : {} }
      return this.#meantPerson(own, writtenId(own), environment)
    }
    const named = this.persons.get(person)
    return named && this.#known(named, environment)
  }

  #known(fixture: Fixture, environment: Environment): MeantPerson {
    let known = this.#meant.get(environment.name)
    if (!known) {
      known = new Map()
      this.#meant.set(environment.name, known)
    }
    const found = known.get(fixture) ?? this.#meantPerson(fixture, fixture.name, environment)
    known.set(fixture, found)
    return found
  }

  #meantPerson(fixture: Fixture, name: string | undefined, environment: Environment): MeantPerson {
    const { groups } = fixture.members
    const named = isJsonObject(groups) ? Object.entries(groups) : []
    const read = named.map(([type, group]) => ({ type, index: groupIndex(type, environment), group }))
    const known = read.flatMap(({ type, index, group }) =>
      index === undefined ? [] : [{ index, ...this.#groupOf(type, group) }],
    )
    return {
      name,
      subject: subjectIn(fixture.members, known),
      unknownTypes: read.flatMap(({ type, index }) =>
        index === undefined
          ? [{ at: { file: fixture.file, pointer: fixture.pointer + pointerOf('groups', type) }, type }]
          : [],
      ),
    }
  }

  /** What a person says of its group is laid over what the group is said to be. */
  #groupOf(type: string, group: Json): { readonly key: string; readonly properties: JsonObject } {
    const { key, properties } = groupIn(group)
    const shared = this.#groups.get(groupName(type, key))?.members
    return { key, properties: { ...shared, ...properties } }
  }
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
