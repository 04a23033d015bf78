import { isJsonArray, isJsonObject, isSameJson, type Json } from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import type { DeclarationFile } from '../declaration.ts'
import { parseYaml } from '../parse/parse-yaml.ts'
import type { EditedFile } from './edit-declarations.ts'
import { editText, type TextChange } from './edit-text.ts'
import {
  collectionOf,
  type Entry,
  entryNamed,
  lineEnd,
  lineStart,
  nextLine,
  readTree,
  type Splice,
  splice,
} from './yaml-tree.ts'

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
  const value = parseYaml(text, file).value ?? null
  const left = leftOf(value, pointers)
  const names = Object.keys(isJsonObject(left) ? left : {})
  if (names.length === 0 && mayGo) return { file, before: text, after: '', isRemoved: true }
  const changes = changesTo(value, left, pointers)
  const places = changes.flatMap(({ pointer, value: kept }) => (kept === undefined ? [pointer] : []))
  const bare = withoutComments(text, file, places)
  const edited = editText(file, bare, changes)
  return 'problem' in edited ? edited : { file, before: text, after: edited.text }
}

/** The value of a file without some objects of its sections and some elements of its lists. */
function leftOf(value: Json, pointers: readonly string[]): Json {
  const gone = new Set(pointers)
  const sections = Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, section]) => {
    const isLeft = (inside: string | number) => !gone.has(pointerOf(name, inside))
    const left = isJsonArray(section)
      ? section.filter((_, index) => isLeft(index))
      : isJsonObject(section)
        ? Object.fromEntries(Object.entries(section).filter(([key]) => isLeft(key)))
        : section
    const isEmptied = typeof left === 'object' && left !== null && Object.keys(left).length === 0
    const wasEmpty = isSameJson(left, section)
    return isEmptied && !wasEmpty ? [] : [[name, left] as const]
  })
  return Object.fromEntries(sections)
}

/** The same as changes of a text: a file without other content keeps its first section, empty. */
function changesTo(value: Json, left: Json, pointers: readonly string[]): TextChange[] {
  const sections = new Set(pointers.map(pointer => segmentsOf(pointer)[0] ?? ''))
  const isBare = isJsonObject(left) && Object.keys(left).length === 0
  return [...sections].flatMap((section, index): TextChange[] => {
    const whole = pointerOf(section)
    const rest = getAt(left, whole)
    if (rest === undefined) return [{ pointer: whole, value: isBare && index === 0 ? {} : undefined }]
    if (isJsonArray(getAt(value, whole) ?? null)) return [{ pointer: whole, value: rest }]
    const own = pointers.filter(pointer => segmentsOf(pointer)[0] === section)
    return own.map(pointer => ({ pointer, value: undefined }))
  })
}

/**
 * The same text without the comments right above some entries, and without the blank line that would be one
 * too many when they are gone. Its value stays the same.
 */
function withoutComments(text: string, file: string, pointers: readonly string[]): string {
  const root = readTree(text)
  const splices = pointers.flatMap(pointer => {
    const found = entryAt(root, segmentsOf(pointer))
    return found ? around(text, found) : []
  })
  const bare = splice(text, splices)
  const parsed = (each: string) => parseYaml(each, file).value ?? null
  return isSameJson(parsed(bare), parsed(text)) ? bare : text
}

interface FoundEntry {
  readonly entry: Entry
  readonly isFirst: boolean
}

function entryAt(root: ReturnType<typeof readTree>, path: readonly string[]): FoundEntry | undefined {
  let token = root
  let found: FoundEntry | undefined
  for (const name of path) {
    const collection = collectionOf(token)
    const entry = entryNamed(collection, name)
    found = entry && { entry, isFirst: collection?.entries[0] === entry }
    token = entry?.value
  }
  return found
}

function around(text: string, { entry: { start, end }, isFirst }: FoundEntry): Splice[] {
  const own = lineStart(text, start)
  const indentation = text.slice(own, start)
  // In a flow, lines above may belong to something else too.
  if (indentation.trim() !== '') return []
  let first = own
  const isComment = (line: string) => line.startsWith(`${indentation}#`)
  while (first > 0 && isComment(lineAt(text, lineStart(text, first - 1)))) first = lineStart(text, first - 1)
  const behind = nextLine(text, end)
  const isBlank = (at: number) => lineAt(text, at).trim() === ''
  const above = first > 0 ? lineStart(text, first - 1) : undefined
  const isEnd = behind >= text.length
  const isBlankBehind = isEnd || isBlank(behind)
  const isBlankAbove = above !== undefined && isBlank(above)
  if (isBlankAbove && isBlankBehind) first = above
  return [
    ...(first < own ? [{ start: first, end: own, text: '' }] : []),
    ...(isFirst && !isBlankAbove && isBlankBehind && !isEnd
      ? [{ start: behind, end: nextLine(text, behind), text: '' }]
      : []),
  ]
}

function lineAt(text: string, offset: number): string {
  return text.slice(offset, lineEnd(text, offset))
}
