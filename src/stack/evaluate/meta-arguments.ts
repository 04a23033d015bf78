import { type ExactJson, invalid, isExactObject, type Refusal } from '../../hcl/index.ts'

import { meantHint } from '../../model/text/did-you-mean.ts'
import type { Block } from '../read/stack-file.ts'
import type { StackProblems, Subject } from './stack-problems.ts'

/** What every resource can say beside its attributes. */
export const metaArguments: ReadonlySet<string> = new Set([
  'count',
  'for_each',
  'depends_on',
  'provider',
  'lifecycle',
  'provisioner',
  'connection',
  'dynamic',
])

const lifecycleRules: readonly string[] = [
  'create_before_destroy',
  'ignore_changes',
  'postcondition',
  'precondition',
  'prevent_destroy',
  'replace_triggered_by',
]

/** Whether a resource asks for nothing that only Terraform does; what it asks for is refused by name. */
export function hasSupportedMeta(place: Subject, block: Block, problems: StackProblems): boolean {
  const { lifecycle, count, for_each: forEach } = block.body
  const isReplacing = isExactObject(lifecycle) && 'replace_triggered_by' in lifecycle
  const refused = [
    ...['provisioner', 'connection', 'dynamic'].filter(name => name in block.body),
    ...(isReplacing ? ['lifecycle.replace_triggered_by'] : []),
  ]
  for (const field of refused) {
    problems.add(place, {
      code: 'stack-unsupported',
      message: `${place.address}.${field}: Vexil does nothing of the kind`,
      hint: 'take it out, or run this stack with Terraform',
    })
  }
  const isBoth = count !== undefined && forEach !== undefined
  if (isBoth) problems.refuse(place, 'for_each', invalid('there is a count as well', 'take one of them out'))
  const misread = isBoth ? undefined : unreadLifecycle(lifecycle)
  if (misread !== undefined) problems.refuse(place, 'lifecycle', misread)
  return refused.length === 0 && !isBoth && misread === undefined
}

/** A rule that nobody reads protects nothing. */
function unreadLifecycle(lifecycle: ExactJson | undefined): Refusal | undefined {
  if (lifecycle === undefined || lifecycle === null) return undefined
  if (!isExactObject(lifecycle)) return invalid('it has to be one block with its rules')
  const stray = Object.keys(lifecycle).find(name => name !== '//' && !lifecycleRules.includes(name))
  if (stray === undefined) return undefined
  const hint = meantHint(stray, lifecycleRules, `there are ${lifecycleRules.join(', ')}`)
  return invalid(`${JSON.stringify(stray)} is no rule of it`, hint)
}
