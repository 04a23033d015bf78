import { canonicalIdentity, type Live } from '../../core/live.ts'
import type { ObjectValue } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { type IdentifiedKind, identityField } from '../../model/kind.ts'
import { shownRow } from '../../schema/terraform/terraform-data-sources.ts'
import { DiagnosticError, errorDiagnostic } from '../diagnostic.ts'
import {
  contextOf,
  findById,
  ownerAttribute,
  type ResourceContext,
  textOf,
} from '../resources/resource-context.ts'
import type { Session } from '../session/session.ts'
import { rowOf } from './row-value.ts'

/** Reads one object by its id or its name; that there is none is an error. */
export async function readOne(
  kind: IdentifiedKind,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const context = contextOf(kind, session, config, signal)
  const live = await find(context, config)
  const owner = ownerAttribute(kind)
  const row = rowOf(shownRow(kind), live.record)
  return {
    ...row,
    [owner]: memberOf(config, owner) ?? memberOf(row, owner),
    id: live.id,
    // What was asked for is answered as it was written.
    [identityField(kind)]: textOf(memberOf(config, identityField(kind))) ?? live.identity,
  }
}

async function find(context: ResourceContext<IdentifiedKind>, config: ObjectValue): Promise<Live> {
  const { kind, run, signal } = context
  const attribute = identityField(kind)
  const [id, name] = [textOf(memberOf(config, 'id')), textOf(memberOf(config, attribute))]
  if (id !== undefined) {
    const live = await findById(context, id)
    if (!live) throw missing(`there is no ${kind.title} with the id "${id}"`, 'id')
    if (name === undefined || canonicalIdentity(kind, name) === live.identity) return live
    const summary = `the ${kind.title} with the id "${id}" is called "${live.identity}", not "${name}"`
    throw choice(summary, `Give one of \`id\` and \`${attribute}\`.`, attribute)
  }
  if (name === undefined) {
    throw choice(`neither \`id\` nor \`${attribute}\` is given`, 'Give one of them.', attribute)
  }
  const named = await run.shared.byIdentity(kind, name, signal)
  const [live] = named
  if (live && named.length === 1) return live
  if (!live) throw missing(`there is no ${kind.title} "${name}"`, attribute)
  const ids = named.map(one => one.id).join(', ')
  throw choice(
    `${named.length} ${kind.title}s are called "${name}"`,
    `Give the \`id\` of one: ${ids}.`,
    attribute,
  )
}

export function choice(summary: string, detail: string | undefined, attribute: string): DiagnosticError {
  return new DiagnosticError(errorDiagnostic(summary, detail, [attribute]))
}

function missing(summary: string, attribute: string): DiagnosticError {
  return choice(
    summary,
    'Is it spelled as in the service, and is the project or organization right?',
    attribute,
  )
}
