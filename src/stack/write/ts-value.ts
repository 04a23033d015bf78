import { BigNum } from '../../hcl/json.ts'
import { literalTemplate, withoutTemplates } from '../../hcl/literal-template.ts'
import { canonicalText, type Json } from '../../model/json/json.ts'
import { unseen } from './hcl-value.ts'
import type { WrittenReference, WrittenValue } from './written-value.ts'

/** Columns of a line; a value that is longer goes over several, where it can. */
const width = 100

/** What a program calls things. */
export interface TsNames {
  /** The property of an attribute. */
  property(attribute: string): string
  /** The variable of a resource. */
  variable(to: WrittenReference): string
}

/** A value in TypeScript, with names of attributes as properties have them; names of maps and of JSON stay. */
export function tsText(written: WrittenValue, names: TsNames, indent: string): string {
  return text(written, indent, { names, isPlain: false, quoted: tsQuoted })
}

/** A text of the program in which Terraform finds nothing to work out. */
export function tsQuoted(value: string): string {
  return quotedLiteral(literalTemplate(value))
}

/** The same within a text of JSON, at whose beginning it does not stand. */
function tsQuotedInside(value: string): string {
  return quotedLiteral(withoutTemplates(value))
}

function quotedLiteral(literal: string): string {
  const quoted = /['"\\]/.test(literal)
    ? JSON.stringify(literal)
    : `'${JSON.stringify(literal).slice(1, -1)}'`
  return quoted.replace(unseen, sign => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}

interface Writing {
  readonly names: TsNames
  /** Whether names are what they are: those of JSON, and of maps. */
  readonly isPlain: boolean
  readonly quoted: (value: string) => string
}

function text(written: WrittenValue, indent: string, writing: Writing): string {
  const inside = `${indent}  `
  switch (written.is) {
    case 'value': {
      const { value } = written
      if (typeof value === 'string') return writing.quoted(value)
      return value instanceof BigNum ? value.text : String(value)
    }
    case 'list':
      return enclosed(
        '[',
        written.elements.map(element => text(element, inside, writing)),
        ']',
        indent,
      )
    case 'members': {
      const isMap = writing.isPlain
      const members = Object.entries(written.members).map(([name, member]) => {
        const isText = !isMap && name === 'source'
        const key = isMap ? keyText(name, writing) : writing.names.property(name)
        return `${key}: ${text(member, inside, { ...writing, isPlain: isMap || isText })}`
      })
      return enclosed('{', members, '}', indent)
    }
    case 'json':
      // A number that no double says would be another one.
      return hasBigNumber(written.of)
        ? tsQuoted(canonicalText(plainOf(written.of)))
        : `JSON.stringify(${text(written.of, indent, { ...writing, isPlain: true, quoted: tsQuotedInside })})`
    case 'reference':
      return `${writing.names.variable(written.to)}.${writing.names.property(written.to.attribute)}`
    case 'address':
      return tsQuoted(written.text)
  }
}

function enclosed(open: string, parts: readonly string[], close: string, indent: string): string {
  if (parts.length === 0) return `${open}${close}`
  const space = open === '{' ? ' ' : ''
  const inline = `${open}${space}${parts.join(', ')}${space}${close}`
  if (indent.length + inline.length <= width && !inline.includes('\n')) return inline
  return `${open}\n${parts.map(part => `${indent}  ${part},\n`).join('')}${indent}${close}`
}

function keyText(name: string, { quoted }: Writing): string {
  // Written plainly, this one would be no member.
  if (name === '__proto__') return "['__proto__']"
  return /^[a-zA-Z_]\w*$/.test(name) ? name : quoted(name)
}

function hasBigNumber(written: WrittenValue): boolean {
  switch (written.is) {
    case 'value':
      return written.value instanceof BigNum
    case 'list':
      return written.elements.some(hasBigNumber)
    case 'members':
      return Object.values(written.members).some(hasBigNumber)
    default:
      return false
  }
}

function plainOf(written: WrittenValue): Json {
  switch (written.is) {
    case 'value':
      return written.value
    case 'list':
      return written.elements.map(plainOf)
    case 'members':
      return Object.fromEntries(
        Object.entries(written.members).map(([name, member]) => [name, plainOf(member)]),
      )
    default:
      throw new TypeError('JSON has no such value')
  }
}
