import { namesAny } from '../../core/flag-links.ts'
import { canonicalIdentity } from '../../core/live.ts'
import { declarableKind } from '../../kinds/index.ts'
import { objectAddress } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/names.ts'
import { isNumberText, type Naming } from '../../targeting/describe.ts'
import type { NamedThing } from '../../targeting/short/short-form.ts'
import type { FileDeclarations } from '../declaration.ts'
import type { Environment } from '../settings.ts'
import type { ExportedObject } from '../write/declaration-of.ts'

/** The names that the files of a repository declare, for any environment: enough to recognize an object. */
export interface DeclaredNames {
  /** The addresses of the objects, as spelled in the files. */
  readonly addresses: readonly string[]
  /** The `owner` values of declarations. */
  readonly owners: readonly string[]
  /**
   * Whether an object is already declared, so that a second declaration would be a problem. Ids belong to one
   * environment: elsewhere the same name or id can be another object.
   */
  has(object: Pick<ExportedObject, 'kind' | 'identity' | 'id'>, environment?: string): boolean
  /** Whether a declaration of the kind has this name, for any object. */
  isTaken(kind: string, name: string): boolean
  /** Roles with separate grants for a flag, as written. */
  rolesOf(flag: string): readonly string[]
}

/** Collects on first use: a plan uses none of these names. */
export function declaredNames(files: readonly FileDeclarations[]): DeclaredNames {
  const known = new Map<string | undefined, ReturnType<typeof gatherNames>>()
  const names = (environment?: string) => {
    const found = known.get(environment) ?? gatherNames(files, environment)
    known.set(environment, found)
    return found
  }
  return {
    get addresses() {
      return [...names().addresses]
    },
    get owners() {
      return [...names().owners].sort(compareTexts)
    },
    has({ kind, identity, id }, environment) {
      const { ids, identities } = names(environment)
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
    // If names are not unique, a declaration with an id identifies only that object.
    const isUnique = kind.identity.by === 'field' && kind.identity.unique
    if (isUnique || layers.every(({ id }) => id === undefined)) identities.add(name)
  }
  const addresses = [
    ...objects.map(({ address }) => address),
    ...grants.map(({ kind, flag, role }) => objectAddress(kind.name, role, flag)),
  ]
  return { identities, ids, taken, owners, grants, addresses: new Set(addresses) }
}

/** For a repository without declarations. */
export const noNames = declaredNames([])

/** The names of things that have a number in the service. */
type Numbered = Pick<Environment, 'cohorts' | 'groupTypes'>

function numbersIn({ cohorts, groupTypes }: Numbered, thing: NamedThing): Readonly<Record<string, number>> {
  return thing === 'cohort' ? cohorts : groupTypes
}

/** The number for a name in an environment; undefined if the name is unknown there. */
export function numberIn(environment: Numbered, thing: NamedThing, name: string): number | undefined {
  const numbers = numbersIn(environment, thing)
  return Object.hasOwn(numbers, name) ? numbers[name] : undefined
}

export interface NamingOptions {
  /** Other environments that share the text; each has its own numbers. */
  readonly others?: readonly Numbered[]
  /** Whether a name that one of them lacks is skipped; otherwise it only goes after those that all of them have. */
  readonly isForAll?: boolean
}

/** The first name of each number of a cohort or a group type; undefined if there are no names. */
export function namingIn(
  environment: Numbered,
  { others = [], isForAll = false }: NamingOptions = {},
): Naming | undefined {
  if (Object.keys(environment.cohorts).length + Object.keys(environment.groupTypes).length === 0)
    return undefined
  return {
    numberOf: (thing, name) => numberIn(environment, thing, name),
    nameOf: (thing, number) => {
      const names = namesIn(environment, thing, number)
      const ofAll = names.find(name => others.every(other => numberIn(other, thing, name) !== undefined))
      return ofAll ?? (isForAll ? undefined : names[0])
    },
  }
}

/** The names in an environment, except those that a declaration would read as numbers. */
function namesIn(environment: Numbered, thing: NamedThing, number: number): readonly string[] {
  return Object.entries(numbersIn(environment, thing)).flatMap(([name, known]) =>
    known === number && name !== '' && !isNumberText(name) ? [name] : [],
  )
}

/** Only the flags whose conditions refer to others, in any environment, grouped by file. */
export function namingFlags(declared: readonly FileDeclarations[]): readonly FileDeclarations[] {
  return declared.map(({ objects }) => ({
    objects: objects.filter(
      ({ kind, base, environments }) =>
        namesAny(kind, base.fields) ||
        (environments.size > 0 && [...environments.values()].some(({ fields }) => namesAny(kind, fields))),
    ),
    grants: [],
  }))
}
