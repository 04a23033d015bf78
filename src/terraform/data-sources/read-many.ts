import { canonicalField, type Live } from '../../core/live.ts'
import type { ObjectValue } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import type { TerraformAttributes } from '../../derive/terraform-attribute.ts'
import {
  type DataSource,
  dataSourceBlock,
  parentAttribute,
  resultsAttribute,
} from '../../derive/terraform-data-sources.ts'
import { declarableKind } from '../../kinds/index.ts'
import { labelSet } from '../../model/canonical.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { DiagnosticError, errorDiagnostic } from '../diagnostic.ts'
import { textsOf } from '../resources/labels.ts'
import { grantsOf, type Place, placeOf, textOf } from '../resources/object-place.ts'
import type { Session } from '../session/session.ts'
import { rowOf } from './row-value.ts'

/** Reads the living objects of a kind that the filters accept, in the order of their names. */
export async function readMany(
  source: Extract<DataSource, { is: 'many' }>,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const kind = declarableKind(source.kind)
  const place = placeOf(kind, session, config, signal)
  const found =
    parentAttribute(kind) === undefined ? await filtered(place, config) : await grants(place, config)
  const results = dataSourceBlock(source).attributes[resultsAttribute(kind)]
  const row: TerraformAttributes = results && 'list' in results ? results.list : {}
  const inOrder = [...found].sort((left, right) => (left.identity < right.identity ? -1 : 1))
  return {
    ...config,
    [resultsAttribute(kind)]: inOrder.map(live => ({ ...rowOf(row, recordOf(kind, live)), id: live.id })),
  }
}

async function filtered(place: Place, config: ObjectValue): Promise<readonly Live[]> {
  const { kind, run } = place
  const all = await run.shared.all(kind, {})
  const { ownedBy } = kind.lifecycle
  const [search, active] = [textOf(memberOf(config, 'search')), memberOf(config, 'active')]
  const labels = ownedBy === undefined ? [] : textsOf(labelSet(textsOf(memberOf(config, ownedBy))))
  return all.filter(({ record, identity }) => {
    const has = ownedBy === undefined ? [] : textsOf(canonicalField(kind, ownedBy, record[ownedBy]))
    return (
      (search === undefined || isFound(search, identity, record.name)) &&
      (active === null || record.active === active) &&
      labels.every(label => has.includes(label))
    )
  })
}

function isFound(search: string, identity: string, name: unknown): boolean {
  const wanted = search.toLowerCase()
  return (
    identity.toLowerCase().includes(wanted) ||
    (typeof name === 'string' && name.toLowerCase().includes(wanted))
  )
}

/** The grants of one flag, which is named by its id or its key. */
async function grants(place: Place, config: ObjectValue): Promise<readonly Live[]> {
  const { kind, run, signal } = place
  const key = textOf(memberOf(config, 'flag_key'))
  if (place.parentId === undefined && key === undefined) {
    throw new DiagnosticError(
      errorDiagnostic('neither `feature_flag_id` nor `flag_key` is given', 'Give one of them.', [
        'feature_flag_id',
      ]),
    )
  }
  const parent = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const byKey = key === undefined ? undefined : (await run.shared.byIdentity(parent, key, signal))[0]
  const parentId = key === undefined ? place.parentId : byKey?.id
  if (byKey && place.parentId !== undefined && byKey.id !== place.parentId) {
    const summary = `the flag "${key}" has the id "${byKey.id}", not "${place.parentId}"`
    throw new DiagnosticError(
      errorDiagnostic(summary, 'Give one of `feature_flag_id` and `flag_key`.', ['flag_key']),
    )
  }
  const found = parentId === undefined ? undefined : await grantsOf({ ...place, parentId })
  if (found) return found
  const attribute = key === undefined ? 'feature_flag_id' : 'flag_key'
  throw new DiagnosticError(
    errorDiagnostic(`there is no flag "${key ?? place.parentId}"`, undefined, [attribute]),
  )
}

/** Beside the role's id its name, which a grant nests. */
function recordOf(kind: DeclarableKind, { record, identity }: Live): JsonObject {
  if (kind.identity.by !== 'parent') return record
  const structure = record[kind.identity.structure]
  return {
    ...record,
    [identityField(kind)]: identity,
    [`${kind.identity.structure}_name`]: isJsonObject(structure) ? (structure.name ?? null) : null,
  }
}
