import {
  isObjectValue,
  isWhollyKnown,
  mapMembers,
  type ObjectType,
  type ObjectValue,
  stateValue,
  typeJson,
} from '../../../hcl/values.ts'

import { oncePer } from '../../../model/runtime.ts'
import { DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import type { IdentityAttribute, Resource, ResourceIdentity } from '../../provider.ts'
import type { Draft, Message } from '../../wire/messages.ts'
import { readValue, writeValue } from '../dynamic-value.ts'
import { parseRawState, requireVersion } from './upgrade-state.ts'

type Wire = Draft<'ResourceIdentityData'>

/**
 * What every answer about an object says of its identity. Terraform keeps what it is told last, and nothing where it is
 * told nothing, so an answer that knows no better hands back what it was asked with.
 */
export function identityIn(
  { identity }: Resource,
  values: ObjectValue | null,
  asked?: Message<'ResourceIdentityData'>,
): Wire | undefined {
  const found = values === null ? undefined : identity?.of(values)
  if (!identity || !found || !isWhollyKnown(found)) return values === null ? undefined : asked
  return { identity_data: writeValue(typeOf(identity), found) }
}

/**
 * The same of an object that is planned. Of a new one whose identity is not known yet there is none: Terraform would take
 * it, and then fail to show its plan as JSON.
 */
export function plannedIdentity(
  resource: Resource,
  prior: ObjectValue | null,
  planned: ObjectValue,
  asked: Message<'ResourceIdentityData'> | undefined,
): Wire | undefined {
  if (prior !== null) return identityIn(resource, prior) ?? identityIn(resource, planned, asked)
  return identityIn(resource, planned)
}

/** The identity that an import names; undefined where it names an id. */
export function askedIdentity(
  { identity }: Resource,
  asked: Message<'ResourceIdentityData'> | undefined,
): ObjectValue | undefined {
  const value = identity && readValue(typeOf(identity), asked?.identity_data)
  return value && isObjectValue(value) ? value : undefined
}

/** An identity as Terraform keeps it. There has been one version, so that any other is refused. */
export function upgradeIdentity(
  { identity }: Resource,
  version: number,
  raw: Message<'RawState'> | undefined,
): Wire {
  if (!identity) throw new DiagnosticError(errorDiagnostic('objects of this type have no identity'))
  requireVersion('identity', version, identity.version)
  const type = typeOf(identity)
  return { identity_data: writeValue(type, stateValue(type, parseRawState(raw))) }
}

export function identityToWire({ version, attributes }: ResourceIdentity): Draft<'ResourceIdentitySchema'> {
  return {
    version,
    identity_attributes: Object.entries(attributes).map(
      ([name, { type, description, required = false }]) => ({
        name,
        type: Buffer.from(typeJson(type)),
        required_for_import: required,
        optional_for_import: !required,
        description,
      }),
    ),
  }
}

const typeOf = oncePer(
  ({ attributes }: ResourceIdentity): ObjectType => [
    'object',
    mapMembers(attributes, ({ type }: IdentityAttribute) => type),
  ],
)
