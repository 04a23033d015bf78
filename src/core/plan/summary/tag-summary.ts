import { isJsonArray, type Json } from '../../../model/json/json.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import { memberOfTag, tagMemberNames } from '../../../model/tag-member.ts'
import { visible } from '../../../targeting/index.ts'
import { canonicalField } from '../../live.ts'

/**
 * What becomes of an object's tags. One that stands for a member of a declaration is said as the declaration says it,
 * `owner: payments -> growth`, where there is no more than one of its prefix before and after.
 */
export function tagSummary(kind: DeclarableKind, name: string, was: Json, becomes: Json): string[] {
  return stepsOf(kind, name, { was, becomes }, (before, after) => `${shown(before)} -> ${shown(after)}`)
}

/** The tags of a new object. */
export function newTagSummary(kind: DeclarableKind, name: string, becomes: Json): string[] {
  return stepsOf(kind, name, { was: null, becomes }, (_, after) => shown(after))
}

function stepsOf(
  kind: DeclarableKind,
  name: string,
  { was, becomes }: { readonly was: Json; readonly becomes: Json },
  words: (before: string | undefined, after: string | undefined) => string,
): string[] {
  const [old, now] = [
    elements(canonicalField(kind, name, was)),
    elements(canonicalField(kind, name, becomes)),
  ]
  const steps = tagMemberNames.flatMap(member => {
    const [before, after] = [valuesOf(member, old), valuesOf(member, now)]
    const isPlain = before.length <= 1 && after.length <= 1 && ![...before, ...after].includes('')
    if (!isPlain || before[0] === after[0]) return []
    return [{ member, said: `${member}: ${words(before[0], after[0])}` }]
  })
  const isSaid = (tag: string) => steps.some(({ member }) => memberOfTag(tag)?.member === member)
  const added = now.filter(tag => !old.includes(tag) && !isSaid(tag)).map(tag => `+${tag}`)
  const removed = old.filter(tag => !now.includes(tag) && !isSaid(tag)).map(tag => `-${tag}`)
  const others = [...added, ...removed]
  const said = steps.map(step => step.said)
  if (others.length > 0) return [...said, [name, ...others].map(visible).join(' ')]
  return said.length > 0 ? said : [`${name}: (none)`]
}

function valuesOf(member: string, tags: readonly string[]): string[] {
  return tags.flatMap(tag => {
    const said = memberOfTag(tag)
    return said?.member === member ? [said.value] : []
  })
}

function shown(value: string | undefined): string {
  return value === undefined ? '(none)' : visible(value)
}

function elements(value: Json): string[] {
  return isJsonArray(value) ? value.map(String) : []
}
