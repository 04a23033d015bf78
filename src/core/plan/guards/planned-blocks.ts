import { fitsAnyGlob } from '../../../model/text/name-glob.ts'
import { type FrozenWindow, windowAt, windowText } from '../../../policies/frozen-window.ts'
import { type PlannedPolicy, plannedPolicies } from '../../../policies/planned-policies.ts'
import type { Level } from '../../../policies/policy.ts'
import type { Action, Block, Change } from '../../change.ts'
import { type Desired, parentKey } from '../../desired.ts'
import type { Live } from '../../live.ts'
import { allowFlag, type Policy } from '../../policy.ts'

/** The policies by which a change is blocked. */
type BlockingPolicy = 'frozen' | 'protected_keys'

/** What is looked at of a change: of a grant, its flag is the parent. */
interface PlannedChange {
  readonly action: Action
  readonly desired?: Desired
  readonly live?: Live
  readonly parent?: Live
}

/**
 * What the policies of the settings say of a change, at their level.
 *
 * | policy           | holds back                                                          |
 * |------------------|---------------------------------------------------------------------|
 * | `frozen`         | every change, as long as a window lasts                             |
 * | `protected_keys` | any change of what is live and has such a name, and of its grants   |
 */
export function plannedBlocks(
  change: PlannedChange,
  policy: Policy,
): { readonly level: Level; readonly block: Block<BlockingPolicy> }[] {
  const { frozen, protected_keys: keys } = policy.planned ?? {}
  if (!frozen && !keys) return []
  const name = nameOf(change)
  const found = (rule: BlockingPolicy, { level }: { readonly level: Level }, reason: string) => ({
    level,
    block: { rule, reason, remedy: `${plannedPolicies[rule].remedy}, or ${allowing(rule, change)}` },
  })
  const window = frozen && policy.now !== undefined ? windowAt(frozen.windows, policy.now) : undefined
  const isThere = change.action !== 'create' || change.parent !== undefined
  return [
    ...(frozen && window && !isLeftAlone(frozen, name) ? [found('frozen', frozen, reasonOf(window))] : []),
    ...(keys && isThere && fitsAnyGlob(keys.keys, name) && !isLeftAlone(keys, name)
      ? [found('protected_keys', keys, `the settings protect ${JSON.stringify(name)} from changes`)]
      : []),
  ]
}

/** The first of the changes that may not be made now, as a window has begun since they were planned; with its reason. */
export function frozenSince(
  changes: readonly Change[],
  policy: Policy,
): { readonly change: Change; readonly reason: string } | undefined {
  const { frozen } = policy.planned ?? {}
  const window = frozen && policy.now !== undefined ? windowAt(frozen.windows, policy.now) : undefined
  if (!window || frozen?.level !== 'error') return undefined
  const change = changes.find(
    ({ allowed, parent, identity }) =>
      !allowed.includes('frozen') && !isLeftAlone(frozen, parent?.identity ?? identity),
  )
  return change && { change, reason: reasonOf(window) }
}

function reasonOf(window: FrozenWindow): string {
  return `nothing is changed now: ${windowText(window)}`
}

/** A grant goes by its flag, and what is renamed by the name that it has. */
function nameOf({ desired, live, parent }: PlannedChange): string {
  const flag = parent?.identity ?? (desired && parentKey(desired))
  return flag ?? desired?.renamedFrom ?? live?.identity ?? desired?.identity ?? ''
}

function isLeftAlone({ except }: PlannedPolicy, name: string): boolean {
  return fitsAnyGlob(except, name)
}

function allowing(rule: BlockingPolicy, { desired }: PlannedChange): string {
  return desired ? allowFlag(rule, desired.address) : `--allow ${rule}`
}
