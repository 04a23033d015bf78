import type { Desired } from '../../../core/desired.ts'
import type { FlagValue, Standing } from '../../../core/retire/retirement.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import type { Source } from '../../../model/problem.ts'
import { singleValue, variantKeys } from '../../../targeting/index.ts'
import type { ObjectDeclaration } from '../../../yaml/declaration.ts'
import { placeDesired } from '../../../yaml/resolve/resolve.ts'
import { type Environment, environmentsOf } from '../../../yaml/settings.ts'
import type { EditableRepository } from '../edit/write-edit.ts'

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

/** Who gets a flag in one environment: as it is declared or, where nothing is said of that, live. */
export function filtersOf(
  { desired: { fields } }: DeclaredIn,
  live: JsonObject | undefined,
): Json | undefined {
  return fields.filters ?? live?.filters
}

/** What everybody can be given of a flag, by name: `off`, and `on` or a variant. */
export function valuesOf(filters: Json | undefined): readonly string[] {
  const variants = isJsonObject(filters) ? variantKeys(filters) : []
  return variants.length > 0 ? [...variants, 'off'] : ['on', 'off']
}

/** What is declared of a flag, and what is live where that is known and nothing is declared. */
export function standingOf(flag: DeclaredIn, live: JsonObject | undefined): Standing {
  const { ensure, fields } = flag.desired
  const environment = flag.environment.name
  if (ensure === 'absent') return { environment, declared: 'absent', value: false }
  const declared = fields.active === false ? 'off' : 'on'
  return { environment, declared, value: valueFrom(fields.active ?? live?.active, filtersOf(flag, live)) }
}

/** A flag is on where nobody says otherwise; who gets it is never guessed. */
function valueFrom(active: Json | undefined, filters: Json | undefined): FlagValue | undefined {
  if (active === false) return false
  return filters === undefined ? undefined : singleValue({ filters, active: true })
}
