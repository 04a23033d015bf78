import { hasOwnJson } from '../arguments/argument.ts'

/** Pieces of JSON; every second piece is evaluated by Terraform. */
export type Pieces = string[]

/** The names that lead to a value inside another one. */
export type Path = readonly { readonly name: string; readonly within: object }[]

/** Writes what JSON itself does not define: texts, and values that are known only later. */
export interface Special {
  readonly text: (text: string, pieces: Pieces, path: Path) => void
  /** The name of a member, which is always a text. */
  readonly name: (name: string, pieces: Pieces, path: Path) => void
  /** False for a value that is known. */
  readonly later: (value: object | number, pieces: Pieces, path: Path) => boolean
}

/** Appends a value to the pieces. */
export function writeJson(value: unknown, pieces: Pieces, path: Path, special: Special): void {
  if (typeof value === 'string') special.text(value, pieces, path)
  else if (isSpecial(value) && special.later(value, pieces, path)) return
  else if (typeof value === 'object' && value !== null) writeObject(value, pieces, path, special)
  else write(scalarText(value, path), pieces)
}

export function write(text: string, pieces: Pieces): void {
  pieces.push(`${pieces.pop() ?? ''}${text}`)
}

export function writeExpression(expression: string, pieces: Pieces): void {
  pieces.push(expression, '')
}

export function notJson(what: string, path: Path): Error {
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
  if (path.some(({ within }) => within === value)) throw notJson('a value that holds itself', path)
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
