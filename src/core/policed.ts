import { declarableKind, roleAccess } from '../kinds/index.ts'
import { identityField, switchField, targetingField } from '../model/kind.ts'
import { isJsonArray, type Json } from '../model/text/json.ts'
import { type Policed, type PolicedObject, releaseIn } from '../policies/policy.ts'
import { type Desired, parentKey } from './desired.ts'

/** What a policy needs to know about a declared object beside its own fields. */
export interface Policing extends Pick<PolicedObject, 'isPermanent' | 'today' | 'elsewhere'> {
  /** The id of its stack, or the name of its environment. */
  readonly stack: string
  /** Tags that count in addition to those of its field. */
  readonly tags?: readonly string[]
  /** The name of a grant's role for people. */
  readonly roleName?: string | undefined
}

export function policedOf(desired: Desired, policing: Policing): Policed {
  const kind = declarableKind(desired.kind)
  if (kind.lifecycle.parent) {
    const { access_level: level = roleAccess.fields.access_level.assumed } = desired.fields
    return {
      flag: parentKey(desired),
      role: { id: desired.identity, name: policing.roleName },
      level: String(level),
    }
  }
  return policedObject(desired, policing)
}

/** As policies check it, for all kinds except grants. */
export function policedObject(
  desired: Desired,
  { tags = [], roleName: _, ...policing }: Policing,
): PolicedObject {
  const kind = declarableKind(desired.kind)
  const { fields, identity } = desired
  const filters = fields[targetingField(kind) ?? '']
  return {
    ...policing,
    kind,
    name: identity,
    isOff: fields[switchField(kind) ?? ''] === false,
    tags: [...textsIn(fields[kind.lifecycle.ownedBy ?? '']), ...tags],
    sent: () => ({ [identityField(kind)]: identity, ...fields }),
    release: () => (filters === undefined ? 'undeclared' : releaseIn(filters)),
  }
}

function textsIn(tags: Json | undefined): readonly string[] {
  return tags !== undefined && isJsonArray(tags) ? tags.map(String) : []
}
