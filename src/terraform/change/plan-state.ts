import { isServiceError } from '../../api/index.ts'
import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import { type DeclarableKind, switchField, targetingField } from '../../model/kind.ts'
import { targetingText } from '../../schema/terraform/targeting-attributes.ts'
import {
  type Diagnostic,
  DiagnosticError,
  errorDiagnostic,
  hasError,
  hasMadeUp,
  isMadeUp,
  type PlanAnswer,
  type ProposedChange,
} from '../provider.ts'
import { checkConfig, newProblems } from '../resources/check-config.ts'
import { contextOf, nameIn, ownerAttribute } from '../resources/resource-context.ts'
import type { Session } from '../session.ts'
import { trying } from './explain.ts'
import { liveEditWarnings, lostEditsWarning } from './live-edits.ts'
import { changedOf, planAttributes, planOffered } from './plan-attributes.ts'
import { claimedTwice, heldTwice, planExisting, warnOfRename } from './plan-existing.ts'
import { planShadow } from './plan-shadow.ts'
import { recall } from './remembered.ts'

/**
 * Plans an object. A move to another project or organization destroys the object before the new one is made.
 * So the target has to exist: a variable with a wrong value would otherwise leave nothing of a whole stack.
 */
export async function planObject(
  kind: DeclarableKind,
  session: Session,
  change: ProposedChange,
  signal: AbortSignal,
): Promise<PlanAnswer> {
  const { config } = change
  const late = hasMadeUp(config)
    ? checkConfig(kind, config, session.services).filter(problem => isMadeUp(config, problem))
    : []
  if (hasError(late)) throw new DiagnosticError(...late)
  const answer = planAttributes(kind, session, change)
  const problems = [
    ...newProblems(kind, change, answer.planned, session.profile),
    ...claimedTwice(kind, session.claims, change, answer.planned),
  ]
  if (problems.length > 0) throw new DiagnosticError(...problems)
  const owner = ownerAttribute(kind)
  const moves = (answer.requiresReplace ?? []).some(([name]) => name === owner)
  // A grant moves with its flag, and the flag checks the target.
  if (moves && !kind.lifecycle.parent && typeof memberOf(answer.planned, owner) === 'string') {
    const name = nameIn(kind, change.prior ?? answer.planned)
    await trying(`move ${name}`, kind, () => requirePlace(kind, session, name, answer.planned, signal))
  }
  const isReplacing = (answer.requiresReplace ?? []).length > 0
  const notes = [
    ...(isReplacing ? [] : await warnOfRename(kind, session, change.prior, answer.planned, signal)),
    ...(await planShadow(kind, session, change, answer.planned, signal)),
    ...(await planExisting(kind, session, change, answer.planned, signal)),
    ...(await planOffered(kind, session, change, answer.planned, signal)),
  ]
  return {
    ...answer,
    diagnostics: [
      ...late,
      ...heldTwice(kind, session.claims, change),
      ...(answer.diagnostics ?? []),
      ...notes,
      ...editWarnings(kind, session, change, answer),
      ...pendingWarning(kind, change, answer.planned),
    ],
  }
}

/** A new object in place of this one keeps nothing of it. */
function editWarnings(
  kind: DeclarableKind,
  session: Session,
  change: ProposedChange,
  { planned, requiresReplace = [] }: PlanAnswer,
): readonly Diagnostic[] {
  const { prior, priorPrivate } = change
  return prior && requiresReplace.length > 0
    ? lostEditsWarning(kind, session, { state: prior, private: priorPrivate })
    : liveEditWarnings(kind, session, change, planned)
}

/** An apply does not ask again for what waits for approval; it fails until that is given. */
function pendingWarning(
  kind: DeclarableKind,
  { prior, priorPrivate }: ProposedChange,
  planned: ObjectValue,
): Diagnostic[] {
  const { pending } = recall(priorPrivate)
  if (!prior || !pending) return []
  const [were, will] = [gatedValues(kind, prior), gatedValues(kind, planned)]
  if (changedOf(Object.keys(will), were, will).length === 0) return []
  const summary = `a change of ${nameIn(kind, prior)} waits for approval: change request ${pending.changeRequest}`
  const detail =
    'The service makes it once somebody approves that request there. The same change is not asked for again, and an apply of it fails until then. Where it was rejected and this key may not ask for that, add "approval_pending" to `allow`.'
  return [{ severity: 'warning', summary, detail }]
}

/** The values that may need approval: who gets a flag, in any form, and whether anybody does. */
function gatedValues(kind: DeclarableKind, values: ObjectValue): ObjectValue {
  const [targeting, turned] = [targetingField(kind), switchField(kind)]
  return {
    ...(targeting === undefined ? {} : { [targeting]: targetingText(targeting, values) }),
    ...(turned === undefined ? {} : { [turned]: memberOf(values, turned) }),
  }
}

async function requirePlace(
  kind: DeclarableKind,
  session: Session,
  name: string,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerAttribute(kind)
  try {
    await contextOf(kind, session, planned, signal).run.shared.all(kind, {})
  } catch (error) {
    if (!isServiceError(error) || error.status !== 404) throw error
    const scope = kind.scope === 'project' ? 'project' : 'organization'
    throw new DiagnosticError(
      errorDiagnostic(
        `there is no ${scope} ${String(memberOf(planned, owner))}, or this key does not see it`,
        `${name} would be destroyed where it is and could not be made there. Where it goes is set by \`${owner}\` of the resource, of the provider, or by VEXIL_${owner.toUpperCase()}.`,
        [owner],
      ),
    )
  }
}
