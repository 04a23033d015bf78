import { identityKey, type Live } from '../../core/live.ts'
import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type IdentifiedKind, identityField } from '../../model/kind.ts'
import { parentNameAttribute } from '../../schema/terraform/terraform-data-sources.ts'
import { parentAttribute } from '../../schema/terraform/terraform-names.ts'
import { DiagnosticError, errorDiagnostic } from '../provider.ts'
import { notNamed } from './check-config.ts'
import { findById, grantsOf, type ResourceContext, textOf } from './resource-context.ts'

/** Finds the object with this id, this name, or both if they agree. Finding none is an error. */
export async function findNamed(
  context: ResourceContext<IdentifiedKind>,
  values: ObjectValue,
): Promise<Live> {
  const { kind, run, signal } = context
  const attribute = identityField(kind)
  const [id, name] = [textOf(memberOf(values, 'id')), textOf(memberOf(values, attribute))]
  if (id !== undefined) {
    const live = await findById(context, id)
    if (!live) throw missing(`there is no ${kind.title} with the id "${id}"`, 'id')
    if (name === undefined || identityKey(kind, name) === identityKey(kind, live.identity)) return live
    const summary = `the ${kind.title} with the id "${id}" is called "${live.identity}", not "${name}"`
    throw choice(summary, `Give one of \`id\` and \`${attribute}\`.`, attribute)
  }
  if (name === undefined) throw new DiagnosticError(notNamed(['id', attribute], attribute))
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

/** Finds the children of the object with this id, this name, or both if they agree. */
export async function findBelow(
  context: ResourceContext<IdentifiedKind>,
  values: ObjectValue,
): Promise<{ readonly parentId: string; readonly all: readonly Live[] }> {
  const { kind, run, signal } = context
  const parent = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const [byId, byName] = [parentAttribute(kind) ?? '', parentNameAttribute(kind) ?? '']
  const name = textOf(memberOf(values, byName))
  if (context.parentId === undefined && name === undefined)
    throw new DiagnosticError(notNamed([byId, byName], byId))
  const named = name === undefined ? undefined : (await run.shared.byIdentity(parent, name, signal))[0]
  const parentId = name === undefined ? context.parentId : named?.id
  if (named && context.parentId !== undefined && named.id !== context.parentId) {
    const summary = `the ${parent.title} "${name}" has the id "${named.id}", not "${context.parentId}"`
    throw choice(summary, `Give one of \`${byId}\` and \`${byName}\`.`, byName)
  }
  const all = parentId === undefined ? undefined : await grantsOf({ ...context, parentId })
  if (parentId !== undefined && all) return { parentId, all }
  const attribute = name === undefined ? byId : byName
  throw choice(`there is no ${parent.title} "${name ?? context.parentId}"`, undefined, attribute)
}

function choice(summary: string, detail: string | undefined, attribute: string): DiagnosticError {
  return new DiagnosticError(errorDiagnostic(summary, detail, [attribute]))
}

function missing(summary: string, attribute: string): DiagnosticError {
  return choice(
    summary,
    'Is it spelled as in the service, and is the project or organization right?',
    attribute,
  )
}
