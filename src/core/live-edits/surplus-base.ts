import type { BaseObject, GrantList } from './base.ts'

/**
 * What a grant is measured from that is live and not in the declared list of its flag.
 *
 * | the list, when an apply last had it whole   | its base                                          |
 * |---------------------------------------------|---------------------------------------------------|
 * | is not on record                            | its own, if any                                   |
 * | named its role                              | that it was declared                              |
 * | did not, and the apply left the grant there | its own, if any; otherwise nobody knows           |
 * | did not                                     | that it was not there: it was made in the product |
 */
export function surplusBase(
  list: GrantList | undefined,
  own: BaseObject | undefined,
  { address, identity }: { readonly address: string; readonly identity: string },
): BaseObject | undefined {
  if (!list) return own
  const { origin, roles, unknown = [] } = list
  if (roles.includes(identity))
    return own?.ensure === 'present' ? own : { ensure: 'present', fields: {}, origin }
  return own ?? (unknown.includes(address) ? undefined : { ensure: 'absent', fields: {}, origin })
}
