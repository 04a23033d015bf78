import { declarableKind } from '../../../kinds/index.ts'
import { servicesOf } from '../../../model/connection/profile.ts'
import { once } from '../../../model/runtime/once.ts'
import { type Behaviour, behaviourOf } from '../../../services/index.ts'
import type { Declarations, Desired } from '../../desired.ts'
import { type FlagLink, keysOf, linkOf, renamedDesired } from '../../flag-links.ts'
import { meantIdentity } from '../../name-with-id.ts'
import type { Policy } from '../../policy.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import type { Redaction } from '../../redaction.ts'
import type { NotKept, Pending } from '../base.ts'
import { withLevel } from '../guards/levels.ts'
import { fieldsOf, offeredPart } from '../guards/offered.ts'
import { findLive, indexLive } from '../live-index.ts'
import { testingOf } from '../summary/flipped-tests.ts'
import type { FoundObject, ObjectContext, Unchanged } from './object-context.ts'
import { isAsDeclared } from './object-difference.ts'

interface ContextsInput {
  readonly declarations: Declarations
  readonly snapshot: Snapshot
  readonly policy: Policy
  readonly placeOptions?: string
  readonly notKept?: NotKept
  readonly pending?: Pending
  /** When it is, in milliseconds since 1970; without it, nothing is told of tests. */
  readonly now?: number
  readonly redaction?: Redaction
}

/** What a plan looks declarations up in. */
interface Contexts {
  readonly snapshot: Snapshot
  readonly links: readonly FlagLink[]
  readonly rules: Behaviour
  readonly ensured: ObjectContext['ensured']
  /** A declaration as it is compared with what is live: with what it means there, beside what was found. */
  readonly contextOf: (written: Desired) => ObjectContext
  /** The same; only what was found, where that is as declared and nothing else is asked of it. */
  readonly foundOrContextOf: (written: Desired) => Unchanged | ObjectContext
}

export function contextsFor(input: ContextsInput): Contexts {
  const { declarations, policy, placeOptions, notKept = {}, pending = {}, now, redaction } = input
  const { links = linksOf(input.snapshot) } = input.snapshot
  const snapshot = { ...input.snapshot, links }
  const index = indexLive(snapshot.live)
  const has = fieldsOf(snapshot)
  const rules = behaviourOf(snapshot.profile ?? 'documented')
  const toKey = keysOf(links.filter(({ hasKey }) => hasKey))
  const ensure = once(
    () =>
      new Map([
        ...(declarations.skipped ?? []).map(({ address }) => [address, 'skipped'] as const),
        ...declarations.desired.map(desired => [desired.address, desired.ensure] as const),
      ]),
  )
  const ensured: ObjectContext['ensured'] = address => ensure().get(address)
  const services = servicesOf([snapshot.profile ?? 'documented'], policy.sdks)
  const testing =
    now === undefined ? undefined : testingOf({ now, services }, snapshot.live, declarations.desired)
  // To look for an address in what is empty takes as long as where it is not.
  const areNotKept = Object.keys(notKept).length > 0
  const arePending = Object.keys(pending).length > 0
  const foundFor = (written: Desired): FoundObject => {
    const kind = declarableKind(written.kind)
    const found = findLive(index, kind, written)
    const named = written.id === undefined ? written : { ...written, identity: meantIdentity(written, found) }
    const meant = renamedDesired(kind, withLevel(kind, named, snapshot), toKey)
    return { kind, desired: offeredPart(kind, meant, has, found[0]?.record), found }
  }
  const completed = ({ kind, desired, found }: FoundObject): ObjectContext => {
    const { address } = desired
    return {
      kind,
      desired,
      found,
      index,
      snapshot,
      policy,
      placeOptions,
      rules,
      has,
      testing,
      ensured,
      notKept: areNotKept ? notKept[address] : undefined,
      pending: arePending ? pending[address] : undefined,
      redaction: redaction?.of(desired),
    }
  }
  const mayBeUnchanged = snapshot.unreadable.size === 0
  return {
    snapshot,
    links,
    rules,
    ensured,
    contextOf: written => completed(foundFor(written)),
    foundOrContextOf(written) {
      const one = foundFor(written)
      const isUnchanged = mayBeUnchanged && written.ensure === 'present' && isAsDeclared(one, policy)
      return isUnchanged ? { ...one, isUnchanged } : completed(one)
    },
  }
}

/** Where nothing else was read, the flags that are declared are all that conditions name. */
function linksOf({ live }: Snapshot): FlagLink[] {
  return live.flatMap(one => linkOf(declarableKind(one.kind), one) ?? [])
}
