import { isMap, isScalar, type LineCounter, type Node } from 'yaml'
import type { Source } from '../../model/problem.ts'

/** The place of the deepest node on the way that a JSON pointer names. */
export function locateNode(root: Node | null, lines: LineCounter, file: string, pointer: string): Source {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = child(node, name)
    if (!next) break
    offset = next.offset ?? offset
    node = next.node
  }
  return place(file, lines, offset)
}

function child(
  node: unknown,
  name: string,
): { readonly node: unknown; readonly offset?: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
    if (!pair) return undefined
    const offset = isScalar(pair.key) ? pair.key.range?.[0] : undefined
    return { node: pair.value, ...(offset === undefined ? {} : { offset }) }
  }
  if (typeof node !== 'object' || node === null || !('items' in node) || !Array.isArray(node.items))
    return undefined
  const element: unknown = node.items[Number(name)]
  const range =
    typeof element === 'object' && element !== null && 'range' in element ? element.range : undefined
  const offset: unknown = Array.isArray(range) ? range[0] : undefined
  return { node: element, ...(typeof offset === 'number' ? { offset } : {}) }
}

export function place(file: string, lines: LineCounter, offset: number): Source {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
}
