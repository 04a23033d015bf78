import type { JsonObject } from '../../model/json/json.ts'

/** One element of a page that an event was about. */
export interface PageElement {
  readonly tag: string
  readonly classes: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * Reads `a.big:href="/buy"text="Buy";div.cart`: the element that was clicked first, then those around it. Values are
 * in quotes, in which a backslash stands before a quote.
 */
export function readElements(chain: string): readonly PageElement[] {
  const elements = chain.match(/(?:"(?:[^"\\]|\\.)*"|[^";])+/g) ?? []
  return elements.map(text => {
    const [, name = '', rest = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? []
    const [tag = '', ...classes] = name.split('.')
    const attributes = [...rest.matchAll(/([^"=]+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', value = '']) => [key, value.replace(/\\(.)/g, '$1')] as const,
    )
    return { tag, classes, attributes: Object.fromEntries(attributes) }
  })
}

/** What conditions on elements look at. */
export function elementProperties({ tag, attributes }: PageElement): JsonObject {
  const { text, href } = attributes
  return {
    tag_name: tag,
    ...(text === undefined ? {} : { text }),
    ...(href === undefined ? {} : { href }),
  }
}

/** Whether elements are met by a selector: tags, `.class`, `#id` and `[name="value"]`, side by side, with blanks or `>`. */
export type MeetsSelector = (elements: readonly PageElement[]) => boolean

/** Reads a selector; undefined for one that has more than that. */
export function readSelector(text: string): MeetsSelector | undefined {
  const steps = text
    .trim()
    .replaceAll(/\s*>\s*/g, ' > ')
    .split(/\s+/)
  const parts: Part[] = []
  let isChild = false
  for (const step of steps) {
    if (step === '>') {
      if (isChild || parts.length === 0) return undefined
      isChild = true
      continue
    }
    const meets = readCompound(step)
    if (!meets) return undefined
    parts.push({ meets, isChild })
    isChild = false
  }
  if (isChild) return undefined
  // The innermost element comes first in a chain, and last in a selector.
  return elements => elements.some((_, at) => meetsFrom(elements, at, parts, parts.length - 1))
}

interface Part {
  readonly meets: (element: PageElement) => boolean
  /** Whether the part before is the element right around this one. */
  readonly isChild: boolean
}

function meetsFrom(
  elements: readonly PageElement[],
  at: number,
  parts: readonly Part[],
  index: number,
): boolean {
  const [part, element] = [parts[index], elements[at]]
  if (!part || !element?.tag || !part.meets(element)) return false
  if (index === 0) return true
  const around = part.isChild ? [at + 1] : elements.map((_, other) => other).filter(other => other > at)
  return around.some(outer => meetsFrom(elements, outer, parts, index - 1))
}

function readCompound(step: string): ((element: PageElement) => boolean) | undefined {
  const match = /^([a-zA-Z][\w-]*|\*)?((?:\.[\w-]+|#[\w-]+|\[[\w-]+="[^"]*"\])*)$/.exec(step)
  if (!match || step === '') return undefined
  const [, tag = '*', more = ''] = match
  const demands = more.match(/\.[\w-]+|#[\w-]+|\[[\w-]+="[^"]*"\]/g) ?? []
  return element =>
    (tag === '*' || element.tag === tag) && demands.every(demand => meetsDemand(element, demand))
}

function meetsDemand({ classes, attributes }: PageElement, demand: string): boolean {
  if (demand.startsWith('.')) return classes.includes(demand.slice(1))
  if (demand.startsWith('#')) return attributes.attr_id === demand.slice(1)
  const [, name = '', value = ''] = /^\[([\w-]+)="([^"]*)"\]$/.exec(demand) ?? []
  return attributes[`attr__${name}`] === value || attributes[name] === value
}
