import { identityField } from '../../../model/kind.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import { visible } from '../../../targeting/index.ts'
import type { Block } from '../../change.ts'
import type { Live } from '../../live.ts'
import { commandAt } from '../command-at.ts'
import { idKey } from '../live-index.ts'
import type { ObjectContext } from '../object/object-context.ts'
import type { OnRecord } from './on-record.ts'

/**
 * The living object that had the declared name when it last converged, and has another one now: somebody renamed it in
 * the product, and its id stays. Undefined where an object has the declared name.
 */
export function renamedInProduct(
  { kind, desired, found, index, snapshot }: ObjectContext,
  recordedOf: (address: string) => OnRecord,
  address: string,
): Live | undefined {
  if (found.some(live => !live.isSoftDeleted)) return undefined
  if (desired.id !== undefined || desired.renamedTo !== undefined) return undefined
  const { base } = recordedOf(address)
  if (base?.ensure !== 'present' || base.id === undefined || kind.identity.by !== 'field') return undefined
  const isIt = (live: Live) => live.kind === kind.name && live.id === base.id && !live.isSoftDeleted
  return [index.byId().get(idKey(kind.name, base.id)), ...(snapshot.undeclared ?? [])].find(
    live => live !== undefined && isIt(live),
  )
}

/** Why nothing is made of a declaration whose object has another name now: it would be a second one. */
export function renamedBlock({ kind, desired, placeOptions }: ObjectContext, { id, identity }: Live): Block {
  const name = identityField(kind)
  const body = shellWord(JSON.stringify({ [name]: desired.identity }))
  const call = `vexil call ${kind.name}.update id=${id} --body ${body}`
  const follow =
    desired.ensure === 'absent'
      ? `declare ${visible(identity)} absent in its place`
      : `declare it as ${visible(identity)}`
  return {
    rule: 'renamed_in_product',
    reason: `it was renamed in the product: id ${id} is ${visible(identity)} now`,
    remedy: `${follow}, or ${commandAt(call, placeOptions)} gives it the declared ${name} again`,
  }
}
