import fc from 'fast-check'
import { Document, isNode, visit } from 'yaml'
import type { Json } from '../../src/model/text/json.ts'

/** Where comments stand, in turn. */
export const anyComments = fc.array(fc.constantFrom('before', 'beside', 'none', 'none'), {
  minLength: 1,
  maxLength: 12,
})

/** A text that says a value, with comments here and there. Each comment has a number of its own. */
export function commentedYaml(
  value: Json,
  {
    style,
    comments,
    isCrlf,
  }: { readonly style: object; readonly comments: readonly string[]; readonly isCrlf: boolean },
): string {
  const document = new Document(value)
  let number = 0
  visit(document, (_, node) => {
    number += 1
    const where = comments[number % comments.length]
    if (!isNode(node)) return
    if (where === 'before') node.commentBefore = ` c${number};`
    if (where === 'beside') node.comment = ` c${number};`
  })
  const text = document.toString(style)
  return isCrlf ? text.replaceAll('\n', '\r\n') : text
}

export function commentsIn(text: string): string[] {
  return text.match(/# c\d+;/g) ?? []
}
