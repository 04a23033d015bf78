import { canonicalField, type Live } from '../../core/live.ts'
import type { ObjectValue } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { declarableKind } from '../../kinds/index.ts'
import { tagSet } from '../../model/json/canonical.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import {
  type IdentifiedKind,
  identityField,
  isDescription,
  managedFields,
  switchField,
} from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import type { TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'
import {
  type DataSource,
  dataSourceBlock,
  parentNameAttribute,
  resultsAttribute,
} from '../../schema/terraform/terraform-data-sources.ts'
import { parentAttribute } from '../../schema/terraform/terraform-names.ts'
import { textsOf } from '../resources/plan/tags.ts'
import { contextOf, grantsOf, type ResourceContext, textOf } from '../resources/resource-context.ts'
import type { Session } from '../session/session.ts'
import { choice } from './read-one.ts'
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
    ? await below(context, config, declarableKind(parent.kind))
    : await filtered(context, config)
  const results = dataSourceBlock(source).attributes[resultsAttribute(kind)]
  const row: TerraformAttributes = results && 'list' in results ? results.list : {}
  const inOrder = [...found].sort((left, right) => compareTexts(left.identity, right.identity))
  return {
    ...config,
    [resultsAttribute(kind)]: inOrder.map(live => ({ ...rowOf(row, recordOf(kind, live)), id: live.id })),
  }
}

async function filtered(
  context: ResourceContext<IdentifiedKind>,
  config: ObjectValue,
): Promise<readonly Live[]> {
  const { kind, run } = context
  const all = await run.shared.all(kind, {})
  const { ownedBy } = kind.lifecycle
  const turned = switchField(kind)
  const search = textOf(memberOf(config, 'search'))
  const isOn = turned === undefined ? null : memberOf(config, turned)
  const described = managedFields(kind).filter(name => isDescription(kind, name))
  const wanted = ownedBy === undefined ? [] : textsOf(tagSet(textsOf(memberOf(config, ownedBy))))
  return all.filter(({ record, identity }) => {
    const has = ownedBy === undefined ? [] : textsOf(canonicalField(kind, ownedBy, record[ownedBy]))
    return (
      (search === undefined || isFound(search, [identity, ...described.map(name => record[name])])) &&
      (turned === undefined || isOn === null || record[turned] === isOn) &&
      wanted.every(tag => has.includes(tag))
    )
  })
}

function isFound(search: string, texts: readonly unknown[]): boolean {
  const wanted = search.toLowerCase()
  return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted))
}

/** What hangs from one object, which is named by its id or its name. */
async function below(
  context: ResourceContext<IdentifiedKind>,
  config: ObjectValue,
  parent: IdentifiedKind,
): Promise<readonly Live[]> {
  const { kind, run, signal } = context
  const [byId, byName] = [parentAttribute(kind) ?? '', parentNameAttribute(kind) ?? '']
  const name = textOf(memberOf(config, byName))
  if (context.parentId === undefined && name === undefined) {
    throw choice(`neither \`${byId}\` nor \`${byName}\` is given`, 'Give one of them.', byId)
  }
  const named = name === undefined ? undefined : (await run.shared.byIdentity(parent, name, signal))[0]
  const parentId = name === undefined ? context.parentId : named?.id
  if (named && context.parentId !== undefined && named.id !== context.parentId) {
    const summary = `the ${parent.title} "${name}" has the id "${named.id}", not "${context.parentId}"`
    throw choice(summary, `Give one of \`${byId}\` and \`${byName}\`.`, byName)
  }
  const found = parentId === undefined ? undefined : await grantsOf({ ...context, parentId })
  if (found) return found
  const attribute = name === undefined ? byId : byName
  throw choice(`there is no ${parent.title} "${name ?? context.parentId}"`, undefined, attribute)
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
