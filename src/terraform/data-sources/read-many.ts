import type { Live } from '../../core/live.ts'
import type { ObjectValue } from '../../hcl/values.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { type IdentifiedKind, identityField } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'
import {
  type DataSource,
  dataSourceBlock,
  resultsAttribute,
} from '../../schema/terraform/terraform-data-sources.ts'
import { findBelow } from '../resources/find-named.ts'
import { listFilter } from '../resources/list-filter.ts'
import { contextOf } from '../resources/resource-context.ts'
import type { Session } from '../session/session.ts'
import { rowOf } from './row-value.ts'

/** Reads the living objects of a kind that the filters accept, in the order of their names. */
export async function readMany(
  source: Extract<DataSource, { is: 'one' | 'many' }>,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const { kind } = source
  const context = contextOf(kind, session, config, signal)
  const { parent } = kind.lifecycle
  const found = parent
    ? (await findBelow(context, config)).all
    : (await context.run.shared.all(kind, {})).filter(listFilter(kind, config))
  const results = dataSourceBlock(source).attributes[resultsAttribute(kind)]
  const row: TerraformAttributes = results && 'list' in results ? results.list : {}
  const inOrder = [...found].sort((left, right) => compareTexts(left.identity, right.identity))
  return {
    ...config,
    [resultsAttribute(kind)]: inOrder.map(live => ({ ...rowOf(row, recordOf(kind, live)), id: live.id })),
  }
}

/** Beside the role's id its name, which a grant nests. */
function recordOf(kind: IdentifiedKind, { record, identity }: Live): JsonObject {
  if (kind.identity.by !== 'parent') return record
  const structure = record[kind.identity.structure]
  return {
    ...record,
    [identityField(kind)]: identity,
    [`${kind.identity.structure}_name`]: isJsonObject(structure) ? (structure.name ?? null) : null,
  }
}
