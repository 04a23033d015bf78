import type { Scope } from '../../model/kind.ts'
import { checkOwner } from '../../rules/check-object.ts'
import { hasMark } from '../engine/engine-marks.ts'
import { type Reader, text } from './argument.ts'

/** The id of a project or an organization, or a reference to one. */
export function ownerId(scope: Scope): Reader<string> {
  return (value, name) => {
    const id = text(value, name)
    const problem = hasMark(id) ? undefined : checkOwner(scope, id)
    if (problem?.severity === 'error') throw new TypeError(`"${name}": ${problem.message} (${problem.hint})`)
    return id
  }
}
