import { declarableKind } from '../../kinds/index.ts'
import { targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { ignoredNegations } from '../../targeting/check/check-services.ts'
import type { Declarations } from '../desired.ts'
import { findLive, indexLive } from '../plan/live-index.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { unreadable } from './block.ts'
import { brokenRules } from './live-only.ts'
import { levelProblems, offerProblems } from './offered.ts'

/** Problems of declarations that only the live service shows. With errors among them, no plan is made. */
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
    // An object that is unreadable or ambiguous is not changed.
    if (found.length > 1 || unreadable({ kind, desired: one, snapshot })) return []
    return brokenRules(kind, one, found[0]).map(({ problem }) => problem)
  })
}

/** Exclusions that the answering service ignores; before it answered, they were a warning. */
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
