import { type FileDeclarations, type ObjectDeclaration, saysOnlyFields } from '../declaration.ts'
import { isPlainlyDeclared } from './check-declaration.ts'

/**
 * Without the declarations that say nothing but fields, the same everywhere, in which one look finds nothing wrong. That are
 * nearly all, and no check of one declaration has anything to say of them: not those of environments, roles, tags, source
 * files, secrets and payloads, which they do not name, nor those of flags in conditions, since a condition on a flag is not plain.
 */
export function withoutPlain({ objects, grants }: FileDeclarations): FileDeclarations {
  return { objects: objects.filter(one => !isPlain(one)), grants }
}

function isPlain(declaration: ObjectDeclaration): boolean {
  const { base, only, defaults } = declaration
  // A member that is no field, and of a wrong type, is nothing but a member.
  const isNothingButFields = base.members === base.fields && saysOnlyFields(base)
  return only === undefined && defaults === undefined && isNothingButFields && isPlainlyDeclared(declaration)
}
