import { isJsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import { evaluationReasons } from '../../targeting/index.ts'
import { noCondition, variantHint } from '../../targeting/read-test.ts'
import { reporter } from '../check/check-declaration.ts'
import { inEnvironments, unknownEnvironment, unknownNamesIn } from '../check/check-environments.ts'
import { quote } from '../check/problem-order.ts'
import { type DeclarationFile, type ObjectDeclaration, quoteWritten } from '../declaration.ts'
import { effectiveIn } from '../resolve/effective.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import {
  type DeclaredTests,
  environmentsNamed,
  type Fixture,
  type MeantTest,
  type TestDeclaration,
} from './declared-tests.ts'

/** Problems of tests in themselves, mainly unknown names. Nothing is evaluated. */
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

/** Persons that no test uses. */
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
              hint: `write a test: { person: ${person.name}, expect: true }; or remove the person`,
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
  const message = `${quoteWritten(file, at)} is no person that tests know`
  const hint = suggestions.hint(person, `${listed}declare one under "persons", in any file`)
  return [reporter({ file, address })(at, { code: 'unknown-person', message, hint })]
}

/** Unknown environments, or those in which the flag is not declared: nothing would be tested there. */
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
    const message = `the flag is not declared for ${shown}, so nothing would be tested`
    const hint = 'take the environment out of the test'
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
      ? `its conditions have no names, so write their numbers; reasons are ${evaluationReasons.join(', ')}`
      : `conditions are ${listSome(names, 'and')}, reasons ${evaluationReasons.join(', ')}`
  const message = `${quoteWritten(file, at)} is neither a condition of the flag nor a reason`
  const hint = new Suggestions([...names, ...evaluationReasons]).hint(reason, listed)
  return [report(at, { code, message, hint })]
}

/** A text that is no variant of the flag can never be a result. */
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
  const message = `${quoteWritten(file, at)} is no variant of the flag`
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
  const hint = thing === 'person' ? 'keep one of them, or give one another name' : 'keep one of them'
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
    const hint = suggestions.hint(flag, 'tests stand under the key of their flag')
    return [reporter({ file })(flagPointer, { code: 'unknown-flag', message, hint }, 'key')]
  })
}
