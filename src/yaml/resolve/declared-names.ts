import { canonicalIdentity } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { objectAddress } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { FileDeclarations } from '../declaration.ts'
import type { ExportedObject } from '../write/exported-object.ts'

/** What the files of a repository declare, for whichever environment: enough to know it again. */
export interface DeclaredNames {
  /** The address of each, as they stand in the files. */
  readonly addresses: readonly string[]
  /** Who answers for something, as declarations say. */
  readonly owners: readonly string[]
  /**
   * Whether an object is declared already, so that declaring it once more would be a problem. Of an environment its own ids
   * count; the same name or id can be another object elsewhere.
   */
  has(object: Pick<ExportedObject, 'kind' | 'identity' | 'id'>, environment?: string): boolean
  /** Whether a declaration of the kind has this name, whatever object it is about. */
  isTaken(kind: string, name: string): boolean
  /** Roles that are granted a flag by declarations of their own, as they are written there. */
  rolesOf(flag: string): readonly string[]
}

/** Nothing is gathered before it is asked for: a plan asks for none of it. */
export function declaredNames(files: readonly FileDeclarations[]): DeclaredNames {
  let gathered: ReturnType<typeof gatherNames> | undefined
  const names = () => {
    gathered ??= gatherNames(files)
    return gathered
  }
  const inEnvironments = new Map<string, ReturnType<typeof gatherNames>>()
  const namesIn = (environment: string) => {
    const known = inEnvironments.get(environment) ?? gatherNames(files, environment)
    inEnvironments.set(environment, known)
    return known
  }
  return {
    get addresses() {
      return [...names().addresses]
    },
    get owners() {
      return [...names().owners].sort(compareTexts)
    },
    has({ kind, identity, id }, environment) {
      const { ids, identities } = environment === undefined ? names() : namesIn(environment)
      return (
        ids.has(`${kind}#${id}`) ||
        identities.has(objectAddress(kind, canonicalIdentity(declarableKind(kind), identity)))
      )
    },
    isTaken: (kind, name) => names().taken.has(objectAddress(kind, name)),
    rolesOf: flag => names().grants.flatMap(grant => (grant.flag === flag ? [grant.role] : [])),
  }
}

function gatherNames(files: readonly FileDeclarations[], environment?: string) {
  const objects = files.flatMap(file => file.objects)
  const grants = files.flatMap(file => file.grants)
  const [identities, ids, taken] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const owners = new Set<string>()
  for (const { kind, identity, base, environments } of objects) {
    const own = environment === undefined ? undefined : environments.get(environment)
    const layers =
      environment === undefined ? [base, ...environments.values()] : [own?.id === undefined ? base : own]
    for (const { id } of layers) if (id !== undefined) ids.add(`${kind.name}#${id}`)
    for (const { tagMembers } of layers) if (tagMembers?.owner) owners.add(tagMembers.owner)
    const name = objectAddress(kind.name, canonicalIdentity(kind, identity))
    taken.add(name)
    // Where names are not unique, one that says which object it means says nothing of the others.
    const isUnique = kind.identity.by === 'field' && kind.identity.unique
    if (isUnique || layers.every(({ id }) => id === undefined)) identities.add(name)
  }
  const addresses = [
    ...objects.map(({ address }) => address),
    ...grants.map(({ kind, flag, role }) => objectAddress(kind.name, role, flag)),
  ]
  return { identities, ids, taken, owners, grants, addresses: new Set(addresses) }
}

/** What there is before anything is declared. */
export const noNames = declaredNames([])
