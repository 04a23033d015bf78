import { compareTexts } from '../model/text/names.ts'
import {
  collisionNotes,
  commentText,
  distinctNames,
  madeBy,
  namings,
  type PayloadType,
  payloadTypeOf,
  quotedText,
  type TypedFile,
  type TypedFlag,
} from './typed-flag.ts'

/** Typed keys for TypeScript: keys as members of `flags`, and the types of each flag by its key. */
export function typeScriptKeys(flags: readonly TypedFlag[]): TypedFile {
  const names = distinctNames(
    flags.map(({ key }) => key),
    namings.camel,
  )
  const nameOf = (key: string) => names.get(key) ?? key
  const sorted = [...flags].sort((one, other) => compareTexts(nameOf(one.key), nameOf(other.key)))
  const constants = sorted.flatMap(({ key, name }) => [
    ...comment(name, '  '),
    `  ${nameOf(key)}: ${quoted(key)},`,
  ])
  const variants = flags.flatMap(({ key, variants }) =>
    variants.length === 0 ? [] : [`  ${quoted(key)}: ${union(variants.map(quoted))}`],
  )
  const payloads = flags.flatMap(flag => {
    const type = payloadTypeOf(flag)
    return type ? [`  ${quoted(flag.key)}: ${typeText(type, '  ')}`] : []
  })
  const text = `// ${madeBy('--ts')}
/* eslint-disable */

/** The key of every declared flag. */
export const flags = ${block(constants)} as const

/** The key of a declared flag. */
export type FlagKey = (typeof flags)[keyof typeof flags]

/** The variants of each flag that has some. */
export interface FlagVariants ${block(variants)}

/** What code receives beside the value of each flag that has a payload. */
export interface FlagPayloads ${block(payloads)}

/** The value of a flag: one of its variants, or whether it is on. */
export type FlagValue<Key extends FlagKey> = Key extends keyof FlagVariants ? FlagVariants[Key] | false : boolean

/** The payload of a flag; never where none is declared. */
export type FlagPayload<Key extends FlagKey> = Key extends keyof FlagPayloads ? FlagPayloads[Key] : never
`
  return { text, notes: collisionNotes(names, namings.camel) }
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`
}

function comment(name: string | undefined, indent: string): string[] {
  const safe = commentText(name)?.replaceAll('*/', '* /')
  return safe ? [`${indent}/** ${safe} */`] : []
}

function typeText(type: PayloadType, indent: string): string {
  switch (type.is) {
    case 'unknown':
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return type.is
    case 'integer':
      return 'number'
    case 'choice':
      return union(type.values.map(value => (typeof value === 'string' ? quoted(value) : String(value))))
    case 'list':
      return `readonly (${typeText(type.of, indent)})[]`.replace(/^readonly \((\w+)\)\[\]$/, 'readonly $1[]')
    case 'map':
      return `{ readonly [name: string]: ${typeText(type.of, indent)} }`
    case 'object': {
      const inner = `${indent}  `
      const members = type.members.map(
        member =>
          `${inner}readonly ${propertyName(member.name)}${member.isOptional ? '?' : ''}: ${typeText(member.type, inner)}`,
      )
      return members.length === 0
        ? '{ readonly [name: string]: never }'
        : `{\n${members.join('\n')}\n${indent}}`
    }
    case 'either':
      return union(type.types.map(each => typeText(each, indent)))
  }
}

function union(types: readonly string[]): string {
  return types.join(' | ')
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** A text in single quotes. */
function quoted(text: string): string {
  const inside = quotedText(text, digits => `\\u{${digits}}`).slice(1, -1)
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
