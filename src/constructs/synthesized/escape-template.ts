import { keptMark, withoutTemplates } from '../../hcl/literal-template.ts'
import { splitMarks } from '../engine/engine-marks.ts'
import { isReference } from './terraform-references.ts'

/**
 * A text in which Terraform evaluates only the references: `${` and `%{` that people wrote stay
 * as they are.
 */
export function escapeText(text: string): string {
  return joinReferences(splitMarks(text))
}

/** Joins pieces; those at odd indexes are references already. */
export function joinReferences(pieces: readonly string[]): string {
  const last = pieces.length - 1
  const joined = pieces
    .map((piece, index) => {
      if (index % 2 === 1) return piece
      const escaped = withoutTemplates(piece)
      // A dollar sign directly before a reference would turn it into plain text.
      return index === last ? escaped : escaped.replace(/\$$/, '${"$"}')
    })
    .join('')
  return keptMark(joined)
}

/** The same for all texts in a list or a map; any other value stays. */
export function escapeAll<Value>(value: Value): Value {
  // Each branch returns its argument with other texts.
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
