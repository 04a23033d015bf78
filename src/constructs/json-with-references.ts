import { Fn, Token } from 'cdktf'
import { hasOwnJson } from './arguments/argument.ts'
import { splitMarks } from './engine/engine-marks.ts'
import { joinReferences } from './escape-template.ts'

/**
 * A value as JSON text for Terraform. Texts arrive as they are, whatever they hold, and a reference becomes the JSON of
 * what it stands for: `{ url: variable.stringValue }` is `{"url":${jsonencode(var.url)}}`. What the engines offer for
 * this loses the quotes inside of texts, and the meaning of numbers.
 */
export function jsonText(value: unknown): string {
  const pieces: string[] = ['']
  writeValue(value, pieces, [])
  return joinReferences(pieces)
}

/** Pieces of text, every second of them a reference. */
type Pieces = string[]
type Path = readonly { readonly name: string; readonly within: object }[]

function writeValue(value: unknown, pieces: Pieces, path: Path): void {
  if (typeof value === 'string') writeText(value, pieces)
  else if (value !== null && Token.isUnresolved(value)) writeReference(Fn.jsonencode(value), pieces)
  else if (typeof value === 'object' && value !== null) writeObject(value, pieces, path)
  else write(scalarText(value, path), pieces)
}

function writeText(text: string, pieces: Pieces): void {
  const parts = splitMarks(text)
  if (parts.length === 3 && parts[0] === '' && parts[2] === '') {
    writeReference(Fn.jsonencode(text), pieces)
    return
  }
  write('"', pieces)
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) writeReference(insideQuotes(part), pieces)
    else write(JSON.stringify(part).slice(1, -1), pieces)
  }
  write('"', pieces)
}

function writeObject(value: object, pieces: Pieces, path: Path): void {
  if (path.some(({ within }) => within === value)) throw notJson('a value that holds itself', path)
  const deeper = (name: string) => [...path, { name, within: value }]
  if (hasOwnJson(value)) {
    writeValue(value.toJSON(''), pieces, deeper(''))
  } else if (Array.isArray(value)) {
    writeBetween('[]', value.entries(), pieces, ([index, element]) =>
      writeValue(element ?? null, pieces, deeper(String(index))),
    )
  } else {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    writeBetween('{}', members, pieces, ([name, member]) => {
      writeText(name, pieces)
      write(':', pieces)
      writeValue(member, pieces, deeper(name))
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

/** The JSON of a text without the quotes around it, for a reference in the middle of one. */
function insideQuotes(reference: string): string {
  const quote = Fn.rawString('"')
  return Fn.trimsuffix(Fn.trimprefix(Fn.jsonencode(reference), quote), quote)
}

function write(text: string, pieces: Pieces): void {
  pieces.push(`${pieces.pop() ?? ''}${text}`)
}

function writeReference(reference: unknown, pieces: Pieces): void {
  pieces.push(Token.asString(reference), '')
}

function notJson(what: string, path: Path): Error {
  const names = path
    .map(({ name }) => name)
    .filter(name => name !== '')
    .join('.')
  return new TypeError(`${what}${names === '' ? '' : ` at "${names}"`} cannot be written as JSON`)
}
