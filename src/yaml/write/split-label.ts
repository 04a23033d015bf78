import { ownersInTags } from '../../core/ownership.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { splitTags } from '../../rules/check-tag-member.ts'
import type { ExportedObject } from './exported-object.ts'
import type { Split } from './split-files.ts'

interface Declared {
  readonly name: string
  /** The same object in each of the environments that have it. */
  readonly objects: readonly ExportedObject[]
}

interface SplitOptions {
  readonly split: Split
  /** Tags that say nothing of an object. */
  readonly plainTags: readonly string[]
}

/**
 * What the file of a declaration is called.
 *
 * | split by | the file                                                                                       |
 * |----------|------------------------------------------------------------------------------------------------|
 * | tag      | the first of its tags by the alphabet, but for the ownership tag and those such as `owner:payments`; or `untagged` |
 * | owner    | its owner, of several the first by the alphabet; or `unowned`                                   |
 * | flag     | the key of the flag; other kinds have one for each kind                                         |
 * | none     | one for each kind                                                                               |
 *
 * Of several environments the last one decides that says something. Kinds without tags have a file for each kind.
 */
export function labelOf(kind: DeclarableKind, { name, objects }: Declared, options: SplitOptions): string {
  const { split } = options
  if (split === 'none') return kind.section
  if (split === 'flag') return targetingField(kind) === undefined ? kind.section : name
  if (kind.lifecycle.ownedBy === undefined) return kind.section
  const wordsOf = split === 'tag' ? tagsOf : ownersOf
  const said = objects.map(object => wordsOf(kind, object, options).toSorted(compareTexts)[0])
  return said.findLast(word => word !== undefined) ?? (split === 'tag' ? 'untagged' : 'unowned')
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
