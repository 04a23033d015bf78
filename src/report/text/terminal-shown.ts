import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import type { ShownLeaf, ShownObject } from '../../model/shown-object.ts'
import { columnsOf, padColumns } from '../../model/text/columns.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { placeOf } from '../object-names.ts'
import type { Style } from './style.ts'

/** Where the places begin; a longer line pushes its own to the right. */
const widestLine = 56

interface Line {
  readonly text: string
  /** Where it comes from, for a line that holds a value. */
  readonly leaf?: Pick<ShownLeaf, 'source' | 'by' | 'audience'>
}

/** An object as YAML, with the place of each value behind it. */
export function shownText(shown: ShownObject, style: Style): string {
  const { section, name, source, environment } = shown
  const byPointer = new Map(shown.leaves.map(leaf => [leaf.pointer, leaf]))
  const lines: Line[] = [
    { text: `${keyText(section)}:` },
    { text: `  ${keyText(name)}:`, leaf: { source, by: 'declaration' } },
    ...valueLines(shown.value, '', '    ', { byPointer, leaves: shown.leaves }),
  ]
  const width = Math.min(widestLine, Math.max(...lines.map(({ text }) => columnsOf(text))))
  return lines
    .map(({ text, leaf }) =>
      leaf ? `${padColumns(text, width)}  ${style.dim(`# ${noteOf(leaf, environment)}`)}\n` : `${text}\n`,
    )
    .join('')
}

interface Leaves {
  readonly byPointer: ReadonlyMap<string, ShownLeaf>
  readonly leaves: readonly ShownLeaf[]
}

function valueLines(value: Json, pointer: string, indent: string, leaves: Leaves): Line[] {
  const entries: (readonly [string, Json, string])[] = isJsonArray(value)
    ? value.map((element, index) => ['-', element, pointer + pointerOf(index)])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, member]) => [`${keyText(key)}:`, member, pointer + pointerOf(key)])
      : []
  return entries.flatMap(([head, member, at]) => {
    const leaf = leaves.byPointer.get(at)
    if (!leaf) return [{ text: `${indent}${head}` }, ...valueLines(member, at, `${indent}  `, leaves)]
    return [
      { text: `${indent}${head} ${scalarText(member)}`, leaf },
      ...sharedLines(at, `${indent}  `, leaves),
    ]
  })
}

/** What an audience says stands below its name, and is no part of the declaration. */
function sharedLines(pointer: string, indent: string, { leaves }: Leaves): Line[] {
  return leaves
    .filter(leaf => leaf.by === 'audience' && leaf.pointer.startsWith(`${pointer}/`))
    .map(leaf => {
      const steps = segmentsOf(leaf.pointer.slice(pointer.length)).map(stepText)
      return { text: `${indent}# ${steps.join(' ')}: ${scalarText(leaf.value)}`, leaf }
    })
}

function noteOf(
  { source, by, audience }: NonNullable<Line['leaf']>,
  environment: string | undefined,
): string {
  switch (by) {
    case 'declaration':
      return placeOf(source)
    case 'override':
      return `${placeOf(source)} (${escapeText(environment ?? '')})`
    case 'default':
      return `${placeOf(source)} (default)`
    case 'audience':
      return `${placeOf(source)} (audience ${escapeText(audience ?? '')})`
  }
}

function keyText(key: string): string {
  return isPlain(key) ? key : quotedText(key)
}

/** The number of an element is no key. */
function stepText(step: string): string {
  return /^\d+$/.test(step) ? step : keyText(step)
}

function scalarText(value: Json): string {
  if (typeof value === 'string') return isPlain(value) ? value : quotedText(value)
  return canonicalText(value)
}

function quotedText(text: string): string {
  return escapeText(JSON.stringify(text))
}

/** Words that mean something else without quotes to one reader or another. */
const otherWords = /^(?:y|n|yes|no|on|off|true|false|null)$/i

function isPlain(text: string): boolean {
  return /^[A-Za-z_][\w.@/-]*(?: [\w.@/-]+)*$/.test(text) && !otherWords.test(text)
}
