import { canonicalField, type Live, labelOf, toLive } from '../../core/live.ts'
import { mapMembers, memberOf, type ObjectValue } from '../../hcl/values.ts'
import { tagSet } from '../../model/json/canonical.ts'
import {
  type DeclarableKind,
  type IdentifiedKind,
  isDescription,
  managedFields,
  switchField,
} from '../../model/kind.ts'
import { listResourceBlock, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { explainReading } from '../change/explain.ts'
import { textsOf } from '../change/tags.ts'
import {
  type CurrentState,
  DiagnosticError,
  type ListedObject,
  type ListWanted,
  type ReadAnswer,
  type ResourceList,
} from '../provider.ts'
import { blockSchema, type Session } from '../session.ts'
import { checkBelow } from './check-config.ts'
import { findBelow } from './find-named.ts'
import { type Found, imported } from './import.ts'
import { byKeys, contextOf, type ResourceContext, textOf } from './resource-context.ts'

/** The state after a read, for an object that was read already. */
export type ReadFound = (context: ResourceContext, current: CurrentState, live: Live) => Promise<ReadAnswer>

/** Lists a kind's objects. It holds one page at a time, and keeps nothing of what was listed. */
export function kindList(kind: DeclarableKind, session: Session, read: ReadFound): ResourceList {
  return {
    schema: blockSchema(listResourceBlock(kind)),
    validate: config => checkBelow(kind, config),
    async *objects(config, wanted, { signal }) {
      try {
        const context = contextOf(kind, session, config, signal)
        const accepts = listFilter(kind, config)
        for await (const found of living(context, config))
          if (accepts(found.live)) yield await listed(context, found, wanted, read)
      } catch (error) {
        throw new DiagnosticError(...explainReading(error, `list ${kind.title}s`, kind))
      }
    },
  }
}

async function* living(context: ResourceContext, config: ObjectValue): AsyncGenerator<Found> {
  const { kind, run, signal } = context
  if (kind.lifecycle.parent) {
    const { parentId, all } = await findBelow(context, config)
    for (const live of all) yield { live, parentId }
    return
  }
  for await (const record of run.client.list(kind.name, { signal })) {
    const live = toLive(kind, record)
    if (live && !live.isSoftDeleted) yield { live }
  }
}

async function listed(
  context: ResourceContext,
  found: Found,
  { isWhole }: ListWanted,
  read: ReadFound,
): Promise<ListedObject> {
  const { parentId, live } = found
  const name = labelOf(live) ?? live.identity
  const { state, private: kept = new Uint8Array() } = imported(context, found)
  if (!isWhole) return { name, state }
  const whereItIs = parentId === undefined ? context : { ...context, parentId }
  // A state to be read has every attribute; unknown ones are null.
  const nothing = mapMembers(blockSchema(resourceBlock(context.kind)).block.attributes, () => null)
  const answer = await read(
    whereItIs,
    { state: { ...nothing, ...state }, private: kept },
    await byKeys(context, live),
  )
  return { name, state: answer.state ?? state }
}

/** Whether an object fits the filters of a list's configuration. */
export function listFilter(kind: IdentifiedKind, config: ObjectValue): (live: Live) => boolean {
  const { ownedBy } = kind.lifecycle
  const turned = switchField(kind)
  const search = textOf(memberOf(config, 'search'))
  const isOn = turned === undefined ? null : memberOf(config, turned)
  const described = managedFields(kind).filter(name => isDescription(kind, name))
  const wanted = ownedBy === undefined ? [] : textsOf(tagSet(textsOf(memberOf(config, ownedBy))))
  return ({ record, identity }) => {
    const has = ownedBy === undefined ? [] : textsOf(canonicalField(kind, ownedBy, record[ownedBy]))
    return (
      (search === undefined || isFound(search, [identity, ...described.map(name => record[name])])) &&
      (turned === undefined || isOn === null || record[turned] === isOn) &&
      wanted.every(tag => has.includes(tag))
    )
  }
}

function isFound(search: string, texts: readonly unknown[]): boolean {
  const wanted = search.toLowerCase()
  return texts.some(text => typeof text === 'string' && text.toLowerCase().includes(wanted))
}
