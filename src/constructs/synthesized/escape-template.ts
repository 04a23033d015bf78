import { keptMark, withoutTemplates } from '../../hcl/literal-template.ts'
import { splitMarks } from '../engine/engine-marks.ts'
import { isReference } from './terraform-references.ts'

/**
 * A text in which Terraform finds nothing to work out but the references in it: `${` and `%{` that people wrote arrive
 * as they were written.
 */
export function escapeText(text: string): string {
  return joinReferences(splitMarks(text))
}

/** Joins pieces, those at the odd places being references already. */
export function joinReferences(pieces: readonly string[]): string {
  const last = pieces.length - 1
  const joined = pieces
    .map((piece, index) => {
      if (index % 2 === 1) return piece
      const escaped = withoutTemplates(piece)
      // A dollar sign right before a reference would make plain text of it.
      return index === last ? escaped : escaped.replace(/\$$/, '${"$"}')
    })
    .join('')
  return keptMark(joined)
}

/** The same for all the texts of a list or a map, and for whatever else a construct is given: that stays. */
export function escapeAll<Value>(value: Value): Value {
  // Each branch gives back what it was given, with other texts.
  return escaped(value) as Value
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null || isReference(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [escapeText(name), escaped(member)]),
  )
}
