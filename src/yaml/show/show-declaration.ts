import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { SaidBy, ShownLeaf, ShownObject } from '../../model/shown-object.ts'
import { mergeShort } from '../../targeting/short/merge-short.ts'
import { elementsOf, shortMembers } from '../../targeting/short/short-form.ts'
import type { Layer, ObjectDeclaration } from '../declaration.ts'
import type { DeclarationFile } from '../declaration-file.ts'
import { belongsTo } from '../resolve/effective.ts'
import { isMergedMember } from '../resolve/short-layers.ts'
import type { Environment } from '../settings.ts'

/**
 * What a declaration comes to in one environment, each value with the place that it comes from: with the declaration, with
 * its override, at an anchor, or in an audience. Values are those that are written, so that nothing out of the environment is
 * among them. The object has to belong to the environment (`isDeclaredIn`).
 */
export function showDeclaration(
  declaration: ObjectDeclaration,
  { name: environment }: Pick<Environment, 'name'>,
): ShownObject {
  const { address, kind, base, file } = declaration
  const layers = layersIn(declaration, environment)
  const members = membersOf(declaration, layers)
  const [section = '', name = ''] = segmentsOf(base.pointer)
  const placed = members.flatMap(({ name: member, value, placeOf }) =>
    leavesIn(value, pointerOf(member)).map(leaf => leafAt(file, leaf, placeOf(leaf.pointer))),
  )
  const shared = sharedLeaves(declaration, environment, members)
  return {
    address,
    kind: kind.name,
    section,
    name,
    ...(environment === undefined ? {} : { environment }),
    source: file.parsed.locate(base.pointer, 'key'),
    value: Object.fromEntries(members.map(({ name: member, value }) => [member, value])),
    leaves: placed.flatMap(leaf => [leaf, ...(shared.get(leaf.pointer) ?? [])]),
  }
}

/** Whether an object belongs to an environment, also one where it is left alone. */
export function isDeclaredIn(declaration: ObjectDeclaration, { name }: Pick<Environment, 'name'>): boolean {
  return belongsTo(declaration, name)
}

/** What is written in one layer: the declaration itself, or its override. */
interface WrittenLayer {
  readonly pointer: string
  readonly by: SaidBy
  readonly members: JsonObject
}

/** Where something stands in the file, and who says it. */
interface Placed {
  readonly pointer: string
  readonly by: SaidBy
}

interface Member {
  readonly name: string
  readonly value: Json
  readonly placeOf: (pointer: string) => Placed
}

/** Not part of what the object comes to. */
const aboutEnvironments: readonly string[] = ['environments', 'only']

function layersIn(
  { file, base, environments }: ObjectDeclaration,
  environment: string | undefined,
): readonly WrittenLayer[] {
  const override = environment === undefined ? undefined : environments.get(environment)
  const written = ({ pointer, members }: Layer, by: SaidBy): WrittenLayer => {
    const all = getAt(file.parsed.value ?? null, pointer)
    // Where nothing is written for the environment itself, its layer is made of the shared one.
    const isOwn = isJsonObject(all) && Object.keys(members).length > 0
    const entries = isOwn ? Object.entries(all).filter(([name]) => !aboutEnvironments.includes(name)) : []
    return { pointer, by, members: Object.fromEntries(entries) }
  }
  if (override?.skip) return [written(override, 'override')]
  return [written(base, 'declaration'), ...(override ? [written(override, 'override')] : [])]
}

/** What is looked at of an object that is to be absent. */
const ofAbsent: readonly string[] = ['ensure', 'id', 'protect', 'allow']

/** An override replaces a member whole; those of the short form are merged. */
function membersOf({ kind }: ObjectDeclaration, layers: readonly WrittenLayer[]): Member[] {
  const said = [...new Set(layers.flatMap(({ members }) => Object.keys(members)))]
  const isAbsent = layers.findLast(({ members }) => 'ensure' in members)?.members.ensure === 'absent'
  const names = isAbsent ? said.filter(name => ofAbsent.includes(name)) : said
  const merged = mergeShort(
    layers.map(({ members }) =>
      Object.fromEntries(Object.entries(members).filter(([name]) => shortMembers.includes(name))),
    ),
  )
  return names.flatMap((name): Member[] => {
    const isMerged = isMergedMember(kind, name)
    const last = layers.findLast(({ members }) => name in members)
    const value = isMerged ? merged.value[name] : last?.members[name]
    if (value === undefined) return []
    const layerOf = (pointer: string) => (isMerged ? layers[merged.layerOf(pointer)] : last)
    return [
      {
        name,
        value,
        placeOf: pointer => {
          const { pointer: at = '', by = 'declaration' } = layerOf(pointer) ?? {}
          return { pointer: at + pointer, by }
        },
      },
    ]
  })
}

/** The single values in something, and what is empty. */
function leavesIn(value: Json, pointer: string): { readonly pointer: string; readonly value: Json }[] {
  const inside = elementsOf(value)
  if (inside.length === 0) return [{ pointer, value }]
  return inside.flatMap(([step, element]) => leavesIn(element, pointer + pointerOf(step)))
}

function leafAt(
  file: DeclarationFile,
  { pointer, value }: { readonly pointer: string; readonly value: Json },
  place: Placed,
): ShownLeaf {
  return { pointer, value, source: file.parsed.locate(place.pointer), by: place.by }
}

/** What audiences say, by the place of their names. */
function sharedLeaves(
  { base, environments }: ObjectDeclaration,
  environment: string | undefined,
  members: readonly Member[],
): ReadonlyMap<string, readonly ShownLeaf[]> {
  const override = environment === undefined ? undefined : environments.get(environment)
  const expanded = override?.expanded ?? base.expanded
  const release = members.find(({ name }) => name === 'release')
  if (!expanded || !release || expanded.audiences.length === 0) return new Map()
  return new Map(
    elementsOf(release.value).map(([step], condition) => {
      const named = pointerOf('release', step, 'audience')
      const leaves: ShownLeaf[] = []
      for (let property = 0; ; property += 1) {
        const shared = expanded.sharedAt(pointerOf('groups', condition, 'properties', property))
        if (!shared) return [named, leaves] as const
        leaves.push(...sharedProperty(named, shared))
      }
    }),
  )
}

function sharedProperty(
  named: string,
  {
    audience,
    file,
    pointer,
  }: { readonly audience: string; readonly file: DeclarationFile; readonly pointer: string },
): ShownLeaf[] {
  const said = getAt(file.parsed.value ?? null, pointer) ?? null
  const segments = segmentsOf(pointer)
  const [, by = audience] = segments
  const inside = segments.slice(segments.indexOf('properties') + 1)
  return leavesIn(said, '').map(leaf => ({
    pointer: named + pointerOf(...inside) + leaf.pointer,
    value: leaf.value,
    source: file.parsed.locate(pointer + leaf.pointer),
    by: 'audience',
    audience: by,
  }))
}
