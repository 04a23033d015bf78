import { canonicalValue } from '../model/canonical.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { ShownLeaf, ShownObject, Source, ValueSource } from '../model/problem.ts'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../model/text/json.ts'
import { getAt, pointerOf, segmentsOf } from '../model/text/pointer.ts'
import { mergeShort } from '../targeting/short/merge-short.ts'
import { elementsOf, shortMembers } from '../targeting/short/short-form.ts'
import type { DeclarationDefaults, DeclarationFile, Layer, ObjectDeclaration } from './declaration.ts'
import { belongsTo, isMergedMember } from './resolve/layers.ts'
import type { Environment } from './settings.ts'

/**
 * The declaration of an object in one environment, each value with its source: the declaration, its override,
 * an anchor, an audience, or a default of the settings. Values are shown as written, so values of environment
 * variables never appear. The object has to belong to the environment (`isDeclaredIn`).
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
    leavesIn(value, pointerOf(member)).map((leaf): ShownLeaf => ({ ...leaf, ...placeOf(leaf.pointer) })),
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

/** Whether an object belongs to an environment, even if it is skipped there. */
export function isDeclaredIn(declaration: ObjectDeclaration, { name }: Pick<Environment, 'name'>): boolean {
  return belongsTo(declaration, name)
}

/** The written members of one layer: the declaration itself, its override, or the defaults below them. */
interface WrittenLayer {
  readonly by: ValueSource
  readonly members: JsonObject
  /** The place of the value at a pointer inside the members. */
  readonly locate: (inside: string) => Source
}

type Placed = Pick<ShownLeaf, 'source' | 'by'>

interface Member {
  readonly name: string
  readonly value: Json
  readonly placeOf: (pointer: string) => Placed
}

/** The lowest layer first. */
interface Layers {
  readonly written: readonly WrittenLayer[]
  readonly defaults?: WrittenLayer
}

function layersIn(declaration: ObjectDeclaration, environment: string | undefined): Layers {
  const { file, base, environments } = declaration
  const override = environment === undefined ? undefined : environments.get(environment)
  const written = ({ pointer, members }: Layer, by: ValueSource): WrittenLayer => {
    const all = getAt(file.parsed.value ?? null, pointer)
    // If nothing is written for the environment itself, its layer comes from the shared part.
    const isOwn = by === 'declaration' || Object.keys(members).length > 0
    const own = isOwn && isJsonObject(all) ? all : {}
    return {
      by,
      members: pickMembers(own, (_, name) => name !== 'environments' && name !== 'tests'),
      locate: inside => file.parsed.locate(pointer + inside),
    }
  }
  if (override?.skip) return { written: [written(override, 'override')] }
  const both = [written(base, 'declaration'), ...(override ? [written(override, 'override')] : [])]
  return { written: both, ...(declaration.defaults ? { defaults: defaultLayer(declaration.defaults) } : {}) }
}

function defaultLayer({ places }: DeclarationDefaults): WrittenLayer {
  const members = [...places].map(([name, { parsed, pointer }]) => [
    name,
    getAt(parsed.value ?? null, pointer) ?? null,
  ])
  return {
    by: 'default',
    members: Object.fromEntries(members),
    locate: inside => {
      const [name = '', ...rest] = segmentsOf(inside)
      const place = places.get(name)
      if (!place) throw new Error(`no default has ${inside}`)
      return place.parsed.locate(place.pointer + pointerOf(...rest))
    },
  }
}

/** The members that matter for an object with `ensure: absent`. */
const ofAbsent: readonly string[] = ['ensure', 'id', 'only', 'protect', 'sensitive', 'allow', 'live_edits']

/** An override or a default replaces a whole member. The short form is merged, and tags are added. */
function membersOf({ kind }: ObjectDeclaration, { written, defaults }: Layers): Member[] {
  const layers = [...(defaults ? [defaults] : []), ...written]
  const memberNames = [...new Set([...written, ...layers].flatMap(({ members }) => Object.keys(members)))]
  const isAbsent = written.findLast(({ members }) => 'ensure' in members)?.members.ensure === 'absent'
  const names = isAbsent ? memberNames.filter(name => ofAbsent.includes(name)) : memberNames
  const merged = mergeShort(
    written.map(({ members }) => pickMembers(members, (_, name) => shortMembers.includes(name))),
  )
  return names.flatMap((name): Member[] => {
    const last = layers.findLast(({ members }) => name in members)
    if (!last) return []
    if (isMergedMember(kind, name)) {
      const value = merged.value[name]
      const placeOf = (pointer: string) => placeIn(written[merged.layerOf(pointer) ?? -1] ?? last, pointer)
      return value === undefined ? [] : [{ name, value, placeOf }]
    }
    const whole = { name, value: last.members[name] ?? null, placeOf: (at: string) => placeIn(last, at) }
    return [defaults && name === kind.lifecycle.ownedBy ? withDefaultTags(kind, whole, defaults) : whole]
  })
}

function placeIn({ by, locate }: WrittenLayer, pointer: string): Placed {
  return { source: locate(pointer), by }
}

/** Adds default tags to the declared ones; a tag in both counts as declared. */
function withDefaultTags(kind: DeclarableKind, whole: Member, defaults: WrittenLayer): Member {
  const { name, value } = whole
  const tags = defaults.members.tags ?? null
  if (!isJsonArray(tags) || !(isJsonArray(value) || value === null)) return whole
  const listed = value ?? []
  const isDeclared = (tag: Json) => listed.some(one => isSameTag(kind, one, tag))
  const added = tags.flatMap((tag, index) => (isDeclared(tag) ? [] : [{ tag, index }]))
  return {
    name,
    value: [...listed, ...added.map(({ tag }) => tag)],
    placeOf: pointer => {
      const place = added[Number(segmentsOf(pointer)[1] ?? -1) - listed.length]
      return place ? placeIn(defaults, pointerOf('tags', place.index)) : whole.placeOf(pointer)
    },
  }
}

function isSameTag({ fields, lifecycle }: DeclarableKind, left: Json, right: Json): boolean {
  const field = fields[lifecycle.ownedBy ?? '']
  return field
    ? isSameJson(canonicalValue(field, [left]), canonicalValue(field, [right]))
    : isSameJson(left, right)
}

/** The single values in a value, and its empty lists and maps. */
function leavesIn(value: Json, pointer: string): { readonly pointer: string; readonly value: Json }[] {
  const inside = elementsOf(value)
  if (inside.length === 0) return [{ pointer, value }]
  return inside.flatMap(([step, element]) => leavesIn(element, pointer + pointerOf(step)))
}

/** Values from audiences, at the positions of the audiences' names. */
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
  const value = getAt(file.parsed.value ?? null, pointer) ?? null
  const segments = segmentsOf(pointer)
  const [, by = audience] = segments
  const inside = segments.slice(segments.indexOf('properties') + 1)
  return leavesIn(value, '').map(leaf => ({
    pointer: named + pointerOf(...inside) + leaf.pointer,
    value: leaf.value,
    source: file.parsed.locate(pointer + leaf.pointer),
    by: 'audience',
    audience: by,
  }))
}
