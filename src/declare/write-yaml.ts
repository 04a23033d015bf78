import { Document, isScalar, visit } from 'yaml'
import type { JsonObject } from '../model/json.ts'

/** How long a list may be to stand on one line. */
const oneLine = 80

/** A document of declarations as YAML text, with the comment by which editors find the schema, at a path from it. */
export function writeYaml(value: JsonObject, schema: string, comments: readonly string[] = []): string {
  // Words that older parsers read as something else (`no`, `1e3`) are put into quotes.
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_, scalar) {
      // Written out in full, a whole number beyond 2^53 would claim digits that it does not have.
      if (Number.isInteger(scalar.value) && !Number.isSafeInteger(scalar.value)) scalar.format = 'EXP'
      if (typeof scalar.value === 'string' && mustBeEscaped.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
    Seq(_, list) {
      const texts = list.items.map(element => (isScalar(element) ? String(element.value) : undefined))
      list.flow = texts.every(text => text !== undefined) && texts.join(', ').length < oneLine
    },
  })
  const header = [`yaml-language-server: $schema=${schema}`, ...comments].map(line => `# ${line}\n`)
  const body = document.toString({ lineWidth: 0, flowCollectionPadding: false })
  return `${header.join('')}\n${body.replace(everyEscaped, escapeCharacter)}`
}

/** What YAML does not take as it stands, and what people would not see. The library writes these as they are. */
const mustBeEscaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/
const everyEscaped = new RegExp(mustBeEscaped, 'g')

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
