import type { Change } from '../../../core/change.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { visible } from '../../../targeting/index.ts'
import { counted } from '../../object-names.ts'
import { aLine, type Line } from '../report.ts'

/** Changes without the grants that are told with their flags, and a sentence that says how the counts add up. */
export interface FoldedGrants {
  readonly changes: readonly Change[]
  /** What is told with a flag, by its address. */
  readonly beside: ReadonlyMap<string, readonly Line[]>
  readonly sentence: readonly string[]
}

/**
 * Tells new grants with their flag where that changes in the same plan. One that is risky, or that somebody had to allow,
 * stands by itself; so does every one that is taken away, and that of a flag that is only claimed.
 */
export function foldGrants(changes: readonly Change[]): FoldedGrants {
  // A claim says that nothing else changes, and of what goes nobody needs to know who may edit it.
  const hosts = changes.filter(({ parent, action }) => !parent && action !== 'claim' && action !== 'delete')
  const flags = new Set(hosts.map(({ address }) => address))
  const folded = changes.filter(
    ({ action, risk, allowed, parent }) =>
      parent && action === 'create' && risk === 'low' && allowed.length === 0 && flags.has(parent.$ref),
  )
  if (folded.length === 0) return { changes, beside: new Map(), sentence: [] }
  const gone = new Set(folded)
  const beside = new Map<string, readonly Line[]>()
  for (const grant of folded) {
    const address = grant.parent?.$ref ?? ''
    beside.set(address, [...(beside.get(address) ?? []), grantLine(grant)])
  }
  return {
    changes: changes
      .filter(change => !gone.has(change))
      .map(change => {
        if (!beside.has(change.address)) return change
        // A new flag says of itself who may edit it; said with each role, it is not said twice.
        return {
          ...change,
          summary: change.summary.filter(line => !line.startsWith('may be edited by role')),
        }
      }),
    beside,
    sentence: [countsSentence(changes.filter(({ action }) => action === 'create').length, folded.length)],
  }
}

/** Who counts rows finds fewer than the plan counts. */
function countsSentence(created: number, folded: number): string {
  const below = created - folded
  const told = folded === 1 ? 'is told with its flag' : 'are told with their flags'
  return `Of ${created} to create, ${below} ${below === 1 ? 'is' : 'are'} below, and ${counted(folded, 'new grant')} ${told}`
}

function grantLine({ label, identity, summary, source }: Change): Line {
  const words = `role ${visible(label ?? identity)} ${summary.join(', ')} from now on`
  return { ...aLine('detail', escapeText(words)), ...(source && { source }) }
}
