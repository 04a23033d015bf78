import { numberText } from '../../hcl/json.ts'

import { withoutTemplates } from '../../hcl/literal-template.ts'
import type { WrittenMembers, WrittenValue } from './written-value.ts'

/** Columns of a line; a value that is longer goes over several, where it can. */
const width = 100

/** A value in Terraform's language, on one line. */
export function hclInline(written: WrittenValue): string {
  switch (written.is) {
    case 'value': {
      const { value } = written
      if (typeof value === 'string') return quoted(value)
      return value === null || typeof value === 'boolean' ? String(value) : numberText(value)
    }
    case 'list':
      return `[${written.elements.map(hclInline).join(', ')}]`
    case 'members': {
      const members = Object.entries(written.members).map(
        ([name, member]) => `${keyText(name)} = ${hclInline(member)}`,
      )
      return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
    }
    case 'json':
      return `jsonencode(${hclInline(written.of)})`
    case 'reference':
      return [written.to.type, written.to.name, written.to.attribute].join('.')
    case 'address':
      return written.text
  }
}

/** A value on as many lines as it needs; `taken` are the columns before it, `indent` is what each further line begins with. */
export function hclText(written: WrittenValue, indent: string, taken: number): string {
  const heredoc = written.is === 'value' && typeof written.value === 'string' && heredocOf(written.value)
  if (heredoc) return heredoc
  const inline = hclInline(written)
  if (taken + inline.length <= width && !holdsLines(written)) return inline
  const inside = `${indent}  `
  switch (written.is) {
    case 'list': {
      if (written.elements.length === 0) return inline
      const lines = written.elements.map(element => `${inside}${inList(element, inside)},\n`)
      return `[\n${lines.join('')}${indent}]`
    }
    case 'members':
      return `{\n${attributeLines(written.members, inside, keyText)}${indent}}`
    case 'json':
      return `jsonencode(${hclText(written.of, indent, taken + 'jsonencode('.length)})`
    default:
      return inline
  }
}

/** Names with their values, a line each; the signs between them stand below each other where a value has one line. */
export function attributeLines(
  members: WrittenMembers,
  indent: string,
  nameOf: (name: string) => string = name => name,
): string {
  const rows = Object.entries(members).map(([name, value]) => {
    const written = nameOf(name)
    return { name: written, text: hclText(value, indent, indent.length + written.length + 3) }
  })
  return rows
    .map(({ name, text }, index) => {
      const isOneLine = (row: number) => rows[row] !== undefined && isAligned(rows[row].text)
      if (!isOneLine(index)) return `${indent}${name} = ${text}\n`
      let [from, to] = [index, index]
      while (isOneLine(from - 1)) from--
      while (isOneLine(to + 1)) to++
      const widest = Math.max(...rows.slice(from, to + 1).map(row => row.name.length))
      return `${indent}${name.padEnd(widest)} = ${text}\n`
    })
    .join('')
}

/** A text of several lines stands with its first one among the others. */
function isAligned(text: string): boolean {
  return !text.includes('\n') || text.startsWith('<<')
}

/** Behind a text of several lines an element could not be ended, so there are none in lists. */
function inList(element: WrittenValue, indent: string): string {
  return element.is === 'value' ? hclInline(element) : hclText(element, indent, indent.length + 1)
}

/** Whether a value has texts that are better read over several lines. */
function holdsLines(written: WrittenValue): boolean {
  if (written.is !== 'members') return false
  return Object.values(written.members).some(
    member =>
      member.is === 'value' && typeof member.value === 'string' && heredocOf(member.value) !== undefined,
  )
}

const plainWord = /^[a-z_]\w*$/i
/** Words that mean something else at the beginning of an object. */
const reserved = new Set(['for', 'if', 'in', 'null', 'true', 'false'])

function keyText(name: string): string {
  return plainWord.test(name) && !name.startsWith('_') && !reserved.has(name) ? name : quoted(name)
}

/** A text in quotes. What a reader could not see is written as its number. */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\\n\r\t]/g, sign => escapes.get(sign) ?? sign)
  return `"${withoutTemplates(escaped).replace(unseen, codeOf)}"`
}

const escapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** Characters that a reader could not see, or that would change what else is seen. */
export const unseen =
  /[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Unassigned}\p{Private_Use}]|(?! )\p{Space_Separator}/gu

function codeOf(sign: string): string {
  const digits = (sign.codePointAt(0) ?? 0).toString(16)
  return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
}

/** A text of whole lines as such; undefined where quotes say it better. */
function heredocOf(text: string): string | undefined {
  const lines = text.split('\n')
  if (lines.length < 3 || lines.at(-1) !== '' || /\r/.test(text)) return undefined
  if (text.replace(/[\n\t]/g, '').search(unseen) >= 0) return undefined
  const taken = new Set(lines.map(line => line.trim()))
  let word = 'EOT'
  while (taken.has(word)) word += 'T'
  return `<<${word}\n${withoutTemplates(text)}${word}`
}
