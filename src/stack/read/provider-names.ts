import type { ExactJson } from '../../hcl/index.ts'

import { isOurSource, usualLocalName } from '../../schema/terraform/terraform-names.ts'
import { type Body, bodiesIn, membersOf } from './stack-file.ts'

/**
 * What a module, or the stack, calls our provider: its local name by `required_providers`, in whichever file of it that
 * stands. A name holds within its module alone.
 */
export function localNameIn(files: readonly ExactJson[]): string {
  const names = ourNamesIn(files.flatMap(file => bodiesIn(membersOf(file).terraform)))
  // Of two names, which no engine takes either, one is refused.
  return names.includes(usualLocalName) ? usualLocalName : (names[0] ?? usualLocalName)
}

/** All names that blocks `terraform` give our provider. */
export function ourNamesIn(terraform: readonly Body[]): readonly string[] {
  return terraform
    .flatMap(body => bodiesIn(body.required_providers))
    .flatMap(Object.entries<ExactJson>)
    .flatMap(([name, written]) => (isOurSource(membersOf(written).source) ? [name] : []))
}
