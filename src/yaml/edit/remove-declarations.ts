import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import type { DeclarationFile } from '../declaration.ts'
import { parseYaml } from '../parse/parse-yaml.ts'
import type { EditedFile } from './edit-declarations.ts'
import { rewriteText } from './edit-text.ts'

/** A member of a section, or an element of a list: an object, a grant, the tests of a flag. */
export interface DeclaredPart {
  readonly file: Pick<DeclarationFile, 'parsed'>
  readonly pointer: string
}

export interface RemovalOptions {
  /** Files with earlier edits. */
  readonly edited?: ReadonlyMap<string, string>
  /** Whether an empty file is removed, or stays with an empty section. */
  removesFile(file: string): boolean
}

type Removed = { readonly files: readonly EditedFile[] } | { readonly problems: readonly Problem[] }

/**
 * The texts of files without some of their declarations; nothing is written. Each is removed whole, with the
 * comment right above it; an empty section is removed as well.
 */
export function removeDeclarations(
  parts: readonly DeclaredPart[],
  { edited, removesFile }: RemovalOptions,
): Removed {
  const nameOf = ({ file }: DeclaredPart) => file.parsed.file
  const files = [...new Set(parts.map(nameOf))].map(name => {
    const own = parts.filter(part => nameOf(part) === name)
    const text = edited?.get(name) ?? own[0]?.file.parsed.text ?? ''
    return without(
      { file: name, text },
      own.map(({ pointer }) => pointer),
      removesFile(name),
    )
  })
  const problems = files.flatMap(file => ('problem' in file ? [file.problem] : []))
  if (problems.length > 0) return { problems }
  return { files: files.flatMap(file => ('problem' in file ? [] : [file])) }
}

function without(
  { file, text }: { readonly file: string; readonly text: string },
  pointers: readonly string[],
  mayGo: boolean,
): EditedFile | { readonly problem: Problem } {
  const parsed = parseYaml(text, file)
  const value = isJsonObject(parsed.value) ? parsed.value : {}
  const emptied = sectionsEmptiedBy(pointers, value)
  const isBare = emptied.length === Object.keys(value).length
  if (isBare && mayGo) return { file, before: text, after: '', isRemoved: true }
  // A file without other content keeps its first section, empty.
  const kept = isBare ? emptied[0] : undefined
  const gone = new Set([...pointers, ...emptied.filter(name => name !== kept).map(name => pointerOf(name))])
  const sections = Object.entries(value).flatMap(([name, section]): [string, Json][] => {
    if (gone.has(pointerOf(name))) return []
    const isRest = (inside: string | number) => !gone.has(pointerOf(name, inside))
    if (isJsonArray(section) && name !== kept) return [[name, section.filter((_, index) => isRest(index))]]
    return [[name, isJsonObject(section) ? pickMembers(section, (_, inside) => isRest(inside)) : {}]]
  })
  const edited = rewriteText(parsed, Object.fromEntries(sections), gone)
  return 'problem' in edited ? edited : { file, before: text, after: edited.text }
}

/** The sections without anything else, in the order of the pointers. */
function sectionsEmptiedBy(pointers: readonly string[], value: JsonObject): string[] {
  const gone = new Set(pointers)
  const sections = new Set(pointers.map(pointer => segmentsOf(pointer)[0] ?? ''))
  return [...sections].filter(name =>
    Object.keys(value[name] ?? {}).every(inside => gone.has(pointerOf(name, inside))),
  )
}
