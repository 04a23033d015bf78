import { wrapClient } from '../../api/index.ts'
import { declarableKind } from '../../kinds/index.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { Change } from '../change.ts'
import { keysOf, renamedFields } from '../flag-links.ts'
import type { PerformContext } from './performed.ts'

/**
 * Conditions name flags by key in a change, and by id on the wire: what is sent for a change is spelled with ids, and
 * what is answered with keys again. A flag that this run has created has its id by now.
 */
export function namingById<Context extends Pick<PerformContext, 'client' | 'idOf'>>(
  { kind: name, names = [] }: Pick<Change, 'kind' | 'names'>,
  context: Context,
): Context {
  if (names.length === 0) return context
  const kind = declarableKind(name)
  const known = names.flatMap(({ $ref, identity, id }) => {
    const now = context.idOf($ref) ?? id
    return now === undefined ? [] : [{ kind: name, identity, id: now }]
  })
  const toKey = keysOf(known)
  const ids = new Map(known.map(({ identity, id }) => [identity, id]))
  const idOf = (key: string) => (isFlagId(key) ? key : ids.get(key))
  const client = wrapClient(context.client, {
    spelling: {
      sent: (of, body) => (of === name ? spelledBody(kind, body, idOf) : body),
      told: (of, record) => (of === name ? renamedFields(kind, record, toKey) : record),
    },
  })
  return { ...context, client }
}

/** A body, and what it says of the object as it was before, which may have named what is gone. */
function spelledBody(
  kind: DeclarableKind,
  body: JsonObject,
  idOf: (key: string) => string | undefined,
): JsonObject {
  const spelled = renamedFields(kind, body, (_, key) => idOf(key) ?? notThere(key))
  const member = kind.lifecycle.version?.before
  const before = member === undefined ? undefined : spelled[member]
  if (member === undefined || !isJsonObject(before)) return spelled
  return { ...spelled, [member]: renamedFields(kind, before, (_, key) => idOf(key) ?? key) }
}

function notThere(key: string): never {
  throw new Error(`the flag "${key}", which a condition names, is not there`)
}
