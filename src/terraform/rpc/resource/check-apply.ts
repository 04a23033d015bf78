import {
  type AttributePath,
  elementAt,
  hasSameKeys,
  isListValue,
  isSameValue,
  keysOf,
  type ListValue,
  type ObjectValue,
  type Type,
  Unknown,
  type Value,
  valueText,
} from '../../../hcl/values.ts'

import { type Block, typeOfBlock } from '../../schema/schema.ts'
import { type AttributeProblem, shownValue } from './attribute-problem.ts'
import { unknownPaths } from './unknown-paths.ts'

/**
 * Checks what an apply left as Terraform will: every value that the plan knew is there as planned, nothing is open
 * any more, and a removal leaves nothing.
 */
export function checkApply(
  block: Block,
  planned: ObjectValue | null,
  state: ObjectValue | null,
): readonly AttributeProblem[] {
  if (planned === null)
    return state === null ? [] : [{ path: [], reason: 'still there after it was removed' }]
  if (state === null) return [{ path: [], reason: 'not there after it was written' }]
  const type = typeOfBlock(block)
  const open = unknownPaths(type, state, []).map(path => ({ path, reason: 'unknown after the apply' }))
  return [...open, ...contradictions(type, planned, state, [], block)]
}

function contradictions(
  type: Type,
  planned: Value,
  actual: Value,
  path: AttributePath,
  root: Block,
): readonly AttributeProblem[] {
  // An actual value that is open is named already.
  if (planned instanceof Unknown || actual instanceof Unknown) return []
  const shown = (value: Value) => shownValue(root, path, type, value)
  // Nearly nothing differs, and what a value looks like takes a walk through all of it.
  const differs = () => [{ path, reason: `planned ${shown(planned)}, but now ${shown(actual)}` }]
  if (planned === null || actual === null || typeof type === 'string')
    return isSameValue(type, planned, actual) ? [] : differs()
  const each = (of: Type, key: string, at: AttributePath) =>
    contradictions(of, elementAt(planned, key), elementAt(actual, key), at, root)
  switch (type[0]) {
    case 'object':
      return Object.entries(type[1]).flatMap(([name, of]) => each(of, name, [...path, name]))
    case 'tuple':
      return type[1].flatMap((of, index) => each(of, String(index), [...path, index]))
    case 'map':
      if (!hasSameKeys(planned, actual)) return differs()
      return keysOf(planned).flatMap(key => each(type[1], key, [...path, { key }]))
    case 'list':
      if (!hasSameKeys(planned, actual)) return differs()
      return keysOf(planned).flatMap(key => each(type[1], key, [...path, Number(key)]))
    case 'set':
      return isListValue(planned) && isListValue(actual) && isSetWithin(type[1], planned, actual)
        ? []
        : differs()
    default:
      return type satisfies never
  }
}

/** Each planned element that is known has to be there; the others may have become anything. */
function isSetWithin(of: Type, planned: ListValue, actual: ListValue): boolean {
  const there = new Set(actual.map(element => valueText(of, element)))
  const [open, known] = [
    planned.filter(element => unknownPaths(of, element, []).length > 0),
    planned.filter(element => unknownPaths(of, element, []).length === 0),
  ]
  const wanted = new Set(known.map(element => valueText(of, element)))
  return there.size <= wanted.size + open.length && [...wanted].every(text => there.has(text))
}
