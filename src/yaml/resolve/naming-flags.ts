import { namesIn } from '../../core/flag-links.ts'
import type { FileDeclarations } from '../declaration.ts'

/** Only the flags whose conditions name others, in any environment, each in its file. */
export function namingFlags(declared: readonly FileDeclarations[]): readonly FileDeclarations[] {
  return declared.map(({ objects }) => ({
    objects: objects.filter(({ kind, base, environments }) =>
      [base, ...environments.values()].some(({ fields }) => namesIn(kind, fields).length > 0),
    ),
    grants: [],
  }))
}
