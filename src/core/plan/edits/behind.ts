import type { Block } from '../../change.ts'
import type { OnRecord } from './on-record.ts'

/**
 * Why an object that is declared nowhere here is not pruned: another commit declares it, and this line has not taken part
 * in that.
 *
 * | the commit of its base | and this line                          | pruned |
 * |------------------------|----------------------------------------|--------|
 * | descendant             |                                        | no     |
 * | diverged               | had it where they parted               | yes    |
 * | diverged               | had nothing of it where they parted    | no     |
 * | missing                | has never declared it so               | no     |
 * | any other              |                                        | yes    |
 */
export function behindBlock({ address, base, lineage }: OnRecord): Block | undefined {
  const commit = base?.origin.revision?.commit
  if (base?.ensure !== 'present' || commit === undefined || !isBrought({ ...base, address }, commit, lineage))
    return undefined
  const name = commit.slice(0, 12)
  return {
    rule: 'behind',
    reason: `commit ${name} declares it, which this line does not have`,
    remedy: `take that commit into this line: \`git merge ${name}\``,
  }
}

function isBrought(
  { address, fields }: NonNullable<OnRecord['base']> & { readonly address: string },
  commit: string,
  lineage: OnRecord['lineage'],
): boolean {
  const known = Object.entries(fields).flatMap(([name, field]) => (field ? [{ name, ...field }] : []))
  switch (lineage.relationOf(commit)) {
    case 'descendant':
      return true
    case 'diverged':
      return known.every(({ name }) => lineage.digestAtFork(commit, address, name) === undefined)
    case 'missing':
      return known.some(({ name, digest }) => lineage.wasDeclared(address, name, digest) === false)
    default:
      return false
  }
}
