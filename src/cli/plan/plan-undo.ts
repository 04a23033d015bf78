import type { Plan } from '../../core/change.ts'
import type { Declarations } from '../../core/desired.ts'
import { contextsFor } from '../../core/plan/object/object-contexts.ts'
import { plan } from '../../core/plan/plan.ts'
import type { Policy } from '../../core/policy.ts'
import { type DeclaredDigests, declaredDigests } from '../../core/record/declared.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { tellWhatHides, withProtection } from '../../core/record/undo/protected-today.ts'
import { tellStillDeclared } from '../../core/record/undo/still-declared.ts'
import {
  blockChangedSince,
  blockWithoutValues,
  tellWhatIsLost,
  undoDeclarations,
} from '../../core/record/undo/undo.ts'
import { withOwners } from '../../core/record/undo/undo-owners.ts'
import { countParents } from '../../git/commits.ts'
import { isJsonArray } from '../../model/json/json.ts'
import type { Sensitive } from '../../model/safety/redacted-part.ts'
import { counted } from '../../report/object-names.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import type { WrittenRepository } from '../repository/repository.ts'
import { readLive } from './make-plan.ts'
import { declaredAddresses, type PolicyFlags, resolvePolicy, withAddresses } from './resolve-policy.ts'
import { type Choice, onlyChosen } from './target-filter.ts'

export interface UndoPlan {
  readonly plan: Plan
  /** What the files have to do with it; one line. */
  readonly note?: string
  /** What the files declare of what it undoes, as far as they can be read. */
  readonly declared?: DeclaredDigests
}

/**
 * What undoes a run. Everything that was so before may be so again, in one step: `rollout_step` is for what nobody has
 * seen yet, and whoever undoes a run is in a hurry. What is protected today stays.
 */
export async function planUndo(
  host: Host,
  session: Session,
  record: RunRecord,
  repository: WrittenRepository,
  flags: PolicyFlags & Choice,
): Promise<UndoPlan> {
  const { protection } = repository
  const today = repository.declarations
  const owned = withOwners(hiddenToday(undoDeclarations(record), today), today, record)
  const written = withProtection(owned, protection)
  const known = declaredAddresses(written)
  const declarations = onlyChosen(written, flags, unknown)
  const settled = resolvePolicy(repository.policy, flags)
  const { rolloutStep: _, ...limits } = settled.limits
  // What the run did not write is none of this command's business: nothing is pruned and nothing is marked.
  const policy: Policy = withAddresses(
    { ...settled, limits, ownership: { prune: 'never' } },
    { declared: known, unknown },
  )
  const snapshot = await readLive(host, session, declarations, { policy, readsEachGrant: true })
  const { redaction } = host
  const planned = plan({ declarations, snapshot, policy, redaction })
  const made = blockChangedSince(blockWithoutValues(planned, record), record, snapshot)
  const told = tellWhatIsLost(tellWhatHides(made, written, protection))
  if (repository.hasErrors) return { plan: told, ...(told.changes.length > 0 ? { note: untold } : {}) }
  const still = tellStillDeclared(told, today, snapshot, settled.ownership.tag)
  const { contextOf } = contextsFor({ declarations: today, snapshot, policy: settled })
  const touched = new Set(told.changes.map(({ address }) => address))
  const declared = declaredDigests(today.desired.filter(({ address }) => touched.has(address)).map(contextOf))
  if (still.addresses.length === 0) return { plan: still.plan, declared }
  return {
    plan: still.plan,
    declared,
    note: await stillNote(host, repository, { record, count: still.addresses.length }),
  }
}

const unknown = {
  name: 'is nothing that this run has written',
  glob: 'fits nothing that this run has written',
  owner: 'owns nothing that this run has written',
}

const untold =
  'the files have problems, so nobody can tell whether they still declare what is undone here; `vexil validate` shows them'

async function stillNote(
  { env }: Pick<Host, 'env'>,
  { directory }: Pick<WrittenRepository, 'directory'>,
  { record: { revision }, count }: { readonly record: RunRecord; readonly count: number },
): Promise<string> {
  const isClean = revision !== undefined && !revision.dirty
  const parents = isClean ? await countParents({ directory, env }, revision.commit) : 0
  // Of a merge, git reverts what it brought to the branch that it was made on.
  const mainline = parents > 1 ? '-m 1 ' : ''
  const commit = isClean ? `, as \`git revert ${mainline}${revision.commit.slice(0, 12)}\` may` : ''
  return `the files still declare what is undone here (${counted(count, 'object')}): take that back too${commit}; until then plans that have the record of this undo hold it`
}

/** What undoes a run hides what the run hid, and what is declared to be sensitive since. */
function hiddenToday(undoing: Declarations, { desired: today }: Declarations): Declarations {
  const declared = new Map(today.map(({ address, sensitive }) => [address, sensitive]))
  return {
    ...undoing,
    desired: undoing.desired.map(desired => {
      const sensitive = both(desired.sensitive, declared.get(desired.address))
      return sensitive === undefined ? desired : { ...desired, sensitive }
    }),
  }
}

function both(left: Sensitive | undefined, right: Sensitive | undefined): Sensitive | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return isJsonArray(left) && isJsonArray(right) ? [...new Set([...left, ...right])] : true
}
