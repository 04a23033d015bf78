import { identityField } from '../../../model/kind.ts'
import { DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import { nameOf, ownerAttribute, type ResourceContext } from '../resource-context.ts'

/** The refusal to create what is there already, once or more: says how to get it into the state instead. */
export function exists(
  context: ResourceContext,
  identity: string,
  ids: readonly string[],
  differing: readonly string[],
): DiagnosticError {
  const { kind } = context
  const [id = 'ID', ...others] = ids
  const isOne = others.length === 0
  const importId = importIdOf(context, context.parentId === undefined ? (isOne ? id : 'ID') : identity)
  const differs =
    differing.length > 0
      ? ` It differs in ${differing.map(name => `\`${name}\``).join(', ')}, which is why \`adopt\` does not take it over.`
      : ''
  const adopting =
    differing.length > 0 ? '' : '\n\nWhen it is exactly as configured, `adopt = true` takes it over as well.'
  // Indented lines are shown as they are; Terraform wraps all others.
  const block = `  import {\n    to = ${addressOf(context)}\n    id = "${importId}"\n  }`
  const which = isOne ? 'it' : 'the one that is meant'
  // Terraform does not tell a provider that a creation is one half of a replacement.
  const replacing = `\n\nWhere this is a replacement, of a resource in the state, nothing is to be imported: \`create_before_destroy\` makes the new one before the old one goes, and the service holds one of that ${identityField(kind)} at a time. The old one stays as it is. Take that setting away, here and from what depends on this resource, or plan without \`-replace\`.`
  return new DiagnosticError(
    errorDiagnostic(
      `${nameOf(kind, identity)} exists already`,
      `The service holds it under the id ${ids.join(', ')}.${differs}\n\nImport ${which} with ${commandOf(context, importId)}, or with\n\n${block}${adopting}${replacing}`,
      [identityField(kind)],
    ),
  )
}

/** What to do when a creation was sent and nobody knows what became of it. */
export function mayExist(context: ResourceContext, identity: string): string {
  return `The service may have made it all the same, and then the state does not know of it. If the next run says that it exists already, import it with ${commandOf(context, importIdOf(context, identity))}.`
}

function commandOf(context: ResourceContext, importId: string): string {
  return `\`terraform import ${addressOf(context)} ${importId}\``
}

function addressOf({ kind }: ResourceContext): string {
  return `vexil_${kind.name}.NAME`
}

function importIdOf({ kind, run, parentId }: ResourceContext, path: string): string {
  const { projectId, organizationId } = run.client.target
  const owner = ownerAttribute(kind) === 'project_id' ? projectId : organizationId
  return [owner, parentId, path].filter(part => part !== undefined).join('/')
}
