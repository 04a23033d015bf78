import { type DeclarableKind, identityField } from '../../../model/kind.ts'
import { exposureOf, isDrawn, type ReleasedFlag } from '../../../targeting/index.ts'
import type { Action } from '../../change.ts'

export interface Redrawn {
  readonly words: string
  /** Whether everybody gets another place, and whoever was in a percentage may be outside of it. */
  readonly isOfEverybody: boolean
}

/** What changes the places of people in percentages and among variants, where those decide before or after. */
export function redrawnBy(
  kind: DeclarableKind,
  { action, fields }: { readonly action: Action; readonly fields: readonly string[] },
  flags: readonly ReleasedFlag[],
): Redrawn[] {
  const redrawn = action === 'update' ? fields.flatMap(name => redrawnByField(kind, name)) : []
  if (redrawn.length === 0) return []
  const isServed = flags.every(flag => exposureOf(flag).conditions.length > 0)
  return isServed && flags.some(isDrawn) ? redrawn : []
}

function redrawnByField(kind: DeclarableKind, name: string): Redrawn[] {
  if (name === identityField(kind))
    return [{ words: `under another ${name} ${drawnAnew}`, isOfEverybody: false }]
  const { places } = kind.fields[name] ?? {}
  if (places === undefined) return []
  if (places === 'everybody') return [{ words: `${name} changed: ${drawnAnew}`, isOfEverybody: true }]
  const words = `${name} changed: people may get another value than before when they log in`
  return [{ words, isOfEverybody: false }]
}

const drawnAnew =
  'places in percentages and among variants are drawn anew: people may lose the flag, get it, or get another value'
