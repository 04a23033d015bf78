import { Document, isScalar, type Scalar, type ScalarTag, visit } from 'yaml'
import { BigNum } from '../../hcl/json.ts'
import type { JsonObject } from '../../model/json/json.ts'

/** How long a list may be to stand on one line. */
const oneLine = 80

/**
 * A document of declarations as YAML text, with the comment by which editors find the schema, at a path from it.
 *
 * | a text                                            | is written                       |
 * |---------------------------------------------------|----------------------------------|
 * | of one line                                       | as it is, or in quotes           |
 * | of several lines that say where they start        | as these lines, after a bar      |
 * | of any other lines, and as a key                  | in quotes on one line, escaped   |
 *
 * The library would write some of the last kind over several lines, in ways that not even it reads back.
 */
export function writeYaml(value: JsonObject, schema: string): string {
  // Words that older parsers read as something else (`no`, `1e3`) are put into quotes.
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: [bigNumberTag],
  })
  visit(document, {
    Scalar(position, scalar) {
      if (typeof scalar.value === 'string') styleText(scalar, scalar.value, position === 'key')
    },
    Seq(_, list) {
      const texts = list.items.map(element => (isScalar(element) ? String(element.value) : undefined))
      const isShort = texts.every(text => text !== undefined && !lineEnd.test(text))
      list.flow = isShort && texts.join(', ').length < oneLine
    },
  })
  const body = document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return `# yaml-language-server: $schema=${schema}\n\n${body.replace(everyEscaped, escapeCharacter)}`
}

/** The same without the comment, to stand after other declarations. */
export function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

function styleText(scalar: Scalar, text: string, isKey: boolean): void {
  if (mustBeEscaped.test(text)) scalar.type = 'QUOTE_DOUBLE'
  else if (lineEnd.test(text)) scalar.type = isKey || !isBlock.test(text) ? 'QUOTE_DOUBLE' : 'BLOCK_LITERAL'
}

const lineEnd = /[\n\r]/
/** Lines of which the first is indented as all of them are, that end as they look. */
const isBlock = /^[^\s\p{Cc}](?:[^\p{Cc}]|[\t\n])*$/u

/** A number that the library would round, with its digits. */
const bigNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: value => value instanceof BigNum,
  resolve: text => text,
  stringify: ({ value }) => String(value),
}

/** What YAML does not take as it stands, and what people would not see. The library writes these as they are. */
const mustBeEscaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/
const everyEscaped = new RegExp(mustBeEscaped, 'g')

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
