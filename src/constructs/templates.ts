import { keptMark, templatePieces, withoutTemplates } from '../hcl/literal-template.ts'
import { isJsonObject } from '../model/text/json.ts'
import { type PartlyKnown, unknownHere } from '../rules/contradictions.ts'
import { hasMark, isMarkedNumber, markedForm, splitMarks } from './engine/engine-marks.ts'

/** A template in Terraform's own language: in quotes, for an argument of a function. */
export function quotedTemplate(template: string): string {
  const quoted = templatePieces(template).map((piece, index) =>
    index % 2 === 1 ? piece : escapedText(piece),
  )
  return `"${quoted.join('')}"`
}

/** The expression that is all of a template, without its braces; undefined for any other template. */
export function onlyExpression(template: string): string | undefined {
  const [before, expression = '', after, ...more] = templatePieces(template)
  const isAll = before === '' && after === '' && more.length === 0
  return isAll && expression.startsWith('$') ? expression.slice(2, -1) : undefined
}

/** Escaped as in JSON, except for two short forms that Terraform's language does not have. */
function escapedText(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\(.)/g, (whole, sign: string) => ({ b: '\\u0008', f: '\\u000c' })[sign] ?? whole)
}

/** Terraform evaluates only the references: `${` and `%{` that people wrote stay as they are. */
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

/**
 * Whether a value is known only at plan time, as `variable.stringValue` and `flag.id` are. Value objects
 * accept such values, without asking the engine for them.
 */
export function isReference(value: unknown): boolean {
  if (typeof value === 'number') return isMarkedNumber(value)
  if (typeof value === 'string') return hasMark(value)
  return (
    typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'
  )
}

/** Whether Terraform evaluates a part of a text: a reference, or an expression that people wrote. */
export function hasExpression(value: unknown): boolean {
  return typeof value === 'string' && (hasMark(value) || templatePieces(value).length > 1)
}

/** Whether a value is a reference or contains one. */
export function hasReference(value: unknown): boolean {
  if (isReference(value)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => hasMark(name) || hasReference(member))
}

/** A value for the rules of declared objects, which treat references as unknown values. */
export function partlyKnown(value: unknown): PartlyKnown {
  // A value without references is JSON; if it is not, writing its text finds that.
  if (!hasReference(value)) return value as PartlyKnown
  if (isReference(value) || markedForm(value) !== undefined) return unknownHere
  if (Array.isArray(value)) return value.map(partlyKnown)
  if (!isJsonObject(value)) return unknownHere
  // A member whose name is a reference may have any name, so its value is unknown.
  const members = Object.entries(value).map(([name, member]) => [
    name,
    hasMark(name) ? unknownHere : partlyKnown(member),
  ])
  return Object.fromEntries(members)
}
