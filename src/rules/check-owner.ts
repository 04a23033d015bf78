import type { Scope } from '../model/kind.ts'
import { isUuid } from '../model/text/uuid.ts'

/** What is wrong with the id of a project or an organization. */
export interface OwnerProblem {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly hint: string
}

/** An empty one is none, and `@current` is that of the key. */
export function checkOwner(scope: Scope, id: string): OwnerProblem | undefined {
  if (id === '' || id === '@current') return undefined
  const message = `${JSON.stringify(id)} is no id of ${scope === 'project' ? 'a project' : 'an organization'}`
  if (scope === 'organization')
    return isUuid(id) ? undefined : { severity: 'error', message, hint: 'it is a UUID' }
  if (/^\d+$/.test(id)) return undefined
  if (/[^\w.~-]/.test(id)) return { severity: 'error', message, hint: 'it is a number' }
  // The document of the interface only says that it is a text; every service that is known counts them.
  return { severity: 'warning', message, hint: 'on every known service it is a number' }
}
