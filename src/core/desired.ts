import { declarableKind } from '../kinds/index.ts'
import type { Sensitive } from '../model/field.ts'
import type { GuardRule } from '../model/guard-rules.ts'
import { type DeclarableKind, objectAddress } from '../model/kind.ts'
import type { GivenLiveEdits } from '../model/live-edit-policy.ts'
import type { Problem, Source } from '../model/problem.ts'
import type { JsonObject } from '../model/text/json.ts'
import type { Requirement } from '../rules/check-field.ts'
import type { FlagTest } from '../targeting/index.ts'

export type { GuardRule } from '../model/guard-rules.ts'

/**
 * One declared object from any source: YAML, a synthesized stack or Terraform's language. `fields`
 * holds the declared managed fields under their wire names; a missing field is not managed.
 */
export interface Desired {
  /** `feature_flag.checkout_v2`; a grant is `feature_flag_role_access.checkout_v2:support`. */
  readonly address: string
  readonly kind: string
  /** The value of the identity: a flag's key, an event's name, a plugin's name, a grant's role id. */
  readonly identity: string
  /** The declared id, if the identity is not enough. */
  readonly id?: string
  /** Its new name, if it is found by its old name. */
  readonly renamedTo?: string
  /** Its earlier name, if `identity` is its new name and its `id` identifies the object. */
  readonly renamedFrom?: string
  readonly ensure: 'present' | 'absent'
  readonly fields: JsonObject
  /** For a declaration of absence: values that a soft deletion also writes, as before a restore. */
  readonly leaves?: JsonObject
  /** Tags that are added to the declared tags or, if none are declared, to the live ones. */
  readonly tags?: readonly string[]
  /**
   * Tags with one value for each prefix, as in `owner:payments`. They are added like the tags above, and they
   * replace live tags with the same prefix.
   */
  readonly prefixedTags?: readonly string[]
  readonly owner?: string
  /** For a grant: the flag that it belongs to. */
  readonly parent?: ParentName
  /** Its name for people if its identity is not readable: the role's name. */
  readonly label?: string
  /** Source files of a plugin, by name. Undeclared files are not changed; null removes a file. */
  readonly files?: Readonly<Record<string, string | null>>
  /** Which of its values are never shown or recorded. */
  readonly sensitive?: Sensitive
  /** Whether plans that would delete it or turn it off are blocked. */
  readonly protect?: boolean
  /** JSON pointers into `fields` (`/filters/groups/0/rollout_percentage`) that are left to the service. */
  readonly ignore?: readonly string[]
  /** The ignored places that contain a list position; an engine reads all of them as positions. */
  readonly positions?: readonly string[] | 'engine'
  readonly allow?: readonly GuardRule[]
  readonly liveEdits?: GivenLiveEdits
  /** The conditions that begin with the properties of audiences. */
  readonly audiences?: readonly DeclaredAudience[]
  /**
   * Fields with values from environment variables. Such a value differs between machines and may be a secret.
   * So these fields have no base, and records contain no digest of them.
   */
  readonly fromEnvironment?: readonly string[]
  readonly tests?: readonly DeclaredTest[]
  /** Broken rules that are errors only if the live object follows them. */
  readonly liveOnly?: readonly LiveOnly[]
  /** Whether undeclared fields get no defaults, as in an undo. */
  readonly isPart?: true
  readonly source?: Source
}

/** The flag of a grant: files and stacks use its key, Terraform the id that it has read. */
export type ParentName = { readonly key: string } | { readonly id: string }

/** The key of a grant's flag, if its declaration names that. */
export function parentKey({ parent }: Pick<Desired, 'parent'>): string | undefined {
  return parent && 'key' in parent ? parent.key : undefined
}

/** The address of a grant's flag, if its declaration names the flag by its key. */
export function declaredParent(
  { lifecycle: { parent } }: DeclarableKind,
  desired: Pick<Desired, 'parent'>,
): string | undefined {
  const key = parentKey(desired)
  return parent === undefined || key === undefined ? undefined : objectAddress(parent.kind, key)
}

/** The audience of a condition, with its properties and then those of the audiences that it includes. */
export interface DeclaredAudience {
  /** The number of the condition, from 0. */
  readonly condition: number
  readonly parts: readonly { readonly audience: string; readonly properties: number }[]
}

export interface DeclaredTest extends FlagTest {
  /** Whether `person` is a display name, which is never hidden. Otherwise it is an id. */
  readonly isNamed?: boolean
  /** Its place in the files; computed only on request, since most tests pass and do not need it. */
  readonly sourceOf?: () => Source
}

/** A declared value that is an error in a new object, but accepted if it is already live. */
export interface LiveOnly {
  /** The error for a new object. */
  readonly problem: Problem
  readonly requires: Requirement
}

/** A flag whose grants are declared as one list: other roles lose their grants. */
export interface OwnedGrants extends Pick<Desired, 'allow' | 'liveEdits'> {
  readonly flag: string
  readonly source?: Source
}

export interface Declarations {
  readonly desired: readonly Desired[]
  readonly ownedGrants: readonly OwnedGrants[]
  /** Names of roles by their ids: a service with levels does not send the names. */
  readonly roleNames?: ReadonlyMap<string, string>
  /** Declared objects that are skipped or not targeted. They never count as undeclared. */
  readonly skipped?: readonly Desired[]
}

export interface GrantsOfFlags {
  readonly flags: readonly string[]
  of(flag: string): { readonly grants: readonly Desired[]; readonly isWhole: boolean } | undefined
}

export function grantsOfFlags({ desired, ownedGrants }: Declarations): GrantsOfFlags {
  const grants = new Map<string, Desired[]>()
  for (const one of desired) {
    const key = declarableKind(one.kind).lifecycle.parent ? parentKey(one) : undefined
    if (key === undefined) continue
    const ofFlag = grants.get(key)
    if (ofFlag) ofFlag.push(one)
    else grants.set(key, [one])
  }
  const whole = new Set(ownedGrants.map(({ flag }) => flag))
  return {
    flags: [...new Set([...whole, ...grants.keys()])],
    of(flag) {
      const declared = grants.get(flag)
      if (!declared && !whole.has(flag)) return undefined
      return { grants: declared ?? [], isWhole: whole.has(flag) }
    },
  }
}
