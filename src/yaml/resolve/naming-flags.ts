import { namesAny } from '../../core/flag-links.ts'
import type { FileDeclarations } from '../declaration.ts'

/** Only the flags whose conditions name others, in any environment, each in its file. */
export function namingFlags(declared: readonly FileDeclarations[]): readonly FileDeclarations[] {
  return declared.map(({ objects }) => ({
    objects: objects.filter(
      ({ kind, base, environments }) =>
        namesAny(kind, base.fields) ||
        (environments.size > 0 && [...environments.values()].some(({ fields }) => namesAny(kind, fields))),
    ),
    grants: [],
  }))
}
