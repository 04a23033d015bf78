import { policedObject, policedOf } from '../../core/policed.ts'
import { segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { tagMemberNames, tagOfMember } from '../../model/tag-member.ts'
import { listSome } from '../../model/text/list-names.ts'
import { checkPolicy } from '../../policies/check-policy.ts'
import type { PolicedObject, Verdict } from '../../policies/policy.ts'
import { policyCode, remedyOf } from '../../policies/policy-table.ts'
import type { NamedPolicy } from '../../policies/written-policies.ts'
import type { FileDeclarations, GrantDeclaration, ObjectDeclaration } from '../declaration.ts'
import type { DeclarationFile } from '../declaration-file.ts'
import { effectiveIn } from '../resolve/effective.ts'
import { type Placed, placeDesired } from '../resolve/resolve.ts'
import { placeInFile, sharedPlace } from '../resolve/short-layers.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { shownProblem } from './check-declaration.ts'

/** Where something stands, without its line. */
type Place = Omit<Placed<unknown>, 'declared'>

/** A problem that a policy finds, with the environments in which it does. */
interface Found {
  readonly problem: Problem
  readonly environments: string[]
}

/**
 * Holds the policies of the settings against all that is declared, in each environment. `today` is the day on which they are
 * held, as in 2026-11-21.
 */
export function checkPolicies(
  declared: readonly FileDeclarations[],
  settings: Settings,
  today: string,
): readonly Problem[] {
  const environments = environmentsOf(settings)
  if (environments.every(({ policies }) => policies.length === 0)) return []
  const objectsIn = declaredObjects(declared, environments, today)
  const found = new Map<string, Found>()
  for (const environment of environments) {
    if (environment.policies.length === 0) continue
    const { name } = environment
    for (const { problem } of problemsIn(environment)) {
      const key = JSON.stringify(problem)
      const known = found.get(key) ?? { problem, environments: [] }
      found.set(key, known)
      if (name !== undefined) known.environments.push(name)
    }
  }
  return [...found.values()].map(({ problem, environments: names }) =>
    names.length === environments.length || names.length === 0
      ? problem
      : { ...problem, message: `in ${listSome([...new Set(names)], 'and')}, ${problem.message}` },
  )

  function problemsIn(environment: Environment): { readonly problem: Problem }[] {
    const { policies } = environment
    return [
      ...objectsIn(environment.name).flatMap(({ declaration, policed, grants }) => [
        ...policies.flatMap(named =>
          checkPolicy(named.policy, policed, named.schemas).map(verdict => ({
            problem: toldOf(named, verdict, placeOf(declaration, environment, verdict), declaration.address),
          })),
        ),
        ...grants.flatMap(grant => ofGrant(grant, policies)),
      ]),
      ...declared
        .flatMap(({ grants }) => grants)
        .flatMap(grant => placedGrants(grant, environment))
        .flatMap(grant => ofGrant(grant, policies)),
    ]
  }
}

interface DeclaredObject {
  readonly declaration: ObjectDeclaration
  readonly policed: PolicedObject
  readonly grants: readonly Placed<Parameters<typeof policedOf>[0]>[]
}

/** The objects that are declared for an environment, as policies see them; worked out once for each. */
function declaredObjects(
  declared: readonly FileDeclarations[],
  environments: readonly Environment[],
  today: string,
): (name: string | undefined) => readonly DeclaredObject[] {
  const known = new Map<string | undefined, readonly DeclaredObject[]>()
  const all = declared.flatMap(({ objects }) => objects)
  const objectsIn = (name: string | undefined): readonly DeclaredObject[] => {
    const before = known.get(name)
    if (before) return before
    const environment = environments.find(each => each.name === name)
    const objects = environment ? all.flatMap(one => objectIn(one, environment)) : []
    known.set(name, objects)
    return objects
  }
  const objectIn = (declaration: ObjectDeclaration, environment: Environment): DeclaredObject[] => {
    const effective = effectiveIn(declaration, environment)
    if (effective?.ensure !== 'present') return []
    const [object, ...grants] = placeDesired(
      [{ objects: [declaration], grants: [] }],
      environment,
      () => undefined,
    )
    if (!object) return []
    const { tagMembers: said = {}, permanent } = effective.layer
    // They count whether or not the service keeps them as tags.
    const members = tagMemberNames.flatMap(member => {
      const value = said[member]
      return typeof value === 'string' ? [tagOfMember(member, value)] : []
    })
    const policed = policedObject(object.declared, {
      stack: environment.name ?? '',
      tags: [...(declaration.defaults?.tags ?? []), ...members],
      isPermanent: permanent === true,
      today,
      elsewhere: name =>
        objectsIn(name).find(other => other.declaration.address === declaration.address)?.policed,
    })
    return [{ declaration, policed, grants }]
  }
  return objectsIn
}

function placedGrants(grant: GrantDeclaration, environment: Environment) {
  return placeDesired([{ objects: [], grants: [grant] }], environment, () => undefined)
}

function ofGrant(
  { declared: grant, ...place }: Placed<Parameters<typeof policedOf>[0]>,
  policies: readonly NamedPolicy[],
): { readonly problem: Problem }[] {
  const policed = policedOf(grant, { stack: '', roleName: grant.label })
  return policies.flatMap(named =>
    checkPolicy(named.policy, policed, named.schemas).map(verdict => ({
      problem: toldOf(named, verdict, place, grant.address),
    })),
  )
}

function toldOf(
  { name, policy }: NamedPolicy,
  { is, what }: Verdict,
  { file, pointer, at }: Place,
  address: string,
): Problem {
  const why = is === 'refused' ? what : `${what} is not known`
  const told = {
    code: policyCode(policy.policy),
    severity: policy.level,
    message: `${why} (policy ${name})`,
    hint: remedyOf(name),
  }
  return {
    severity: policy.level,
    ...shownProblem(file, told, pointer),
    source: file.parsed.locate(pointer, at),
    address,
  }
}

/** Where that stands which a verdict is about: in the override of the environment, in the declaration, or in an audience. */
function placeOf(
  { file, base, environments }: ObjectDeclaration,
  { name }: Environment,
  { pointer }: Verdict,
): Place {
  const object = { file, pointer: base.pointer, at: 'key' } as const
  if (pointer === undefined) return object
  const override = name === undefined ? undefined : environments.get(name)
  const [field = ''] = segmentsOf(pointer)
  const layer = [override, base].find(each => each?.fields[field] !== undefined)
  if (!layer) return object
  const shared: { readonly file: DeclarationFile; readonly pointer: string } | undefined = sharedPlace(
    layer,
    pointer,
  )
  return shared
    ? { file: shared.file, pointer: shared.pointer, at: 'value' }
    : { file, pointer: placeInFile(layer, pointer), at: 'value' }
}
