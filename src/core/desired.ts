import { declarableKind } from '../kinds/index.ts'
import type { GuardRule } from '../model/guard-rules.ts'
import type { JsonObject } from '../model/json/json.ts'
import { type DeclarableKind, objectAddress } from '../model/kind.ts'
import type { GivenLiveEdits } from '../model/live-edit-policy.ts'
import type { Problem, Source } from '../model/problem.ts'
import type { Sensitive } from '../model/redacted-part.ts'
import type { Requirement } from '../rules/object-problem.ts'
import type { FlagTest } from '../targeting/index.ts'

export { type GuardRule, guardRules } from '../model/guard-rules.ts'

/**
 * One declared object, whatever it was declared in: YAML, a synthesized stack or Terraform's language. `fields`
 * holds the declared managed fields under their wire names; a field that is not there is not managed.
 */
export interface Desired {
  /** `feature_flag.checkout_v2`; a grant is `feature_flag_role_access.checkout_v2:support`. */
  readonly address: string
  readonly kind: string
  /** The value of the identity: a flag's key, an event's name, a plugin's name, a grant's role id. */
  readonly identity: string
  /** A remembered id, where the identity is not enough. */
  readonly id?: string
  /** What it is to be called from now on, where that is not what it is found by. */
  readonly renamedTo?: string
  /** What it is called before, where `identity` is its new name and its `id` tells which one is meant. */
  readonly renamedFrom?: string
  readonly ensure: 'present' | 'absent'
  readonly fields: JsonObject
  /** Of an object that is to be absent: what a soft deletion is to leave in it, as it was before a restore. */
  readonly leaves?: JsonObject
  /** Tags that it carries beside those that are declared or, where none are, those that it has. */
  readonly tags?: readonly string[]
  /**
   * Tags of which an object has one for each prefix, as in `owner:payments`: added like those beside it, and in place of
   * others with the prefix among those that it has.
   */
  readonly prefixedTags?: readonly string[]
  /** Who answers for it, where its declaration says so. */
  readonly owner?: string
  /** For a grant: the flag that it belongs to. */
  readonly parent?: ParentName
  /** What people call it where its identity says little: the role's name. */
  readonly label?: string
  /** Source files of a plugin, by file name. A file that is not named is not ours; null removes one. */
  readonly files?: Readonly<Record<string, string | null>>
  /** What of its values is in nothing that is shown or recorded. */
  readonly sensitive?: Sensitive
  /** Refuses every plan that would delete it or turn it off. */
  readonly protect?: boolean
  /** JSON pointers into `fields` (`/filters/groups/0/rollout_percentage`) that are left to the service. */
  readonly ignore?: readonly string[]
  /** Those of them that were written with the position of an element; an engine takes all of them so. */
  readonly positions?: readonly string[] | 'engine'
  /** Guards that the declaration itself allows. */
  readonly allow?: readonly GuardRule[]
  /** What becomes of its fields that were changed in the product, as far as the declaration says it. */
  readonly liveEdits?: GivenLiveEdits
  /** Which of its conditions begin with the properties of audiences: parts that several objects share. */
  readonly audiences?: readonly DeclaredAudience[]
  /**
   * Fields in which something comes out of the environment of the process. The same files declare something else there
   * on another machine, and it may be a secret: such a field has no base, and no record has a digest of it.
   */
  readonly fromEnvironment?: readonly string[]
  /** Who has to get what of it. */
  readonly tests?: readonly DeclaredTest[]
  /** Rules that it breaks, and may break only where the live object does. */
  readonly liveOnly?: readonly LiveOnly[]
  /** Says only what its fields say, as an undo does: nothing is assumed of the others. */
  readonly isPart?: true
  readonly source?: Source
}

/** A flag that grants belong to: files and stacks name it by its key, Terraform by the id that it has read. */
export type ParentName = { readonly key: string } | { readonly id: string }

/** The key of a grant's flag, where its declaration names that. */
export function parentKey({ parent }: Pick<Desired, 'parent'>): string | undefined {
  return parent && 'key' in parent ? parent.key : undefined
}

/** The address of a grant's flag, where its declaration names that by its key. */
export function declaredParent(
  { lifecycle: { parent } }: DeclarableKind,
  desired: Pick<Desired, 'parent'>,
): string | undefined {
  const key = parentKey(desired)
  return parent === undefined || key === undefined ? undefined : objectAddress(parent.kind, key)
}

/** The audience of a condition, with the properties that it and those that it builds on have there, in this order. */
export interface DeclaredAudience {
  /** Which condition it is, from 0 on. */
  readonly condition: number
  readonly parts: readonly { readonly audience: string; readonly properties: number }[]
}

/** A test of a declared flag. */
export interface DeclaredTest extends FlagTest {
  /** Whether `person` is a name that somebody gave, which is never hidden; else it is an id, as conditions may compare with. */
  readonly isNamed?: boolean
  /** Where it stands; found for whoever asks, since most tests pass and nobody does. */
  readonly sourceOf?: () => Source
}

/** A declared value that is a problem in anything new, and none where it is live already. */
export interface LiveOnly {
  /** The error that it is where it is new. */
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
  /** What people call roles, by their ids: a service with levels tells no names. */
  readonly roleNames?: ReadonlyMap<string, string>
  /** Declared as well and left alone this time, as skipped or not targeted: never taken for undeclared. */
  readonly skipped?: readonly Desired[]
}

/** What is declared of the grants of each flag. */
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
