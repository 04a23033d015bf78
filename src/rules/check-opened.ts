import { isJsonObject } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import { type DeclarableKind, switchField, targetingField } from '../model/kind.ts'
import { readRelease } from '../targeting/release.ts'
import { isKnown, type PartlyKnown } from './known-part.ts'
import type { ProblemOf } from './object-problem.ts'

/**
 * Conditions for 0% that the service opens to everybody when it creates such an object. It may be live like this, by a
 * later change, so that it is no more than a warning; a plan that would create it is blocked. [service-today 2]
 */
export function checkOpened(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): ProblemOf<'together'>[] {
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
      others: [openedBy],
      severity: 'warning',
      code: 'opened-when-created',
      message: `with "${openedBy}" the service makes 100% of 0% when it creates this ${kind.title}`,
      hint: `declare 100%${off === undefined ? '' : `, with \`${off}: false\` where nobody is to get it`}`,
    },
  ]
}
