import { nameWithId } from '../../core/live.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { ExportedObject } from './exported-object.ts'

/** An object, and what its declaration is called. */
export interface Named {
  readonly object: ExportedObject
  readonly name: string
  /** Whether the name alone does not find it. */
  readonly isAmbiguous: boolean
}

export interface NamesAround {
  /** Everything of the kind that is live in the same place. */
  readonly live: readonly Pick<ExportedObject, 'identity'>[]
  /** The names of all that is live anywhere. */
  readonly anywhere: Iterable<string>
  /** Whether a declaration has this name already. */
  readonly isTaken: (name: string) => boolean
}

/** What each object of a kind is called: its identity. Where several share it, an id tells them apart. */
export function nameObjects(
  objects: readonly ExportedObject[],
  { live, anywhere, isTaken }: NamesAround,
): Named[] {
  const count = new Map<string, number>()
  for (const { identity } of live) count.set(identity, (count.get(identity) ?? 0) + 1)
  const taken = new Set([...count.keys(), ...anywhere])
  const first = new Set<string>()
  return [...objects].sort(byIdentity).map(object => {
    const { identity, id } = object
    const isAmbiguous = (count.get(identity) ?? 0) > 1 || isTaken(identity)
    if (!first.has(identity) && !isTaken(identity)) {
      first.add(identity)
      return { object, name: identity, isAmbiguous }
    }
    let name = nameWithId(identity, id)
    while (taken.has(name) || isTaken(name)) name += '+'
    taken.add(name)
    return { object, name, isAmbiguous }
  })
}

function byIdentity(left: ExportedObject, right: ExportedObject): number {
  return (
    compareTexts(left.identity, right.identity) ||
    left.id.length - right.id.length ||
    compareTexts(left.id, right.id)
  )
}
