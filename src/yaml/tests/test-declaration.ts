import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import type { ObjectDeclaration } from '../declaration.ts'
import type { DeclarationFile } from '../declaration-file.ts'

/** A test as it is written. */
export interface TestDeclaration {
  readonly file: DeclarationFile
  readonly pointer: string
  readonly members: JsonObject
}

/** A test that stands apart from its flag. */
export interface SeparateTest extends TestDeclaration {
  /** The key of the flag. */
  readonly flag: string
  /** Where that stands. */
  readonly flagPointer: string
}

/** Something that tests name: a person, or a group by its type and its key. */
export interface Fixture {
  readonly file: DeclarationFile
  readonly pointer: string
  readonly name: string
  readonly members: JsonObject
}

/** What a file says for tests beside its flags. */
export interface FileFixtures {
  readonly persons: readonly Fixture[]
  readonly groups: readonly GroupFixture[]
  readonly tests: readonly SeparateTest[]
}

/** What properties a group has. */
export interface GroupFixture extends Fixture {
  /** The name or the number of its type. */
  readonly type: string
}

export const noFixtures: FileFixtures = { persons: [], groups: [], tests: [] }

/** What does not have the right type is left out here: the schema has reported it. */
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

/** The tests that stand beside a flag. */
export function testsBeside({ kind, file, base }: ObjectDeclaration): readonly TestDeclaration[] {
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
