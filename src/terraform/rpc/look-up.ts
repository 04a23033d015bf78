import { DiagnosticError, errorDiagnostic } from '../diagnostic.ts'

/** What the provider has under a name. Terraform asks for what the schema lists, so this fails between two versions. */
export function lookUp<T>(members: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(members, name) ? members[name] : undefined
  if (found === undefined) throw new DiagnosticError(errorDiagnostic(`the provider has no ${what} "${name}"`))
  return found
}
