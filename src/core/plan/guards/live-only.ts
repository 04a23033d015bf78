import { declarableKind } from '../../../kinds/index.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import type { Problem } from '../../../model/problem.ts'
import { ignoredNegations } from '../../../targeting/check/check-services.ts'
import { isHeld } from '../../../targeting/index.ts'
import type { Block } from '../../change.ts'
import type { Declarations, Desired, LiveOnly } from '../../desired.ts'
import { declaredFields } from '../../diff.ts'
import type { Live } from '../../live.ts'
import type { Snapshot } from '../../read/snapshot.ts'
import { findLive, indexLive } from '../live-index.ts'
import { unreadable } from './block.ts'
import { levelProblems } from './levels.ts'
import { offerProblems } from './offered.ts'

/**
 * What of the rules that a declaration breaks is a problem, beside what is live.
 *
 * | live                              | a broken rule                                     |
 * |-----------------------------------|---------------------------------------------------|
 * | nothing                           | is a problem                                      |
 * | the value, or its part, is so too | is none: nobody wrote it now, and nothing is lost |
 * | anything else                     | is a problem                                      |
 */
export function brokenRules(
  kind: DeclarableKind,
  desired: Desired,
  live: Live | undefined,
): readonly LiveOnly[] {
  const { liveOnly = [] } = desired
  if (liveOnly.length === 0 || !live) return liveOnly
  const field = targetingField(kind) ?? ''
  const declared = declaredFields(kind, desired, live)[field] ?? null
  return liveOnly.filter(({ requires }) =>
    requires.is === 'filters'
      ? !isHeld(declared, live.record[field] ?? null, requires)
      : isWritten(requires.name, desired, live),
  )
}

/** What only the live service tells of declarations. No plan is made with the errors among it. */
export function problemsBeside(declarations: Declarations, snapshot: Snapshot): Problem[] {
  return [
    ...levelProblems(declarations, snapshot),
    ...offerProblems(declarations, snapshot),
    ...liveOnlyProblems(declarations, snapshot),
    ...ignoredProblems(declarations, snapshot),
  ]
}

function liveOnlyProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  const conditional = desired.filter(
    ({ liveOnly = [], ensure }) => liveOnly.length > 0 && ensure === 'present',
  )
  if (conditional.length === 0) return []
  const index = indexLive(snapshot.live)
  return conditional.flatMap(one => {
    const kind = declarableKind(one.kind)
    const found = findLive(index, kind, one)
    // Nothing is done to what nobody could read, or tell apart.
    if (found.length > 1 || unreadable({ kind, desired: one, snapshot })) return []
    return brokenRules(kind, one, found[0]).map(({ problem }) => problem)
  })
}

/** Exclusions that the service ignores which answered; before it did, they were a warning. */
function ignoredProblems({ desired }: Declarations, { profile, isGuessed }: Snapshot): Problem[] {
  if (profile === undefined || isGuessed) return []
  return desired.flatMap(({ kind: name, fields, ensure, address, source }) => {
    const value = fields[targetingField(declarableKind(name)) ?? ''] ?? null
    const at = { address, ...(source ? { source } : {}) }
    return ensure === 'absent'
      ? []
      : ignoredNegations(value, profile).map(({ severity, code, message, hint }) => ({
          severity,
          code,
          message,
          hint,
          ...at,
        }))
  })
}

/** Why an object is not planned whose declaration is invalid where it is live. */
export function invalidBlock([first, ...others]: readonly LiveOnly[]): Block {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return {
    rule: 'invalid',
    reason: `${first?.problem.message}${more}`,
    remedy: first?.problem.hint ?? 'correct the declaration',
  }
}

/** A guard of its own looks after files that cannot be compared. */
function isWritten(name: string, { files }: Desired, live: Live): boolean {
  return live.filesUnreadable === undefined && live.files?.[name] !== files?.[name]
}
