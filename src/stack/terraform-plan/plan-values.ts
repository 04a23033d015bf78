import {
  type ExactJson,
  impliedTyped,
  isExactObject,
  object,
  Sensitive,
  type Typed,
  tuple,
  unknownOf,
} from '../../hcl/index.ts'

import { blockMembers } from '../read/stack-file.ts'

/** A value in a plan: where it is unknown, and where it must not be shown. */
export interface PlannedValue {
  readonly value: ExactJson | undefined
  readonly unknown: ExactJson | undefined
  readonly sensitive: ExactJson | undefined
}

/** A value of a plan with its marks; `origin` names it in messages. */
export function typedOf(planned: PlannedValue, origin: string): Typed {
  const { value = null, unknown, sensitive } = planned
  if (sensitive === true) {
    const { type, plain } = typedOf({ value, unknown, sensitive: undefined }, origin)
    return { type, plain: new Sensitive(plain, origin) }
  }
  if (unknown === true) return unknownOf('dynamic', origin)
  if (Array.isArray(value) || Array.isArray(unknown)) {
    const elements = Array.isArray(value) ? value : []
    const length = Math.max(elements.length, Array.isArray(unknown) ? unknown.length : 0)
    return tuple(
      Array.from({ length }, (_, index) =>
        typedOf(
          { value: elements[index], unknown: at(unknown, index), sensitive: at(sensitive, index) },
          `${origin}[${index}]`,
        ),
      ),
    )
  }
  if (!isExactObject(value)) return impliedTyped(value)
  const names = new Set([...Object.keys(value), ...Object.keys(blockMembers(unknown))])
  return object(
    [...names].map(name => [
      name,
      typedOf(
        {
          value: value[name],
          unknown: blockMembers(unknown)[name],
          sensitive: blockMembers(sensitive)[name],
        },
        `${origin}.${name}`,
      ),
    ]),
  )
}

function at(json: ExactJson | undefined, index: number): ExactJson | undefined {
  return Array.isArray(json) ? json[index] : undefined
}
