import type { Drift } from './change.ts'
import { fieldDigests } from './fingerprint.ts'
import { canonicalManaged } from './live.ts'
import type { ObjectContext } from './object-context.ts'

/** How the last apply left each declared object: short digests of its managed fields, by address. */
export type Base = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Whether somebody changed an object since the last apply. Only declared fields count: what a declaration leaves
 * alone is free to change.
 */
export function driftOf({ kind, desired, found }: ObjectContext, base: Base): Drift[] {
  const left = base[desired.address]
  if (!left || desired.ensure === 'absent' || found.length > 1) return []
  const [live] = found
  const about = {
    address: desired.address,
    kind: kind.name,
    ...(desired.source ? { source: desired.source } : {}),
  }
  if (!live || live.isTombstone) {
    return [
      { ...about, reason: 'deleted', fields: [], words: ['deleted in the service since the last apply'] },
    ]
  }
  const now = fieldDigests(canonicalManaged(kind, live.record))
  const fields = Object.keys(left).filter(name => name in desired.fields && now[name] !== left[name])
  if (fields.length === 0) return []
  return [
    {
      ...about,
      reason: 'changed',
      fields,
      words: [`${fields.join(', ')} changed in the service since the last apply`],
    },
  ]
}
