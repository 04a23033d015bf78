import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { objectAddress } from '../../model/address.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import type { Exportable } from '../exportable.ts'
import { nameWithId } from '../name-with-id.ts'
import { ownersInTags } from '../owners.ts'
import type { ComparedObject } from './comparison.ts'

/**
 * What is live in one environment, to be compared with another one. A grant goes by the name of its role: by the one that
 * the settings have for its id, or that which the service tells. Several objects of one name go by their ids as well.
 */
export function liveObjects(
  objects: readonly Exportable[],
  roleNames: ReadonlyMap<string, string>,
): ComparedObject[] {
  const count = new Map<string, number>()
  for (const { kind, identity } of objects) {
    const address = objectAddress(kind, identity)
    count.set(address, (count.get(address) ?? 0) + 1)
  }
  return objects.flatMap(object => {
    const { kind, identity, id, files } = object
    const isAlone = count.get(objectAddress(kind, identity)) === 1
    const address = objectAddress(kind, isAlone ? identity : nameWithId(identity, id))
    return [
      {
        address,
        kind,
        state: 'present',
        fields: wholeFields(declarableKind(kind), object.fields),
        ...(files ? { files } : {}),
        owners: ownersInTags(declarableKind(kind), object.fields),
      },
      ...grantsOf(object, address, roleNames),
    ]
  })
}

/** What one service has no field for says what the other one means without a word. */
function wholeFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  const names = managedFields(kind).filter(name => name !== identityField(kind))
  return Object.fromEntries(names.map(name => [name, fields[name] ?? assumedIn(kind, name)] as const))
}

function assumedIn({ fields }: DeclarableKind, name: string): Json {
  return fields[name]?.assumed ?? null
}

function grantsOf(
  { kind, identity, grants = [] }: Exportable,
  parent: string,
  roleNames: ReadonlyMap<string, string>,
): ComparedObject[] {
  const below = kindBelow(kind)
  if (!below) return []
  const field = below.lifecycle.levels?.field
  return grants.map(({ id, name, level }) => ({
    address: objectAddress(below.name, roleNames.get(id.toLowerCase()) ?? name ?? id, identity),
    kind: below.name,
    state: 'present',
    fields: field === undefined || level === undefined ? {} : { [field]: level },
    parent,
  }))
}
