/**
 * How plans, records and people name an object by its kind, `feature_flag.checkout`, and one that hangs from another one
 * with the name of that, `feature_flag_role_access.checkout:support`.
 */
export function objectAddress(kind: string, name: string, parent?: string): string {
  return parent === undefined ? `${kind}.${name}` : `${kind}.${parent}:${name}`
}
