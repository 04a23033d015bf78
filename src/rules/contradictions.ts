import { canonicalValue } from '../model/json/canonical.ts'
import { isJsonObject, isSameJson, type Json } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import { type Contradiction, type DeclarableKind, switchField, targetingField } from '../model/kind.ts'
import { oncePer } from '../model/runtime.ts'
import { readRelease } from '../targeting/release.ts'
import { isKnown, type PartlyKnown } from './known-part.ts'
import type { ObjectProblem } from './object-problem.ts'

/** The values of an object that no object of its kind may combine. Unknown values count as right. */
export function contradictionsIn(
  { contradictions = [], fields }: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): readonly Contradiction[] {
  if (contradictions.length === 0) return contradictions
  const has = (name: string, value: Json) => {
    const field = fields[name]
    const held: PartlyKnown = object[name] ?? null
    return field && isKnown(held) && isSameJson(canonicalValue(field, held), canonicalValue(field, value))
  }
  return contradictions.filter(({ fields: together }) =>
    Object.entries(together).every(([name, value]) => has(name, value)),
  )
}

/** The same for declared values, if each of them is known. */
export function checkTogether(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): ObjectProblem[] {
  const isDeclared = (names: readonly string[]) => names.every(name => name in object)
  if (!contradictingNames(kind).some(isDeclared)) return []
  const declared = contradictionsIn(kind, object).filter(({ fields }) => isDeclared(Object.keys(fields)))
  return declared.map(({ fields, doc, remedy }) => {
    const [name = '', ...others] = Object.keys(fields)
    return {
      pointer: pointerOf(name),
      field: name,
      rule: 'together',
      severity: 'error',
      code: 'contradiction',
      message: `"${name}" does not go with ${others.map(other => `"${other}"`).join(' and ')}: ${doc}`,
      hint: remedy,
    }
  })
}

const contradictingNames = oncePer(({ contradictions = [] }: DeclarableKind) =>
  contradictions.map(({ fields }) => Object.keys(fields)),
)

/**
 * Conditions for 0% that the service opens to everybody when it creates such an object. A later change may have
 * made a live one like this, so it is only a warning. A plan that would create it is blocked. [service-today 2]
 */
export function checkOpened(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): ObjectProblem[] {
  const name = targetingField(kind) ?? ''
  const { openedBy } = kind.fields[name] ?? {}
  const filters = object[name]
  if (openedBy === undefined || object[openedBy] !== true || !isJsonObject(filters) || !isKnown(filters))
    return []
  const { conditions } = readRelease(filters)
  if (conditions.length > 0 && conditions.every(({ percent }) => percent > 0)) return []
  const off = switchField(kind)
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'together',
      severity: 'warning',
      code: 'opened-when-created',
      message: `with "${openedBy}" the service makes 100% of 0% when it creates this ${kind.title}`,
      hint: `declare 100%${off === undefined ? '' : `, with \`${off}: false\` where nobody is to get it`}`,
    },
  ]
}
