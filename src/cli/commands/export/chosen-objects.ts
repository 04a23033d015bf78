import type { Exportable } from '../../../core/exportable.ts'
import { ownersInTags } from '../../../core/owners.ts'
import { declarableKind } from '../../../kinds/index.ts'
import { objectAddress } from '../../../model/address.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'
import { addressesFitting, isNamed, requireOwners, resolveAddresses } from '../../plan/target-filter.ts'
import type { ExportFlags } from './export-flags.ts'

type Choice = Pick<ExportFlags, 'addresses' | 'owner'>

/**
 * Of what is live, in all places, what is exported: what is named, of those whom `--owner` names. A name or an owner that nothing has
 * is an error, and so is both together where that is nothing.
 */
export function chooseObjects(
  live: readonly Exportable[],
  { addresses, owner }: Choice,
): (object: Exportable) => boolean {
  const known = [...new Set(live.map(addressIn))]
  const named = addresses && new Set(addresses.flatMap(each => resolveAddresses(each, known, notLive)))
  if (owner) requireOwners(owner, live.flatMap(ownersIn), 'owns nothing that is live')
  const isChosen = (object: Exportable) => (named?.has(addressIn(object)) ?? true) && isOwned(object, owner)
  if (named && owner && !live.some(isChosen))
    throw new CommandError(
      `nothing of what is named is of ${owner.map(each => JSON.stringify(each)).join(' or ')}`,
      exitCode.usage,
    )
  return isChosen
}

/** Whether an object may be one of those that are exported, as far as it can be told before all are known. */
export function mayBeChosen({ addresses, owner }: Choice): (object: Exportable) => boolean {
  return object => {
    const address = addressIn(object)
    const isMeant = (each: string) => isNamed(address, each) || addressesFitting(each, [address]).length > 0
    return (addresses?.some(isMeant) ?? true) && isOwned(object, owner)
  }
}

const notLive = { name: 'is not live', glob: 'fits nothing that is live' }

function addressIn({ kind, identity }: Exportable): string {
  return objectAddress(kind, identity)
}

/** Whose an object is, its tags say in the service. */
function isOwned(object: Exportable, owners: Choice['owner']): boolean {
  return owners === undefined || ownersIn(object).some(owner => owners.includes(owner))
}

function ownersIn({ kind, fields }: Exportable): readonly string[] {
  return ownersInTags(declarableKind(kind), fields)
}
