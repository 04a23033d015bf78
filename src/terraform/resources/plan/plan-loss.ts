import { lossByDeletion, lossByRename, lostWith } from '../../../core/flag-links.ts'
import { areDrawn } from '../../../core/summary/flag-summary.ts'
import { isSameValue, memberOf, type ObjectValue } from '../../../hcl/values.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import {
  type DeclarableKind,
  hasTargeting,
  identityField,
  switchField,
  targetingField,
} from '../../../model/kind.ts'
import { sentence } from '../../../model/text/sentence.ts'
import { targetingText } from '../../../schema/terraform/targeting-attributes.ts'
import { replacingAttributes } from '../../../schema/terraform/terraform-extras.ts'
import { type Diagnostic, DiagnosticError } from '../../diagnostic.ts'
import type { CurrentState } from '../../provider.ts'
import type { Session } from '../../session/session.ts'
import { jsonIn } from '../field-value.ts'
import { contextOf, findById, nameIn, removalOf, textOf } from '../resource-context.ts'

/** Who loses what by another name of a flag, in the words of the reconciler. */
export async function renameWarning(
  kind: DeclarableKind,
  session: Session,
  prior: ObjectValue | null,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const name = identityField(kind)
  const was = prior && memberOf(prior, name)
  if (!prior || was === null || !hasTargeting(kind) || replacingAttributes(kind).includes(name)) return []
  if (isSameValue('string', was, memberOf(planned, name))) return []
  const flags = [prior, planned].map(values => ({
    filters: jsonIn(targetingText(targetingField(kind) ?? '', values)),
    active: memberOf(values, switchField(kind) ?? '') !== false,
  }))
  const loss = lossByRename(
    kind,
    lostWith(kind, await recordOf(kind, session, prior, signal)),
    areDrawn(flags),
  )
  const kept = 'The flag is renamed in place: it keeps its id, grants and history.'
  return [
    {
      severity: 'warning',
      summary: `code that asks for "${String(was)}" no longer gets this flag`,
      detail: loss === undefined ? kept : `${kept} ${sentence(loss)}`,
      attribute: [name],
    },
  ]
}

/** The same of a flag that is taken out of the configuration. */
export async function removalWarning(
  kind: DeclarableKind,
  session: Session,
  { state }: CurrentState,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  if (!hasTargeting(kind) || removalOf(kind, state) === 'forget') return []
  const loss = lossByDeletion(lostWith(kind, await recordOf(kind, session, state, signal)))
  if (loss === undefined) return []
  const summary = `other parts of the product use ${nameIn(kind, state)}, which is destroyed`
  return [{ severity: 'warning', summary, detail: sentence(loss) }]
}

/** What is live of the object of a state; nothing where nobody can ask. */
async function recordOf(
  kind: DeclarableKind,
  session: Session,
  state: ObjectValue,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    const context = contextOf(kind, session, state, signal)
    return (await findById(context, textOf(memberOf(state, 'id')) ?? ''))?.record ?? {}
  } catch (error) {
    if (error instanceof DiagnosticError) return {}
    throw error
  }
}
