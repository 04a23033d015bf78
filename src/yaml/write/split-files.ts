import { ownersInTags } from '../../core/ownership.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { largestFile } from '../../model/limits.ts'
import { isSameJson, type JsonObject } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { splitTags } from '../../rules/check-field.ts'
import { settingsFiles } from '../read/open-folder.ts'
import { parseYaml } from '../read/parse-yaml.ts'
import type { ExportedObject, TextFile } from './declaration-of.ts'
import { blockLines } from './yaml-tree.ts'

/** How declarations are split into files: one for each tag, owner or flag, or one for each kind. */
export const splits = ['tag', 'owner', 'flag', 'none'] as const

export type Split = (typeof splits)[number]

/** Texts of one section for one file, or for as many as they need. */
export interface SectionText {
  /** The wanted name of the file; sections with equal labels go to one file. */
  readonly label: string
  readonly section: string
  readonly texts: readonly string[]
}

/**
 * Puts sections with one label into one file, up to the size limit. Names are safe on every file system, and
 * none is that of a file in `taken`: an existing file may be somebody's work.
 */
export function placeSections(sections: readonly SectionText[], taken: Iterable<string>): TextFile[] {
  const names = new Set([...taken].map(name => name.toLowerCase()))
  const files = new Map<string, TextFile[]>()
  for (const { label, texts } of sections) {
    const ofLabel = files.get(label) ?? []
    files.set(label, ofLabel)
    const [first = '', ...rest] = texts
    const [start] = ofLabel
    const joined = start && `${start.text}${withoutComment(first)}`
    // Further parts of one section are files of their own; only the first one joins other sections.
    if (start && joined !== undefined && Buffer.byteLength(joined) <= largestFile)
      ofLabel[0] = { ...start, text: joined }
    else ofLabel.push({ path: freeName(label, names), text: first })
    for (const text of rest) ofLabel.push({ path: freeName(label, names), text })
  }
  return [...files.values()].flat()
}

/** `payments.yaml`, `payments-2.yaml` and so on: the first free name, which is then taken. */
function freeName(label: string, taken: Set<string>): string {
  const stem = safeStem(label)
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.yaml`
    if (taken.has(name) || settingsFiles.some(file => file === name)) continue
    taken.add(name)
    return name
  }
}

/** A name that every file system accepts unchanged and keeps distinct from the others. */
function safeStem(label: string): string {
  const stem = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longest)
    .replace(/-+$/, '')
  if (stem === '') return 'other'
  return devices.test(stem) ? `${stem}-flags` : stem
}

/** The longest name, without its end. */
const longest = 80
/** Names that Windows reads as a device, whatever comes after a dot. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

interface Declared {
  readonly name: string
  /** The same object in each of the environments that have it. */
  readonly objects: readonly ExportedObject[]
}

interface SplitOptions {
  readonly split: Split
  /** Tags that do not describe an object. */
  readonly plainTags: readonly string[]
}

/**
 * The name of a declaration's file.
 *
 * | split by | the file                                                                                               |
 * |----------|--------------------------------------------------------------------------------------------------------|
 * | tag      | its first tag by the alphabet, without the ownership tag and tags like `owner:payments`; or `untagged` |
 * | owner    | its owner, of several the first by the alphabet; or `unowned`                                          |
 * | flag     | the key of the flag; other kinds have one for each kind                                                |
 * | none     | one for each kind                                                                                      |
 *
 * If several environments have a value, the last one decides. Kinds without tags have a file for each kind.
 */
export function labelOf(kind: DeclarableKind, { name, objects }: Declared, options: SplitOptions): string {
  const { split } = options
  if (split === 'none') return kind.section
  if (split === 'flag') return targetingField(kind) === undefined ? kind.section : name
  if (kind.lifecycle.ownedBy === undefined) return kind.section
  const wordsOf = split === 'tag' ? tagsOf : ownersOf
  const words = objects.map(object => wordsOf(kind, object, options).toSorted(compareTexts)[0])
  return words.findLast(word => word !== undefined) ?? (split === 'tag' ? 'untagged' : 'unowned')
}

function ownersOf(kind: DeclarableKind, { fields }: ExportedObject): readonly string[] {
  return ownersInTags(kind, fields)
}

function tagsOf(
  kind: DeclarableKind,
  { fields }: ExportedObject,
  { plainTags }: SplitOptions,
): readonly string[] {
  const { tags } = splitTags(kind, fields[kind.lifecycle.ownedBy ?? ''] ?? [])
  const plain = new Set(plainTags.map(tag => tag.trim().toLowerCase()))
  return (Array.isArray(tags) ? tags : []).filter(
    (tag): tag is string => typeof tag === 'string' && !plain.has(tag.trim().toLowerCase()),
  )
}

export interface Entry {
  readonly name: string
  readonly members: JsonObject
}

export interface WrittenSection {
  /** As many files as it needs. */
  readonly texts: readonly string[]
  /** Objects that cannot be written so that they can be read back, and the reason. */
  readonly unwritten: ReadonlyMap<string, string>
}

/** Writes a section, and reads it back with the reader that a plan uses, as a check. */
export function writeSection(section: string, entries: readonly Entry[], schema: string): WrittenSection {
  if (entries.length === 0) return { texts: [], unwritten: new Map() }
  const whole = tryWriting(section, entries, schema)
  if ('text' in whole) return { texts: [whole.text], unwritten: new Map() }
  const unwritten = new Map(
    entries.flatMap(entry => {
      const alone = tryWriting(section, [entry], schema)
      return 'text' in alone ? [] : [[entry.name, alone.reason] as const]
    }),
  )
  const rest = entries.filter(({ name }) => !unwritten.has(name))
  return { texts: inParts(section, rest, schema), unwritten }
}

/** Objects that are valid one by one may be too much for one file. */
function inParts(section: string, entries: readonly Entry[], schema: string): string[] {
  if (entries.length === 0) return []
  const written = tryWriting(section, entries, schema)
  if ('text' in written) return [written.text]
  if (entries.length === 1)
    throw new Error(`this object already has a written declaration, but not now: ${written.reason}`)
  const middle = Math.ceil(entries.length / 2)
  return [entries.slice(0, middle), entries.slice(middle)].flatMap(half => inParts(section, half, schema))
}

function tryWriting(
  section: string,
  entries: readonly Entry[],
  schema: string,
): { readonly text: string } | { readonly reason: string } {
  const value = { [section]: Object.fromEntries(entries.map(({ name, members }) => [name, members])) }
  const text = writeYaml(value, schema)
  if (Buffer.byteLength(text) > largestFile) return { reason: 'its declaration is larger than a file may be' }
  const read = parseYaml(text, section)
  const problem = read.problems.find(({ severity }) => severity === 'error')
  if (problem) return { reason: problem.message }
  return isSameJson(read.value ?? null, value)
    ? { text }
    : { reason: 'its declaration would be read with another meaning' }
}

/** A document of declarations as YAML text, with a comment by which editors find the schema, at a relative path. */
export function writeYaml(value: JsonObject, schema: string): string {
  const style = { step: 2, lineBreak: '\n', isFlow: () => false }
  const lines = blockLines(value, { column: 0, pointer: '', style })
  return `# yaml-language-server: $schema=${schema}\n\n${lines.join('\n')}\n`
}

/** The same without the comment, to be appended to other declarations. */
export function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}
