import { type IResolvable, type IResolveContext, Token } from 'cdktf'
import { templatePieces, textOfLiteral, withoutGuard } from '../hcl/literal-template.ts'
import { hasOwnJson } from './argument.ts'
import { splitMarks } from './engine/engine-marks.ts'
import { escapeText, joinReferences, onlyExpression, quotedTemplate } from './templates.ts'

/** Pieces of JSON; every second piece is evaluated by Terraform. */
type Pieces = string[]

/** The names that lead to a value inside another one. */
type Path = readonly { readonly name: string; readonly within: object }[]

/** Writes what JSON itself does not define: texts, and values that are known only later. */
interface Special {
  readonly text: (text: string, pieces: Pieces, path: Path) => void
  /** The name of a member, which is always a text. */
  readonly name: (name: string, pieces: Pieces, path: Path) => void
  /** False for a value that is known. */
  readonly later: (value: object | number, pieces: Pieces, path: Path) => boolean
}

/** Appends a value to the pieces. */
function writeJson(value: unknown, pieces: Pieces, path: Path, special: Special): void {
  if (typeof value === 'string') special.text(value, pieces, path)
  else if (isSpecial(value) && special.later(value, pieces, path)) return
  else if (typeof value === 'object' && value !== null) writeObject(value, pieces, path, special)
  else write(scalarText(value, path), pieces)
}

function write(text: string, pieces: Pieces): void {
  pieces.push(`${pieces.pop() ?? ''}${text}`)
}

function writeExpression(expression: string, pieces: Pieces): void {
  pieces.push(expression, '')
}

function notJson(what: string, path: Path): Error {
  const names = path
    .map(({ name }) => name)
    .filter(name => name !== '')
    .join('.')
  return new TypeError(`${what}${names === '' ? '' : ` at "${names}"`} cannot be written as JSON`)
}

function isSpecial(value: unknown): value is object | number {
  return typeof value === 'number' || (typeof value === 'object' && value !== null)
}

function writeObject(value: object, pieces: Pieces, path: Path, special: Special): void {
  if (path.some(({ within }) => within === value)) throw notJson('a value that contains itself', path)
  const deeper = (name: string) => [...path, { name, within: value }]
  if (hasOwnJson(value)) {
    writeJson(value.toJSON(''), pieces, deeper(''), special)
  } else if (Array.isArray(value)) {
    writeBetween('[]', value.entries(), pieces, ([index, element]) =>
      writeJson(element ?? null, pieces, deeper(String(index)), special),
    )
  } else {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    writeBetween('{}', members, pieces, ([name, member]) => {
      special.name(name, pieces, path)
      write(':', pieces)
      writeJson(member, pieces, deeper(name), special)
    })
  }
}

function writeBetween<Member>(
  brackets: '[]' | '{}',
  members: Iterable<Member>,
  pieces: Pieces,
  writeMember: (member: Member) => void,
): void {
  write(brackets.slice(0, 1), pieces)
  let separator = ''
  for (const member of members) {
    write(separator, pieces)
    writeMember(member)
    separator = ','
  }
  write(brackets.slice(1), pieces)
}

function scalarText(value: unknown, path: Path): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value), path)
  const text = typeof value === 'bigint' ? undefined : JSON.stringify(value)
  if (text === undefined) throw notJson(value === undefined ? 'nothing' : `a ${typeof value}`, path)
  return text
}

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

/**
 * The result of a value that the engine resolves only at synthesis. Texts are templates then: a reference is
 * an expression in them, and a constant is the result of a `Lazy`.
 */
export class Later implements IResolvable {
  public readonly creationStack: string[] = []
  private readonly value: unknown
  private readonly make: (resolved: unknown) => unknown

  public constructor(value: unknown, make: (resolved: unknown) => unknown) {
    this.value = value
    this.make = make
  }

  public resolve(context: IResolveContext): unknown {
    const { suppressBraces = false } = context
    // Inside an expression the engine leaves the braces out, and then a reference looks like a text.
    context.suppressBraces = false
    const resolved: unknown = context.resolve(this.value)
    context.suppressBraces = suppressBraces
    const made = this.make(resolved)
    return suppressBraces ? expressionOf(made) : made
  }

  public toString(): string {
    return Token.asString(this)
  }

  /** Like the engine's own. */
  public toJSON(): string {
    return '<unresolved-later>'
  }
}

/** A template, or a list of them, as an expression of Terraform's own language; other values stay. */
export function expressionOf(made: unknown): unknown {
  if (Array.isArray(made)) return `[${made.map(expressionOf).join(', ')}]`
  return typeof made === 'string' ? (onlyExpression(made) ?? quotedTemplate(made)) : made
}
