import { policedObject, policedOf } from '../../core/policed.ts'
import { isDay, type TagMember, tagMemberNames, tagMembers } from '../../model/field.ts'
import type { Problem } from '../../model/problem.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { checkPolicy } from '../../policies/check-policy.ts'
import type { PolicedObject, Verdict } from '../../policies/policy.ts'
import { policyCode, remedyOf } from '../../policies/policy-table.ts'
import type { NamedPolicy } from '../../policies/written-policies.ts'
import { checkTagMember, conflictsOfTags } from '../../rules/check-field.ts'
import type { FileDeclarations, GrantDeclaration, Layer, ObjectDeclaration } from '../declaration.ts'
import { redact } from '../resolve/interpolate.ts'
import { effectiveIn, layersIn, placeInFile, sharedPlace } from '../resolve/layers.ts'
import { type Placed, placeDesired, prefixedTags } from '../resolve/resolve.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { isWrittenAsNothing, reporter, shownProblem, wordedAt } from './check-declaration.ts'
import { inEnvironments } from './check-settings.ts'
import { once, quote } from './problem-order.ts'

/** The place of a value, without its line. */
type Place = Omit<Placed<unknown>, 'declared'>

/**
 * Checks all declarations against the policies of the settings, in each environment. `today` is the day of
 * the check, as in 2026-11-21.
 */
