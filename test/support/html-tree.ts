import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

/** A page as browsers read it, and whatever they would have to put up with in it. */
export function htmlTree(text: string) {
  const errors: ParserError[] = []
  const document = parse(text, { onParseError: error => errors.push(error) })
  // A character that no text has a use for stays what it is.
  const codes = errors.map(({ code }) => String(code)).filter(code => code !== 'noncharacter-in-input-stream')
  return { elements: [...elementsIn(document)], errors: codes }
}

/** The elements of an element, with itself. */
export function within(element: Element): Element[] {
  return [...elementsIn(element)]
}

function* elementsIn(node: Node): Generator<Element> {
  if ('tagName' in node) yield node
  if ('content' in node) yield* elementsIn(node.content)
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child)
}

export function textIn(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textIn).join('') : ''
}

export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find(attribute => attribute.name === name)?.value
}
