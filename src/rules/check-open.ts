import { type DeclarableKind, switchField, targetingField } from '../model/kind.ts'
import type { ProblemOf } from './object-problem.ts'

/**
 * An object that the service creates is on, and for everybody, unless it is told otherwise. `object` are the declared
 * fields, whatever they say.
 */
export function checkOpen(
  kind: DeclarableKind,
  object: Readonly<Record<string, unknown>>,
): ProblemOf<'open'>[] {
  const turnsOff = switchField(kind)
  const targeting = targetingField(kind)
  if (targeting === undefined || (turnsOff !== undefined && object[turnsOff] === false)) return []
  if (targeting in object && (turnsOff === undefined || turnsOff in object)) return []
  const missing = [turnsOff, targeting].flatMap(name => (name === undefined || name in object ? [] : [name]))
  const quoted = missing.map(name => `"${name}"`).join(' and ')
  return [
    {
      pointer: '',
      field: targeting,
      rule: 'open',
      missing,
      severity: 'warning',
      code: 'open-by-default',
      message: `${quoted} ${missing.length > 1 ? 'are' : 'is'} not declared`,
      hint: `if the service has to create this ${kind.title}, it will be on, and for everybody without "${targeting}"`,
    },
  ]
}
