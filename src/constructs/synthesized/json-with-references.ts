import { Token } from 'cdktf'
import { textOfLiteral, withoutGuard } from '../../hcl/literal-template.ts'
import { splitMarks } from '../engine/engine-marks.ts'
import { escapeText, joinReferences } from './escape-template.ts'
import { expressionOf, Later } from './later.ts'
import { onlyExpression, templatePieces } from './template-pieces.ts'
import {
  notJson,
  type Path,
  type Pieces,
  type Special,
  write,
  writeExpression,
  writeJson,
} from './write-json.ts'

/**
 * A value as JSON text for Terraform. Texts stay as they are, whatever they contain. Values that the engine
 * resolves only at synthesis are written then, and a reference becomes the JSON of its value:
 *
 * | given                                 | synthesized                         |
 * |---------------------------------------|-------------------------------------|
 * | `{ url: variable.stringValue }`       | `{"url":${jsonencode(var.url)}}`    |
 * | `` `to ${variable.stringValue}` ``    | `${jsonencode("to ${var.url}")}`    |
 * | a `Lazy` that produces the text `1.10` | `"1.10"`                            |
 *
 * The engines' own function for this loses the quotes inside texts, and the type of numbers.
 */
export function jsonText(value: unknown): string {
  return textOf(value, [], asGiven)
}

function textOf(value: unknown, path: Path, special: Special): string {
  const pieces: string[] = ['']
  writeJson(value, pieces, path, special)
  return joinReferences(pieces)
}

/** While a stack is made: texts are what people wrote, with the engine's marks in them. */
const asGiven: Special = {
  text: (text, pieces, path) => writeGiven(text, pieces, path, asResolved.text),
  name: (name, pieces, path) => writeGiven(name, pieces, path, asResolved.name),
  later: (value, pieces, path) => {
    if (!Token.isUnresolved(value)) return false
    writeExpression(laterJson(value, path), pieces)
    return true
  },
}

function writeGiven(text: string, pieces: Pieces, path: Path, writeText: Special['text']): void {
  if (splitMarks(text).length === 1) write(JSON.stringify(text), pieces)
  else writeExpression(laterJson(escapeText(text), path, writeText), pieces)
}

/** After the engine has resolved everything: texts are templates, and references are expressions in them. */
const asResolved: Special = {
  text: (text, pieces) => writeResolved(text, pieces, expressionOf),
  name: (name, pieces) => writeResolved(name, pieces, nameExpression),
  later: () => false,
}

/** A reference as a whole name may be a number, whose JSON has no quotes. */
function nameExpression(template: string): unknown {
  const expression = onlyExpression(template)
  return expression === undefined ? expressionOf(template) : `tostring(${expression})`
}

function writeResolved(text: string, pieces: Pieces, expression: (template: string) => unknown): void {
  const template = withoutGuard(text)
  if (templatePieces(template).length === 1) write(JSON.stringify(textOfLiteral(template)), pieces)
  else writeExpression(`\${jsonencode(${expression(template)})}`, pieces)
}

/** The JSON of a value that the engine resolves at synthesis, which may be a reference or not. */
function laterJson(value: unknown, path: Path, writeText = asResolved.text): string {
  const later = new Later(value, resolved => {
    // The engine leaves out a value that is nothing as a whole.
    if (resolved === undefined && path.length === 0) return undefined
    if (resolved === undefined) throw notJson('nothing', path)
    return textOf(resolved, path, { ...asResolved, text: writeText })
  })
  return Token.asString(later)
}
