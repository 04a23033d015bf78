import type { Change, Plan } from '../../core/change.ts'
import { ownersInTags } from '../../core/ownership.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import { readPlanned } from './planned-sides.ts'
import type { TerraformPlan } from './read-plan.ts'

/**
 * Who answers for what a plan tells, by address: whom the tags of a resource name, such as `owner:payments`. A grant is
 * its flag's. What has no owner is left out.
 */
export function ownersIn(
  plan: TerraformPlan,
  { changes, drift }: Pick<Plan, 'drift'> & { readonly changes: readonly Change[] },
): Plan['owners'] {
  const parents = new Map(changes.map(({ address, parent }) => [address, parent?.$ref]))
  const known = ownersByAddress(plan)
  const told = [...new Set([...changes, ...drift].map(({ address }) => address))].sort()
  const owned = told.flatMap((address): [string, readonly string[]][] => {
    const owners = known.get(parents.get(address) ?? address) ?? []
    return owners.length === 0 ? [] : [[address, owners]]
  })
  return owned.length === 0 ? undefined : Object.fromEntries(owned)
}

function ownersByAddress(plan: TerraformPlan): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, readonly string[]>()
  for (const planned of [...plan.drifted, ...plan.changes]) {
    const read = isOurType(planned.type) ? readPlanned(planned, plan) : undefined
    for (const values of [read?.before, read?.after])
      if (read && values?.names) owners.set(values.names.address, ownersInTags(read.kind, values.fields))
  }
  return owners
}
