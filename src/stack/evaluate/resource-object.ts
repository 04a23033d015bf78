import { type FlagReference, object, type Typed, typed, unknownOf } from '../../hcl/index.ts'

import { kindBelow } from '../../kinds/index.ts'
import { type DeclarableKind, type IdentifiedKind, identityField } from '../../model/kind.ts'
import type { Attributes } from './attributes.ts'
import type { Schema } from './provider-schemas.ts'
import { placeText, type ServiceTarget } from './providers.ts'

/**
 * What others see of a resource: its configured attributes, and of those that the service fills in that they are not
 * known. The id of a flag is not known either, but whose it is.
 */
export function resourceObject(
  address: string,
  schema: Schema,
  attributes: Attributes,
  flag: FlagReference | undefined,
): Typed {
  return object(
    [...schema].map(([name, { type, isComputed }]) => {
      const value = attributes[name] ?? null
      if (value !== null || !isComputed) return [name, typed(type, value)]
      return [name, unknownOf(type, `${address}.${name}`, name === 'id' ? flag : undefined)]
    }),
  )
}

/** Where it lives is known where anything says so. */
export function ownerOf({ scope }: DeclarableKind, { project, organization }: ServiceTarget): Attributes {
  const owner = scope === 'project' ? project : organization
  return owner === undefined ? {} : { [`${scope}_id`]: owner }
}

/** What others hang from by the id of an object: a flag, by its key. */
export function flagOf(
  kind: IdentifiedKind,
  attributes: Attributes,
  place: ServiceTarget,
): FlagReference | undefined {
  const [key, id] = [attributes[identityField(kind)], attributes.id ?? null]
  if (!kindBelow(kind.name) || typeof key !== 'string' || id !== null) return undefined
  return { key: key.trim(), place: placeText(place) }
}
