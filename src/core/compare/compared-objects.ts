import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { withoutElsewhere } from '../../model/field.ts'
import { canonicalText, type Json, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, managedFields, objectAddress } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { type Declarations, type Desired, parentKey } from '../desired.ts'
import { declaredFields } from '../diff.ts'
import { canonicalManaged, type Exportable } from '../live.ts'
import { ownersInTags, ownersOf } from '../ownership.ts'
import type { ComparedObject } from './comparison.ts'

/** The declared objects of one environment, for a comparison. A grant goes by the name of its role. */
export function declaredObjects({ desired, skipped = [] }: Declarations): ComparedObject[] {
  return [
    ...desired.map(one => comparedOf(one, one.ensure)),
    ...skipped.map(one => comparedOf(one, 'skipped')),
  ]
}

function comparedOf(desired: Desired, state: ComparedObject['state']): ComparedObject {
  const kind = declarableKind(desired.kind)
  const { address, files, ignore, sensitive } = desired
  return {
    address,
    kind: kind.name,
    state,
    fields: declaredFields(kind, desired, undefined),
    ...(files ? { files } : {}),
    ...(ignore ? { ignore } : {}),
    ...(sensitive === undefined ? {} : { sensitive }),
    owners: ownersOf(desired),
    ...parentOf(kind, desired),
  }
}

function parentOf(
  { lifecycle: { parent } }: DeclarableKind,
  desired: Desired,
): Pick<ComparedObject, 'parent'> {
  const key = parentKey(desired)
  return parent && key !== undefined ? { parent: objectAddress(parent.kind, key) } : {}
}

/**
 * The live objects of one environment, for a comparison with another one. A grant goes by the name of its
 * role: the one that the settings have for its id, or the one that the service shows. Objects of one name are
 * numbered, as ids differ between environments: `plugin.geoip`, `plugin.geoip #2`.
 */
export function liveObjects(
  objects: readonly Exportable[],
  roleNames: ReadonlyMap<string, string>,
): ComparedObject[] {
  const compared = objects.flatMap((object): ComparedObject[] => {
    const { kind, identity, files, fields } = object
    const address = objectAddress(kind, identity)
    return [
      {
        address,
        kind,
        state: 'present',
        fields: wholeFields(declarableKind(kind), fields),
        ...(files ? { files } : {}),
        owners: ownersInTags(declarableKind(kind), fields),
      },
      ...grantsOf(object, address, roleNames),
    ]
  })
  return numbered(compared)
}

/** In an order that only their content decides: two environments with the same ones get the same numbers. */
function numbered(objects: readonly ComparedObject[]): ComparedObject[] {
  const byAddress = new Map<string, ComparedObject[]>()
  for (const object of objects) {
    const same = byAddress.get(object.address)
    if (same) same.push(object)
    else byAddress.set(object.address, [object])
  }
  const taken = new Set(byAddress.keys())
  return [...byAddress.values()].flatMap(group => {
    if (group.length === 1) return group
    const [first, ...others] = inOrder(group)
    let number = 2
    return [
      ...(first ? [first] : []),
      ...others.map(object => {
        while (taken.has(`${object.address} #${number}`)) number += 1
        const address = `${object.address} #${number}`
        taken.add(address)
        return { ...object, address }
      }),
    ]
  })
}

function inOrder(objects: readonly ComparedObject[]): readonly ComparedObject[] {
  return objects
    .map(object => ({ object, content: contentOf(object) }))
    .sort((left, right) => compareTexts(left.content, right.content))
    .map(({ object }) => object)
}

function contentOf({ kind, fields, files = {} }: ComparedObject): string {
  return canonicalText([canonicalManaged(declarableKind(kind), fields), files])
}

/**
 * A field that one service does not have gets the value that the other one assumes without it. Fields that
 * other parts of the product write are taken from each side.
 */
function wholeFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  const names = managedFields(kind).filter(name => name !== identityField(kind))
  return Object.fromEntries(
    names.map(
      name => [name, withoutElsewhere(kind.fields[name], fields[name] ?? assumedIn(kind, name))] as const,
    ),
  )
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
