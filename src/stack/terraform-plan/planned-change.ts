import { type ExactJson, isExactObject, isNumber } from '../../hcl/index.ts'

import { importIdOf } from '../../schema/terraform/terraform-identity.ts'
import { resourceSchemas } from '../evaluate/attributes.ts'
import { type Body, blockMembers } from '../read/stack-file.ts'

/** What a plan of Terraform does to a resource of any provider. */
export interface PlannedChange {
  readonly address: string
  readonly type: string
  /** `create`, `update`, `delete`, both of `delete` and `create`, `forget`, `read`, `no-op`. */
  readonly actions: readonly string[]
  readonly before: ExactJson
  readonly after: ExactJson
  readonly unknown: ExactJson
  readonly sensitiveBefore: ExactJson
  readonly sensitiveAfter: ExactJson
  /** The id from an import. */
  readonly importing: string | undefined
}

/**
 * All changes of a plan, in its order, without reads. For `resource_drift`, the changes of resources since
 * the last apply: before is the result of that apply, and after is the live state.
 */
export function plannedChangesIn(
  json: Body,
  member: 'resource_changes' | 'resource_drift',
): readonly PlannedChange[] {
  const written = json[member]
  const all = Array.isArray(written) ? written.filter(isExactObject) : []
  return all.flatMap(each => {
    const change = blockMembers(each.change)
    const actions = Array.isArray(change.actions)
      ? change.actions.filter(word => typeof word === 'string')
      : []
    if (each.mode !== 'managed') return []
    return [
      {
        address: textOf(each.address),
        type: textOf(each.type),
        actions,
        before: change.before ?? null,
        after: change.after ?? null,
        unknown: change.after_unknown ?? {},
        sensitiveBefore: change.before_sensitive ?? {},
        sensitiveAfter: change.after_sensitive ?? {},
        importing: importedAs(blockMembers(change.importing), textOf(each.type)),
      },
    ]
  })
}

/** Whether an object was deleted in the product, which the service keeps, for both sides of a change. */
export function deletedMark({ type, before, after }: PlannedChange): {
  readonly was: boolean
  readonly becomes: boolean
} {
  const { field = '' } = resourceSchemas.get(type)?.kind.lifecycle.softDelete ?? {}
  return { was: blockMembers(before)[field] === true, becomes: blockMembers(after)[field] === true }
}

/** The id of an import, or an equivalent of the identity in it, as in plans since 1.12. */
export function importedAs({ id, identity }: Body, type: string): string | undefined {
  if (typeof id === 'string' && id !== '') return id
  if (!isExactObject(identity)) return undefined
  const kind = resourceSchemas.get(type)?.kind
  return (kind && importIdOf(kind, identity)) ?? JSON.stringify(identity)
}

/** A text of a plan; empty for anything else. */
export function textOf(json: ExactJson | undefined): string {
  return typeof json === 'string' ? json : ''
}

/** An id, as a text or a number in the plan. */
export function idText(json: ExactJson | undefined): string | undefined {
  if (typeof json === 'string') return json
  return isNumber(json) ? json.text : undefined
}
