import type { Desired } from '../../core/desired.ts'
import { namesIn } from '../../core/flag-links.ts'
import type { FlagValue, Hold, Standing } from '../../core/retirement.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { Source } from '../../model/problem.ts'
import { flagNames, singleValue, variantKeys } from '../../targeting/index.ts'
import type { ObjectDeclaration } from '../../yaml/declaration.ts'
import { effectiveIn } from '../../yaml/resolve/effective.ts'
import { namingFlags } from '../../yaml/resolve/names.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import { type Environment, environmentsOf } from '../../yaml/settings.ts'
import type { EditableRepository } from '../edit/write-edit.ts'

/** What holds a flag in one environment, by the files of a repository. */
export function declaredHolds(repository: EditableRepository, flag: DeclaredIn): Hold[] {
  return [...ownHolds(flag), ...dependentHolds(repository, flag), ...audienceHolds(repository, flag)]
}

function ownHolds({
  declaration,
  desired: { protect, ensure },
  environment,
  source: place,
}: DeclaredIn): Hold[] {
  if (ensure === 'absent') return []
  const about = { environment: environment.name, place }
  // With the overrides and the defaults of the settings, as the list of stale flags reads it.
  const layer = effectiveIn(declaration, environment)?.layer
  return [
    ...(protect === true
      ? [
          {
            ...about,
            kind: 'protected' as const,
            what: 'the declaration protects it from being deleted or turned off',
            remedy: 'remove `protect: true` first, in a change of its own',
          },
        ]
      : []),
    ...(layer?.permanent === true
      ? [
          {
            ...about,
            kind: 'permanent' as const,
            what: 'the declaration says that it is here to stay',
            remedy:
              layer.members.permanent === undefined && declaration.base.members.permanent === undefined
                ? 'write `permanent: false` in its declaration first: `defaults` in the settings say otherwise'
                : 'remove `permanent: true` first',
          },
        ]
      : []),
  ]
}

function dependentHolds(
  { declared }: EditableRepository,
  { desired: { kind, identity, id, address }, environment }: DeclaredIn,
): Hold[] {
  const names = new Set([identity, ...(id === undefined ? [] : [id])])
  return placeDesired(namingFlags(declared), environment, () => undefined).flatMap(
    ({ declared: other, file, pointer, at }): Hold[] => {
      const isOther = other.kind === kind && other.address !== address && other.ensure === 'present'
      if (!isOther || !namesIn(declarableKind(kind), other.fields).some(name => names.has(name))) return []
      return [
        {
          kind: 'dependent',
          environment: environment.name,
          subject: other.address,
          place: file.parsed.locate(pointer, at),
          what: `${other.address} names it in its conditions`,
          remedy: `take it out of the conditions of ${other.identity}, and apply that`,
        },
      ]
    },
  )
}

function audienceHolds(
  { audiences, contextIn }: EditableRepository,
  { desired: { identity, id }, environment: { name: environment } }: DeclaredIn,
): Hold[] {
  const names = new Set([identity, ...(id === undefined ? [] : [id])])
  return audiences.flatMap(({ identity: audience, file, base }): Hold[] => {
    const properties = contextIn(environment).audience(audience)?.properties ?? []
    if (!flagNames({ groups: [{ properties }] }).some(name => names.has(name))) return []
    return [
      {
        kind: 'audience',
        environment,
        place: file.parsed.locate(base.pointer, 'key'),
        what: `the audience ${audience} asks for it`,
        remedy: `take it out of the audience ${audience}`,
      },
    ]
  })
}

/** A flag as one environment has it declared. */
export interface DeclaredIn {
  readonly environment: Environment
  readonly declaration: ObjectDeclaration
  readonly desired: Desired
  readonly source: Source
}

/** The environments in which some declarations of one flag declare it, present or absent, in the order of the settings. */
export function declaredIn(
  { settings }: Pick<EditableRepository, 'settings'>,
  declarations: readonly ObjectDeclaration[],
): DeclaredIn[] {
  return environmentsOf(settings).flatMap(environment =>
    declarations.flatMap(declaration => {
      const objects = [declaration]
      const placed = placeDesired([{ objects, grants: [] }], environment, () => undefined)
      return placed.flatMap(({ declared: desired, file, pointer, at }) =>
        desired.address === declaration.address
          ? [{ environment, declaration, desired, source: file.parsed.locate(pointer, at) }]
          : [],
      )
    }),
  )
}

/** The filters of a flag in one environment: the declared ones or, if none are declared, the live ones. */
export function filtersOf(
  { desired: { fields } }: DeclaredIn,
  live: JsonObject | undefined,
): Json | undefined {
  return fields.filters ?? live?.filters
}

/** The values that everybody can get from a flag, by name: `off`, and `on` or a variant. */
export function valuesOf(filters: Json | undefined): readonly string[] {
  const variants = isJsonObject(filters) ? variantKeys(filters) : []
  return variants.length > 0 ? [...variants, 'off'] : ['on', 'off']
}

/** The declared state of a flag, completed by the live one if that is known. */
export function standingOf(flag: DeclaredIn, live: JsonObject | undefined): Standing {
  const { ensure, fields } = flag.desired
  const environment = flag.environment.name
  if (ensure === 'absent') return { environment, declared: 'absent', value: false }
  const declared = fields.active === false ? 'off' : 'on'
  return { environment, declared, value: valueFrom(fields.active ?? live?.active, filtersOf(flag, live)) }
}

/** A flag is on unless it is declared otherwise. Its filters are never guessed. */
function valueFrom(active: Json | undefined, filters: Json | undefined): FlagValue | undefined {
  if (active === false) return false
  return filters === undefined ? undefined : singleValue({ filters, active: true })
}
