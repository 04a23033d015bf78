import { type DeclarableKind, identityField } from '../../../model/kind.ts'
import { exposureOf, isDrawn, type ReleasedFlag } from '../../../targeting/index.ts'
import type { Action } from '../../change.ts'
import { redrawnWords } from '../../uses.ts'

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
  return redrawn.length > 0 && areDrawn(flags) ? redrawn : []
}

/** Whether people get a flag before and after, and a draw decides who or what. */
export function areDrawn(flags: readonly ReleasedFlag[]): boolean {
  return flags.every(flag => exposureOf(flag).conditions.length > 0) && flags.some(isDrawn)
}

function redrawnByField(kind: DeclarableKind, name: string): Redrawn[] {
  if (name === identityField(kind)) return []
  const { places } = kind.fields[name] ?? {}
  if (places === undefined) return []
  if (places === 'everybody') return [{ words: redrawnWords(name), isOfEverybody: true }]
  const words = `${name} changed: people may get another value than before when they log in`
  return [{ words, isOfEverybody: false }]
}