export function checkPolicies(
  declared: readonly FileDeclarations[],
  settings: Settings,
  today: string,
): readonly Problem[] {
  const environments = environmentsOf(settings)
  if (environments.every(({ policies }) => policies.length === 0)) return []
  const objectsIn = declaredObjects(declared, environments, today)
  return inEnvironments(environments, environment =>
    environment.policies.length === 0 ? [] : problemsIn(environment),
  )

  function problemsIn(environment: Environment): Problem[] {
    const { policies } = environment
    return [
      ...objectsIn(environment).flatMap(({ declaration, policed, grants }) => [
        ...policies.flatMap(named =>
          checkPolicy(named.policy, policed, named.schemas).map(verdict =>
            wordedOf(named, verdict, placeOf(declaration, environment, verdict), declaration.address),
          ),
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

/** The objects that are declared for an environment, as policies see them. */
function declaredObjects(
  declared: readonly FileDeclarations[],
  environments: readonly Environment[],
  today: string,
): (environment: Environment) => readonly DeclaredObject[] {
  const all = declared.flatMap(({ objects }) => objects)
  const byAddress = new Map<string, ObjectDeclaration[]>()
  for (const one of all) byAddress.set(one.address, [...(byAddress.get(one.address) ?? []), one])
  const objectIn = (declaration: ObjectDeclaration, environment: Environment): DeclaredObject[] => {
    const effective = effectiveIn(declaration, environment)
    if (effective?.ensure !== 'present') return []
    const [object, ...grants] = placeDesired(
      [{ objects: [declaration], grants: [] }],
      environment,
      () => undefined,
    )
    if (!object) return []
    const policed = policedObject(object.declared, {
      stack: environment.name ?? '',
      // Members count as tags even if the service does not keep them as tags.
      tags: [...(declaration.defaults?.tags ?? []), ...prefixedTags(effective.layer)],
      isPermanent: effective.layer.permanent === true,
      today,
      elsewhere: name => {
        const there = environments.find(each => each.name === name)
        const same = byAddress.get(declaration.address)
        return there && same?.flatMap(one => objectIn(one, there))[0]?.policed
      },
    })
    return [{ declaration, policed, grants }]
  }
  return environment => all.flatMap(one => objectIn(one, environment))
}

function placedGrants(grant: GrantDeclaration, environment: Environment) {
  return placeDesired([{ objects: [], grants: [grant] }], environment, () => undefined)
}

function ofGrant(
  { declared: grant, ...place }: Placed<Parameters<typeof policedOf>[0]>,
  policies: readonly NamedPolicy[],
): Problem[] {
  const policed = policedOf(grant, { stack: '', roleName: grant.label })
  return policies.flatMap(named =>
    checkPolicy(named.policy, policed, named.schemas).map(verdict =>
      wordedOf(named, verdict, place, grant.address),
    ),
  )
}

function wordedOf(
  { name, policy }: NamedPolicy,
  { is, what }: Verdict,
  { file, pointer, at }: Place,
  address: string,
): Problem {
  const why = is === 'refused' ? what : `${what} is unknown`
  const worded = {
    code: policyCode(policy.policy),
    severity: policy.level,
    message: `${why} (policy ${name})`,
    hint: remedyOf(name),
  }
  return {
    severity: policy.level,
    ...shownProblem(file, worded, pointer),
    source: file.parsed.locate(pointer, at),
    address,
  }
}

/** The place of a verdict: in the override of the environment, in the declaration, or in an audience. */
function placeOf(declaration: ObjectDeclaration, { name }: Environment, { pointer }: Verdict): Place {
  const { file, base } = declaration
  const object = { file, pointer: base.pointer, at: 'key' } as const
  if (pointer === undefined) return object
  const [field = ''] = segmentsOf(pointer)
  const layer = layersIn(declaration, name).find(({ fields }) => fields[field] !== undefined)
  if (!layer) return object
  const place = sharedPlace(layer, pointer) ?? { file, pointer: placeInFile(layer, pointer) }
  return { file: place.file, pointer: place.pointer, at: 'value' }
}

/** Problems of members that mean tags. Null means that there is no such tag; an empty value is a mistake. */
export function checkTagMembers(declaration: ObjectDeclaration): Problem[] {
  const { kind, base, environments } = declaration
  if (kind.lifecycle.ownedBy === undefined) return []
  if (environments.size === 0 && !saysTagMember(base)) return []
  const layers = [base, ...environments.values()]
  return once(
    layers.flatMap(layer => tagMemberNames.flatMap(member => checkMember(declaration, layer, member))),
  )
}

function saysTagMember({ members }: Layer): boolean {
  return tagMemberNames.some(member => members[member] !== undefined)
}

function checkMember(declaration: ObjectDeclaration, layer: Layer, member: TagMember): Problem[] {
  const { kind, file } = declaration
  const value = layer.members[member]
  if (value === undefined) return []
  const report = reporter(declaration)
  const pointer = layer.pointer + pointerOf(member)
  if (value === null) {
    if (!isWrittenAsNothing(file.parsed, pointer)) return []
    const hint = 'fill it in, or write null for no value'
    return [report(pointer, { code: 'empty-value', message: `${quote(member)} is empty`, hint })]
  }
  return checkTagMember(kind, member, value).flatMap(problem => {
    const worded = wordedAt(declaration, problem, pointer)
    if (!worded) return []
    return [problem.rule === 'characters' ? report(pointer, shownProblem(file, problem, pointer)) : worded]
  })
}

/** Problems of members that are stored as tags, with all other declared values, in each environment. */
export function checkTagsInForce(
  objects: readonly ObjectDeclaration[],
  settings: Settings,
  today: string | undefined,
): Problem[] {
  const saying = objects.filter(({ base, environments }) => environments.size > 0 || base.tagMembers)
  const environments = environmentsOf(settings)
  return once(saying.flatMap(one => environments.flatMap(each => problemsIn(one, each, today))))
}

function problemsIn(
  declaration: ObjectDeclaration,
  environment: Environment,
  today: string | undefined,
): Problem[] {
  const { layer, ensure } = effectiveIn(declaration, environment) ?? {}
  const { tagMembers: ownMembers, fields } = layer ?? {}
  if (ensure !== 'present' || !ownMembers || !fields) return []
  const { kind, file, defaults } = declaration
  const layers = layersIn(declaration, environment.name)
  const report = reporter(declaration)
  const field = kind.lifecycle.ownedBy ?? ''
  const tagged = layers.find(each => each.fields[field] !== undefined)
  const conflicts = tagged ? conflictsOfTags(fields[field] ?? null, ownMembers) : []
  return [
    ...conflicts.map(({ index, tag, member }) => {
      const message = `the tag ${quote(tag)} contradicts ${quote(member)}: ${quote(ownMembers[member] ?? null)}`
      return report((tagged?.pointer ?? '') + pointerOf(field, index), {
        code: 'tag-conflict',
        message: redact(message, file.secrets),
        hint: 'write the value in one place only',
      })
    }),
    ...dayMembers.flatMap((member): Problem[] => {
      const day = ownMembers[member]
      const dated = layers.find(each => each.tagMembers?.[member] !== undefined)
      // Days in this format sort like texts.
      if (today === undefined || !dated || typeof day !== 'string' || !isDay(day) || day >= today) return []
      const problem = report(dated.pointer + pointerOf(member), {
        code: 'expired',
        severity: 'warning',
        message: `this ${kind.title} is still declared, but it expired on ${redact(day, file.secrets)}`,
        hint: 'remove it from the code, then declare `ensure: absent`; or set a later day',
      })
      const place = dated.members[member] === undefined ? defaults?.places.get(member) : undefined
      return [place ? { ...problem, source: place.parsed.locate(place.pointer, 'key') } : problem]
    }),
  ]
}

const dayMembers = tagMemberNames.filter(name => tagMembers[name].type === 'day')
