import { declarableKind } from '../../../kinds/index.ts'
import { objectAddress } from '../../../model/address.ts'
import { type Declarations, type Desired, parentKey } from '../../desired.ts'
import { ownersInTags, ownersOf } from '../../owners.ts'
import type { RunRecord } from '../run.ts'

/**
 * What undoes a run, with who answers for it: as it is declared today, or else by the tags that the run has found and
 * written. A grant is of the owner of its flag.
 */
export function withOwners(
  undoing: Declarations,
  { desired: today }: Declarations,
  { entries }: RunRecord,
): Declarations {
  const owners = new Map<string, string>()
  const know = (address: string, [owner]: readonly string[]) => {
    if (owner !== undefined) owners.set(address, owner)
  }
  for (const { change } of entries) {
    const fields = { ...change.before, ...change.after }
    know(change.address, ownersInTags(declarableKind(change.kind), fields))
  }
  for (const desired of today) know(desired.address, ownersOf(desired))
  return {
    ...undoing,
    desired: undoing.desired.map(desired => {
      const owner = owners.get(parentAddress(desired) ?? desired.address)
      return owner === undefined ? desired : { ...desired, owner }
    }),
  }
}

function parentAddress(desired: Desired): string | undefined {
  const { parent } = declarableKind(desired.kind).lifecycle
  const key = parentKey(desired)
  return parent && key !== undefined ? objectAddress(parent.kind, key) : undefined
}
