import type { Change } from '../../../core/change.ts'
import { hasTargeting, identityField, isTargeting } from '../../../model/kind.ts'
import { givenTyped } from '../../../schema/terraform/targeting-attributes.ts'
import { typedImportId } from '../../../schema/terraform/terraform-identity.ts'
import { type Diagnostic, DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import { isAdopting, nameOf, ownerAttribute, type ResourceContext, type Wanted } from '../resource-context.ts'

/**
 * The refusal to create what is there already, once or more: says how to get it into the state instead. `differing` has
 * the fields in which it is not as configured; nobody has looked at those of several.
 */
export function exists(
  wanted: Wanted,
  identity: string,
  ids: readonly string[],
  differing: readonly string[] | undefined,
): DiagnosticError {
  const field = identityField(wanted.context.kind)
  // Terraform does not tell a provider that a creation is one half of a replacement.
  const replacing = `Where the plan shows a replacement (\`+/-\`), import nothing: take \`create_before_destroy\` away, here and from what depends on this resource. The service holds one of that ${field} at a time, and the old one stays as it is.`
  const detail = [...waysIn(wanted, identity, ids, differing), ...(ids.length > 1 ? [] : [replacing])]
  return new DiagnosticError(
    errorDiagnostic(`${nameOf(wanted.context.kind, identity)} exists already`, detail.join('\n\n'), [field]),
  )
}

/** The same while it is only planned. */
export function existsWarning(
  wanted: Wanted,
  identity: string,
  ids: readonly string[],
  differing: readonly string[] | undefined,
): Diagnostic {
  const { kind } = wanted.context
  const otherwise = [
    'Where it is in the state under another address, import nothing: write a `moved` block.',
    'Where another resource gives it up, let this one depend on that; where the plan shows a replacement (`+/-`), take `create_before_destroy` away.',
  ]
  return {
    severity: 'warning',
    summary: `${nameOf(kind, identity)} exists already, so an apply will not create it`,
    detail: [...waysIn(wanted, identity, ids, differing), otherwise.join(' ')].join('\n\n'),
    attribute: [identityField(kind)],
  }
}

/** The fields that a change would change, as `exists` tells them. */
export function differingFields(change: Change | undefined): readonly string[] {
  return change ? [...Object.keys(change.after), ...(change.files ? ['source'] : [])] : []
}

function waysIn(
  wanted: Wanted,
  identity: string,
  ids: readonly string[],
  differing: readonly string[] | undefined,
): string[] {
  const { context, planned } = wanted
  const [id = 'ID', ...others] = ids
  const isOne = others.length === 0
  const importId = importIdOf(wanted, context.parentId === undefined ? (isOne ? id : 'ID') : identity)
  // Indented lines are shown as they are; Terraform wraps all others.
  const block = `  import {\n    to = ${addressOf(context)}\n    id = "${importId}"\n  }`
  const which = isOne ? 'it' : 'the one that is meant'
  const isAsConfigured = isOne && differing?.length === 0 && !isAdopting(planned)
  return [
    `The service holds it under the ${isOne ? 'id' : 'ids'} ${ids.join(', ')}.${differenceText(wanted, differing)}`,
    `Import ${which} with ${commandOf(context, importId)}, or with`,
    block,
    ...(isAsConfigured ? ['It is as configured, so `adopt = true` takes it over as well.'] : []),
  ]
}

function differenceText(
  { context: { kind }, planned, config }: Wanted,
  differing: readonly string[] = [],
): string {
  if (differing.length === 0) return ''
  const [typed] = givenTyped(config)
  const names = differing.map(name => `\`${isTargeting(kind, name) ? (typed ?? name) : name}\``)
  const why = isAdopting(planned) ? ', which is why `adopt` does not take it over' : ''
  return ` It differs in ${names.join(', ')}${why}.`
}

/** What to do when a creation was sent and nobody knows what became of it. */
export function mayExist(wanted: Wanted, identity: string): string {
  return `The service may have made it all the same, and then the state does not know of it. If the next run says that it exists already, import it with ${commandOf(wanted.context, importIdOf(wanted, identity))}.`
}

function commandOf(context: ResourceContext, importId: string): string {
  return `\`terraform import ${addressOf(context)} ${importId}\``
}

function addressOf({ kind }: ResourceContext): string {
  return `vexil_${kind.name}.NAME`
}

/** In the form in which the configuration says who gets a flag, so that the plan after the import compares like with like. */
function importIdOf({ context: { kind, run, parentId }, config }: Wanted, path: string): string {
  const { projectId, organizationId } = run.client.target
  const owner = ownerAttribute(kind) === 'project_id' ? projectId : organizationId
  const id = [owner, parentId, path].filter(part => part !== undefined).join('/')
  return hasTargeting(kind) && givenTyped(config).length > 0 ? typedImportId(id) : id
}
