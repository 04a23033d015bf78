import { canonicalText, isJsonArray, isJsonObject, isSameJson, type Json } from '../../model/json/json.ts'
import { longestText, quoted, textStep, valueText } from '../describe/value-words.ts'
import { align } from './align.ts'

/** The most lines for one value; the number of further lines is shown. */
const mostLines = 12

/**
 * What differs between two JSON values, by member, one line each: `limits  max.size: 1 -> 2`. Empty exactly when they
 * are the same.
 */
export function describeValueDifference(label: string, before: Json, after: Json): string[] {
  return limited(label, differences('', before, after))
}

/** The same for an absent member, if it is null. */
export function describeMemberDifference(label: string, before: Json, after: Json): string[] {
  if (before === null && after !== null) return limited(label, added('', after))
  if (after === null && before !== null) return limited(label, removed('', before))
  return describeValueDifference(label, before, after)
}

/** A value that is new to the reader: on one line when it is short, by member when it is not. */
export function describeValue(label: string, value: Json): string[] {
  return limited(
    label,
    parts('', value, text => `: ${text}`),
  )
}

/** `"old" -> "new"`, for values of which one has no members. */
function valueStep(before: Json, after: Json): string {
  if (typeof before === 'string' && typeof after === 'string') return textStep(before, after)
  return `${valueText(before)} -> ${valueText(after)}`
}

interface Line {
  readonly path: string
  readonly words: string
}

function limited(label: string, lines: readonly Line[]): string[] {
  const shown = lines
    .slice(0, mostLines)
    .map(({ path, words }) => (path === '' ? `${label}${words}` : `${label}  ${path}${words}`))
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `${label}  … and ${more} more`]
}

function differences(path: string, before: Json, after: Json): Line[] {
  if (isSameJson(before, after)) return []
  if (isJsonArray(before) && isJsonArray(after)) return listDifferences(path, before, after)
  if (!isJsonObject(before) || !isJsonObject(after)) return replaced(path, before, after)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap(name => {
    const at = memberPath(path, name)
    if (!Object.hasOwn(before, name)) return added(at, after[name] ?? null)
    if (!Object.hasOwn(after, name)) return removed(at, before[name] ?? null)
    return differences(at, before[name] ?? null, after[name] ?? null)
  })
}

/** A value that another one replaces; a value that would be cut off is shown in parts. */
function replaced(path: string, before: Json, after: Json): Line[] {
  const areTexts = typeof before === 'string' && typeof after === 'string'
  if (areTexts || (isShort(before) && isShort(after)))
    return [{ path, words: `: ${valueStep(before, after)}` }]
  return [...(before === null ? [] : removed(path, before)), ...(after === null ? [] : added(path, after))]
}

function listDifferences(path: string, before: readonly Json[], after: readonly Json[]): Line[] {
  const { pairs, removed: gone, added: fresh } = align(before, after, [canonicalText])
  return [
    ...pairs.flatMap(pair => [
      ...(pair.isMoved ? [{ path: `${path}[${pair.before}]`, words: ` moved to [${pair.after}]` }] : []),
      ...differences(`${path}[${pair.after}]`, before[pair.before] ?? null, after[pair.after] ?? null),
    ]),
    ...fresh.flatMap(at => added(`${path}[${at}]`, after[at] ?? null)),
    ...gone.flatMap(at => removed(`${path}[${at}]`, before[at] ?? null)),
  ]
}

function added(path: string, value: Json): Line[] {
  return parts(path, value, text => ` added: ${text}`)
}

function removed(path: string, value: Json): Line[] {
  return parts(path, value, text => ` removed, was ${text}`)
}

/** A value as one line, or in parts if it would be cut off. */
function parts(path: string, value: Json, say: (text: string) => string): Line[] {
  if ((!isJsonArray(value) && !isJsonObject(value)) || isShort(value))
    return [{ path, words: say(valueText(value)) }]
  if (isJsonArray(value)) return value.flatMap((element, at) => parts(`${path}[${at}]`, element, say))
  return Object.keys(value)
    .sort()
    .flatMap(name => parts(memberPath(path, name), value[name] ?? null, say))
}

/** Whether the words for a value show all of it. Also true for a text, whose beginning and end are shown. */
function isShort(value: Json): boolean {
  return (!isJsonArray(value) && !isJsonObject(value)) || canonicalText(value).length <= longestText
}

function memberPath(path: string, name: string): string {
  if (!/^[\p{L}\p{N}_$-]{1,60}$/u.test(name)) return `${path}[${quoted(name)}]`
  return path === '' ? name : `${path}.${name}`
}
