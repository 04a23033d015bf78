/**
 * How plans, records and people name an object by its kind, `feature_flag.checkout`, and one that hangs from another one
 * with the name of that, `feature_flag_role_access.checkout:support`.
 */
export function objectAddress(kind: string, name: string, parent?: string): string {
  return parent === undefined ? `${kind}.${name}` : `${kind}.${parent}:${name}`
}

/** The name of what an object of a kind hangs from, in its address; undefined where it is another kind's. */
export function parentInAddress(kind: string, address: string): string | undefined {
  const end = address.indexOf(':')
  return end > 0 && address.startsWith(`${kind}.`) ? address.slice(kind.length + 1, end) : undefined
}
