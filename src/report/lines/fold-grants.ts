import type { Change } from '../../core/change.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { visible } from '../../targeting/index.ts'
import { counted } from '../object-names.ts'
import { aLine, type Line } from './report.ts'

/** Changes without the grants that are told with their flags, and a sentence that counts those. */
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
    sentence: [
      `${counted(folded.length, 'new grant')} told with ${folded.length === 1 ? 'its flag' : 'their flags'}`,
    ],
  }
}

function grantLine({ label, identity, summary, source }: Change): Line {
  const words = `role ${visible(label ?? identity)} ${summary.join(', ')} from now on`
  return { ...aLine('detail', escapeText(words)), ...(source && { source }) }
}
