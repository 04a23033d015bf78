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
  /** A remembered id, if the identity is not enough. */
  readonly id?: string
  /** Its new name, if it is found by another one. */
  readonly renamedTo?: string
  /** Its earlier name, if `identity` is its new name and its `id` identifies the object. */
  readonly renamedFrom?: string
  readonly ensure: 'present' | 'absent'
  readonly fields: JsonObject
  /** For an object that is to be absent: the values that a soft deletion keeps in it, as before a restore. */
  readonly leaves?: JsonObject
  /** Tags that are added to the declared tags or, if none are declared, to the live ones. */
  readonly tags?: readonly string[]
  /**
   * Tags with one value for each prefix, as in `owner:payments`. They are added like the tags above, and they
   * replace live tags with the same prefix.
   */
  readonly prefixedTags?: readonly string[]
  /** Its owner, if the declaration names one. */
  readonly owner?: string
  /** For a grant: the flag that it belongs to. */
  readonly parent?: ParentName
  /** Its name for people if its identity is not readable: the role's name. */
  readonly label?: string
  /** Source files of a plugin, by file name. A file that is not named is not ours; null removes one. */
  readonly files?: Readonly<Record<string, string | null>>
  /** Which of its values are never shown or recorded. */
  readonly sensitive?: Sensitive
  /** Refuses every plan that would delete it or turn it off. */
  readonly protect?: boolean
  /** JSON pointers into `fields` (`/filters/groups/0/rollout_percentage`) that are left to the service. */
  readonly ignore?: readonly string[]
  /** The ones that were written with the position of an element; an engine reads all of them that way. */
  readonly positions?: readonly string[] | 'engine'
  /** Guards that the declaration itself allows. */
  readonly allow?: readonly GuardRule[]
  /** The treatment of its fields that were changed in the product, if the declaration sets it. */
  readonly liveEdits?: GivenLiveEdits
  /** Which of its conditions begin with the properties of audiences: parts that several objects share. */
  readonly audiences?: readonly DeclaredAudience[]
  /**
   * Fields with a value from the environment of the process. On another machine the same files declare
   * another value, and it may be a secret. So such a field has no base, and no record has a digest of it.
   */
  readonly fromEnvironment?: readonly string[]
  /** Tests of who gets which value of it. */
  readonly tests?: readonly DeclaredTest[]
  /** Rules that it breaks, and may break only if the live object does. */
  readonly liveOnly?: readonly LiveOnly[]
  /** Declares only its own fields, as an undo does: no values are assumed for the others. */
  readonly isPart?: true
  readonly source?: Source
}

/** A flag that grants belong to: files and stacks name it by its key, Terraform by the id that it has read. */
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

/** The audience of a condition, with the properties of it and of those that it builds on, in this order. */
export interface DeclaredAudience {
  /** The number of the condition, from 0. */
  readonly condition: number
  readonly parts: readonly { readonly audience: string; readonly properties: number }[]
}

/** A test of a declared flag. */
export interface DeclaredTest extends FlagTest {
  /** Whether `person` is a given name, which is never hidden; else it is an id, as conditions may compare with. */
  readonly isNamed?: boolean
  /** Its place in the files; computed only on request, since most tests pass and do not need it. */
  readonly sourceOf?: () => Source
}

/** A declared value that is a problem in a new object, and no problem if it is live already. */
export interface LiveOnly {
  /** The error for a new object. */
  readonly problem: Problem
  readonly requires: Requirement
}

/** A flag whose grants were declared as one list: roles that hold a grant and are not in it lose theirs. */
export interface OwnedGrants extends Pick<Desired, 'allow' | 'liveEdits'> {
  readonly flag: string
  readonly source?: Source
}

/** Everything that was declared for one environment. */
export interface Declarations {
  readonly desired: readonly Desired[]
  readonly ownedGrants: readonly OwnedGrants[]
  /** Names of roles by their ids: a service with levels does not send the names. */
  readonly roleNames?: ReadonlyMap<string, string>
  /** Declared, but skipped or not targeted in this run: these never count as undeclared. */
  readonly skipped?: readonly Desired[]
}

/** The declared grants of each flag. */
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
