import { type DeclarableKind, isDeclarable, type Kind, objectAddress, parentInAddress } from '../model/kind.ts'
import { event, eventDefinition } from './event.ts'
import { featureFlag } from './feature-flag.ts'
import { pluginKind } from './plugin.ts'
import { roleAccess, roleKind } from './role.ts'

export { paginationEnvelope, paging, userSummary } from './answers.ts'
export { event, eventDefinition } from './event.ts'

export { featureFlag } from './feature-flag.ts'
export { pluginKind } from './plugin.ts'
export { role, roleAccess, roleKind } from './role.ts'



/** In the order of the interface document. Kinds that the document lacks come last. */
export const kinds = {
  feature_flag: featureFlag,
  feature_flag_role_access: roleAccess,
  plugin: pluginKind,
  event_definition: eventDefinition,
  event,
  role: roleKind,
} as const

export type Kinds = typeof kinds
export type KindName = keyof Kinds

/** Finds a kind by name. An unknown name is a bug and throws an error. */
export function kindNamed(name: string): Kind {
  const kind = Object.values<Kind>(kinds).find(candidate => candidate.name === name)
  if (!kind) throw new RangeError(`"${name}" is not a kind`)
  return kind
}

export const declarableKinds: readonly DeclarableKind[] = Object.values<Kind>(kinds).filter(isDeclarable)

/** Finds a declarable kind by name. An unknown name is a bug and throws an error. */
export function declarableKind(name: string): DeclarableKind {
  const kind = kindsByName.get(name)
  if (!kind) throw new RangeError(`"${name}" is not a kind that can be declared`)
  return kind
}

const kindsByName = new Map(declarableKinds.map(kind => [kind.name, kind]))

/** The kind whose objects belong to objects of another kind, such as the grants of a flag. */
export function kindBelow(parent: string): DeclarableKind | undefined {
  return declarableKinds.find(({ lifecycle }) => lifecycle.parent?.kind === parent)
}

/** The address of an object's parent; undefined if the object has no parent. */
export function parentAddress(address: string): string | undefined {
  for (const { name, lifecycle } of declarableKinds) {
    const parent = lifecycle.parent && parentInAddress(name, address)
    if (lifecycle.parent && parent !== undefined) return objectAddress(lifecycle.parent.kind, parent)
  }
  return undefined
}
