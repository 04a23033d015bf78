import type { DeclarableKind } from '../model/kind.ts'
import { guardsOfKind, objectGuards } from '../model/safety/guard-rule.ts'

/**
 * What is wrong with the guards that are allowed outside of a repository: for one object of a kind or, without a
 * kind, for everything. Terraform and stacks have the same ones, so that what one of them takes, the other does too.
 */
export function checkAllowed(
  rules: readonly string[],
  kind?: DeclarableKind,
): readonly { readonly message: string; readonly hint: string }[] {
  const known: readonly string[] = kind ? guardsOfKind(kind) : objectGuards()
  const choices = known.map(rule => `"${rule}"`).join(', ')
  const hint = kind ? `take ${known.length > 1 ? 'any of ' : ''}${choices}` : `there are ${choices}`
  const refused = kind ? `a rule that blocks a ${kind.title}` : 'a rule that can be allowed'
  return rules
    .filter(rule => !known.includes(rule))
    .map(rule => ({ message: `${JSON.stringify(rule)} is not ${refused}`, hint }))
}
