import type { DeclaredTest } from '../../core/desired.ts'
import { isJsonArray, isJsonNumber, type Json } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import type { TestReason } from '../../targeting/index.ts'
import { conditionCount, expectationIn, isReason } from '../../targeting/read-test.ts'
import type { Layer, ObjectDeclaration } from '../declaration.ts'
import { effectiveIn } from '../resolve/effective.ts'
import type { Environment } from '../settings.ts'
import { Fixtures, type MeantPerson } from './fixtures.ts'
import { type FileFixtures, type TestDeclaration, testsBeside } from './test-declaration.ts'

/** A test as it is meant in one environment. */
export interface MeantTest {
  readonly written: TestDeclaration
  /** Undefined for a name that nobody has. */
  readonly person: MeantPerson | undefined
  /** Undefined where it is not known whom or what it means. */
  readonly test: DeclaredTest | undefined
  /** What it says of who decides, where the flag has no such condition and there is no such reason. */
  readonly unknownReason?: string
}

/** The tests of a repository: those beside its flags, and those that stand apart. */
export class DeclaredTests {
  readonly fixtures: Fixtures
  readonly files: readonly FileFixtures[]
  readonly #apart = new Map<string, TestDeclaration[]>()
  /** They are checked, run and handed on: each is worked out once. */
  readonly #meant = new Map<ObjectDeclaration, Map<string | undefined, readonly MeantTest[]>>()

  constructor(files: readonly FileFixtures[]) {
    this.files = files
    this.fixtures = new Fixtures(files)
    for (const { flag, ...test } of files.flatMap(({ tests }) => tests)) {
      const of = this.#apart.get(flag)
      if (of) of.push(test)
      else this.#apart.set(flag, [test])
    }
  }

  /** All that are written for a flag, for whichever environment. */
  writtenFor(declaration: ObjectDeclaration): readonly TestDeclaration[] {
    if (targetingField(declaration.kind) === undefined) return []
    const apart = this.#apart.get(declaration.identity)
    const beside = testsBeside(declaration)
    return apart ? [...beside, ...apart] : beside
  }

  /** Those of a flag in an environment; none where it is not declared, or absent. */
  meantIn(declaration: ObjectDeclaration, environment: Environment): readonly MeantTest[] {
    const written = this.writtenFor(declaration)
    if (written.length === 0) return []
    const known = this.#meant.get(declaration) ?? new Map<string | undefined, readonly MeantTest[]>()
    this.#meant.set(declaration, known)
    const found = known.get(environment.name) ?? this.#allMeant(declaration, written, environment)
    known.set(environment.name, found)
    return found
  }

  #allMeant(
    declaration: ObjectDeclaration,
    written: readonly TestDeclaration[],
    environment: Environment,
  ): readonly MeantTest[] {
    const effective = effectiveIn(declaration, environment)
    if (effective?.ensure !== 'present') return []
    return written
      .filter(test => isFor(test, environment.name))
      .map(test => this.#meantAs(declaration, effective.layer, test, environment))
  }

  /** Those of them that can be run. */
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
    const person = this.fixtures.personOf(written, environment)
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
}

/** The environments that a test names, each with where it does. */
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

/** A condition by its name goes before a reason; null where there is neither. */
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
