import { objectAddress } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { isAudienceAddress } from '../audience-declaration.ts'
import type { FileDeclarations, GrantDeclaration, ObjectDeclaration } from '../declaration.ts'

/**
 * What of some declarations no error is about.
 *
 * | an error                    | leaves out                                   |
 * |-----------------------------|----------------------------------------------|
 * | about one object            | that object                                  |
 * | about an audience           | every object that builds on an audience      |
 * | about a file, or a grant    | the objects of that file                     |
 * | about nothing in a file     | everything                                   |
 */
export function withoutBroken(
  declared: readonly FileDeclarations[],
  problems: readonly Problem[],
): readonly FileDeclarations[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.some(({ source }) => source === undefined)) return []
  const addresses = new Set(errors.flatMap(({ address }) => address ?? []))
  const isAudienceBroken = [...addresses].some(isAudienceAddress)
  const objects = new Set(declared.flatMap(file => file.objects.map(({ address }) => address)))
  const files = new Set(
    errors.flatMap(({ address, source }) =>
      address !== undefined && (objects.has(address) || isAudienceAddress(address))
        ? []
        : (source?.file ?? []),
    ),
  )
  const isWhole = (one: ObjectDeclaration) =>
    !files.has(one.file.parsed.file) &&
    !addresses.has(one.address) &&
    !(isAudienceBroken && usesAudience(one))
  const isWholeGrant = (grant: GrantDeclaration) =>
    !files.has(grant.file.parsed.file) &&
    !addresses.has(objectAddress(grant.kind.name, grant.role, grant.flag))
  return declared.map(file => ({
    objects: file.objects.filter(isWhole),
    grants: file.grants.filter(isWholeGrant),
  }))
}

function usesAudience({ base, environments }: ObjectDeclaration): boolean {
  return [base, ...environments.values()].some(({ expanded }) => (expanded?.audiences.length ?? 0) > 0)
}
