import { type Flags, type Node, PatternError } from './node.ts'
import type { Reading } from './reading.ts'

/** Reads what stands in a group, under its own flags. */
export type ParseInner = (flags: Flags) => Node

/** What an opening parenthesis brings: a part of the expression, nothing, or flags for all that follows. */
export type Group = { readonly node: Node | undefined; readonly flags?: Flags }

type Flag = keyof Flags

const nothing: Node = { type: 'all', parts: [] }

/**
 * What stands after an opening parenthesis. [Python `re`: "(?...)"]
 *
 * | written                        | is                                                     |
 * |--------------------------------|--------------------------------------------------------|
 * | `(...)` `(?P<n>...)` `(?:...)` | a group                                                |
 * | `(?i)`, at the start alone     | flags for the whole expression                         |
 * | `(?i:...)` `(?-i:...)`         | flags for the group                                    |
 * | `(?#...)`                      | a comment                                              |
 * | `(?=` `(?!` `(?<=` `(?<!`      | read, left open: needs looking around                  |
 * | `(?P=n)` `(?(1)...)` `(?>...)` | read, left open: depends on what another part matched  |
 * | `(?<n>...)` and all others     | an error                                               |
 */
export function parseGroup(reading: Reading, flags: Flags, isFirst: boolean, inner: ParseInner): Group {
  const { scanner } = reading
  if (!scanner.take('?')) return { node: captured(reading, flags, inner) }
  const letter = scanner.next()
  switch (letter) {
    case 'P':
      return { node: parseNamed(reading, flags, inner) }
    case ':':
      return { node: closed(reading, flags, inner) }
    case '#':
      scanner.until(')')
      return { node: undefined }
    case '=':
    case '!':
    case '<':
      if (letter === '<' && !/[=!]/.test(scanner.next())) throw unknownGroup('<')
      reading.leaveOpen('it looks around')
      return { node: closed(reading, flags, inner) }
    case '>':
      reading.leaveOpen('it has an atomic group')
      return { node: closed(reading, flags, inner) }
    case '(':
      return { node: parseConditional(reading, flags, inner) }
    default:
      return parseFlags(reading, letter, flags, isFirst, inner)
  }
}

function parseNamed(reading: Reading, flags: Flags, inner: ParseInner): Node {
  const { scanner } = reading
  if (scanner.take('<')) return captured(reading, flags, inner, groupName(scanner.until('>')))
  if (!scanner.take('=')) throw unknownGroup('P')
  reading.refer(groupName(scanner.until(')')))
  return nothing
}

/** `(?(1)yes|no)`: at most two alternatives, of which an earlier group decides. */
function parseConditional(reading: Reading, flags: Flags, inner: ParseInner): Node {
  const condition = reading.scanner.until(')')
  reading.refer(/^\d+$/.test(condition) ? Number(condition) : groupName(condition))
  const node = closed(reading, flags, inner)
  if (node.type === 'any' && node.options.length > 2)
    throw new PatternError('a conditional group has at most two alternatives')
  return node
}

function parseFlags(
  reading: Reading,
  first: string,
  before: Flags,
  isFirst: boolean,
  inner: ParseInner,
): Group {
  const { scanner } = reading
  const letters = first + scanner.while(/[a-zA-Z-]/)
  const [, on = '', off] = /^([aimsux]*)(?:-([imsx]+))?$/.exec(letters) ?? []
  const isKnown = letters === `${on}${off === undefined ? '' : `-${off}`}` && letters !== ''
  if (!isKnown) throw unknownGroup(letters)
  const isGlobal = scanner.peek() === ')'
  if (/a.*u|u.*a/.test(on) || (isGlobal && before.a && on.includes('u')))
    throw new PatternError('the flags "a" and "u" exclude each other')
  const flags = { ...before }
  for (const flag of on) if (flag !== 'u') flags[flag as Flag] = true
  if (on.includes('u')) flags.a = false
  if (scanner.take(')') && off === undefined) {
    // Since Python 3.11 an error; before, flags for the whole expression wherever they stand.
    if (!isFirst) reading.leaveOpen('it has flags for the whole of it that are not at its start')
    return { node: undefined, flags }
  }
  if (!scanner.take(':')) throw new PatternError('flags end in ":" or ")"')
  for (const flag of off ?? '') {
    if (on.includes(flag)) throw new PatternError(`the flag "${flag}" is turned on and off`)
    flags[flag as Flag] = false
  }
  return { node: closed(reading, flags, inner) }
}

function captured(reading: Reading, flags: Flags, inner: ParseInner, name?: string): Node {
  const group = reading.openGroup(name)
  const node = closed(reading, flags, inner)
  reading.closeGroup(group)
  return node
}

function closed({ scanner }: Reading, flags: Flags, inner: ParseInner): Node {
  const node = inner(flags)
  if (!scanner.take(')')) throw new PatternError('a parenthesis is not closed')
  return node
}

function groupName(name: string): string {
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
    throw new PatternError(`"${name}" is no name of a group`)
  return name
}

function unknownGroup(letters: string): PatternError {
  return new PatternError(
    letters === '<' ? 'groups are named as (?P<name>...)' : `"(?${letters}" opens no group`,
  )
}
