import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { DeclarationFile } from '../declaration.ts'

/** A member of a section, or an element of a list: an object, a grant, the tests of a flag. */
export interface DeclaredPart {
  readonly file: Pick<DeclarationFile, 'parsed'>
  readonly pointer: string
}

export interface Removal {
  readonly parts: readonly DeclaredPart[]
  /** Whether an empty file is removed, or stays with an empty section. */
  removesFile(file: string): boolean
}

/** The value of a file without some of its parts and the sections that they empty. */
export interface WithoutParts {
  readonly value: JsonObject
  /** The pointers of all that is removed. */
  readonly gone: ReadonlySet<string>
  /** Whether there is nothing else in it: then the first section stays, empty. */
  readonly isBare: boolean
}

export function withoutParts(file: Json, pointers: readonly string[]): WithoutParts {
  const value = isJsonObject(file) ? file : {}
  const parts = new Set(pointers)
  const sections = [...new Set(pointers.map(pointer => segmentsOf(pointer)[0] ?? ''))]
  const emptied = sections.filter(name =>
    Object.keys(value[name] ?? {}).every(inside => parts.has(pointerOf(name, inside))),
  )
  const isBare = emptied.length === Object.keys(value).length
  const kept = isBare ? emptied[0] : undefined
  const gone = new Set([...pointers, ...emptied.filter(name => name !== kept).map(name => pointerOf(name))])
  const rest = Object.entries(value).flatMap(([name, section]): [string, Json][] => {
    if (gone.has(pointerOf(name))) return []
    const isRest = (inside: string | number) => !gone.has(pointerOf(name, inside))
    if (isJsonArray(section) && name !== kept) return [[name, section.filter((_, index) => isRest(index))]]
    return [[name, isJsonObject(section) ? pickMembers(section, (_, inside) => isRest(inside)) : section]]
  })
  return {
    value: { ...Object.fromEntries(rest), ...(kept === undefined ? {} : { [kept]: {} }) },
    gone,
    isBare,
  }
}
