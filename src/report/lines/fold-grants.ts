import type { Change } from '../../core/change.ts'
import { visible } from '../../targeting/index.ts'
import { counted } from '../object-names.ts'

/** Changes without the grants that are told with their flags, and a sentence that counts those. */
export interface FoldedGrants {
  readonly changes: readonly Change[]
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
  if (folded.length === 0) return { changes, sentence: [] }
  const gone = new Set(folded)
  const words = new Map<string, string[]>()
  for (const { parent, label, identity, summary } of folded) {
    const [address, role] = [parent?.$ref ?? '', visible(label ?? identity)]
    const told = [...(words.get(address) ?? []), `role ${role} ${summary.join(', ')} from now on`]
    words.set(address, told)
  }
  return {
    changes: changes
      .filter(change => !gone.has(change))
      .map(change => {
        const told = words.get(change.address)
        if (!told) return change
        // A new flag says of itself who may edit it; said with each role, it is not said twice.
        const own = change.summary.filter(line => !line.startsWith('may be edited by role'))
        return { ...change, summary: [...own, ...told] }
      }),
    sentence: [
      `${counted(folded.length, 'new grant')} told with ${folded.length === 1 ? 'its flag' : 'their flags'}`,
    ],
  }
}
