import { canonicalIdentity } from '../../core/live.ts'
import { mapMembers, memberOf, type ObjectValue, type Value } from '../../hcl/values.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import {
  type IdentityAttribute as Attribute,
  identityAttributes,
  identityVersion,
} from '../../schema/terraform/terraform-identity.ts'
import type { IdentityAttribute, ResourceIdentity } from '../provider.ts'
import type { Session } from '../session/session.ts'
import { ownerAttribute } from './resource-context.ts'

/** What tells the objects of a kind apart for Terraform. */
export function kindIdentity(kind: DeclarableKind, session: Session): ResourceIdentity {
  const attributes = identityAttributes(kind)
  const [owner, field] = [ownerAttribute(kind), identityField(kind)]
  return {
    version: identityVersion,
    attributes: mapMembers<Attribute, IdentityAttribute>(attributes, ({ description, required }) => ({
      type: 'string',
      description,
      ...(required ? { required } : {}),
    })),
    of(values) {
      const identity = mapMembers<Attribute, Value>(attributes, ({ onlyForImport }, name) => {
        if (onlyForImport) return null
        // The state of another provider may not say where its object lives, which is where the provider is.
        const value = memberOf(values, name)
        if (name === owner) return value ?? session.defaultOwner(kind.scope)
        return name === field && typeof value === 'string' ? canonicalIdentity(kind, value) : value
      })
      return isComplete(identity, attributes) ? identity : undefined
    },
  }
}

function isComplete(identity: ObjectValue, attributes: Readonly<Record<string, Attribute>>): boolean {
  return Object.entries(attributes).every(
    ([name, { onlyForImport }]) => onlyForImport || memberOf(identity, name) !== null,
  )
}
