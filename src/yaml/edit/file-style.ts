import { segmentsOf } from '../../model/json/pointer.ts'
import type { FileStyle } from './render.ts'
import { columnOf, lineBreakOf } from './splice.ts'
import { type Collection, collectionOf, entryNamed } from './yaml-tree.ts'

/** How a file is written, as far as it shows. */
export function styleOf(text: string, root: Collection | undefined): FileStyle {
  return {
    step: stepIn(text, root) ?? 2,
    lineBreak: lineBreakOf(text),
    ...(root?.entries[0]?.key?.type === 'double-quoted-scalar' ? { quotes: 'double' } : {}),
    isFlow: pointer => flowAt(root, segmentsOf(pointer)) ?? false,
  }
}

function stepIn(text: string, collection: Collection | undefined): number | undefined {
  if (collection?.style !== 'block' || collection.form !== 'map') return undefined
  for (const { value } of collection.entries) {
    const inside = collectionOf(value)
    if (inside?.style !== 'block' || inside.form !== 'map') continue
    return columnOf(text, inside.start) - columnOf(text, collection.start)
  }
  return undefined
}

/** What stands at this place for another environment, or in the declaration itself, is written in one way: so is what comes here. */
function flowAt(root: Collection | undefined, path: readonly string[]): boolean | undefined {
  const paths = [path, ...likePaths(root, path)]
  for (const each of paths) {
    const [above, last = ''] = [collectionAt(root, each.slice(0, -1)), each.at(-1)]
    const own = collectionOf(entryNamed(above, last)?.value)
    if (own) return own.style === 'flow'
    const beside = above?.entries.map(({ value }) => collectionOf(value)).find(one => one?.form === 'map')
    // The members of an object have nothing to do with each other.
    if (beside && each.length > 3) return beside.style === 'flow'
  }
  return undefined
}

function likePaths(root: Collection | undefined, path: readonly string[]): string[][] {
  const [section = '', name = '', member = '', , ...inside] = path
  if (member !== 'environments' || inside.length === 0) return []
  const all = collectionAt(root, [section, name, member])?.entries ?? []
  return [
    ...all.map(environment => [section, name, member, environment.name, ...inside]),
    [section, name, ...inside],
  ]
}

function collectionAt(root: Collection | undefined, path: readonly string[]): Collection | undefined {
  return path.reduce<Collection | undefined>(
    (at, segment) => collectionOf(entryNamed(at, segment)?.value),
    root,
  )
}
