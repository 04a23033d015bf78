import { declarableKind } from '../../kinds/index.ts'
import { objectAddress } from '../../model/address.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { type Declarations, type Desired, parentKey } from '../desired.ts'
import { declaredFields } from '../diff.ts'
import { ownersOf } from '../owners.ts'
import type { ComparedObject } from './comparison.ts'

/** What is declared for one environment, to be compared with another one. A grant goes by the name of its role. */
export function declaredObjects({ desired, skipped = [] }: Declarations): ComparedObject[] {
  return [
    ...desired.map(one => comparedOf(one, one.ensure)),
    ...skipped.map(one => comparedOf(one, 'skipped')),
  ]
}

function comparedOf(desired: Desired, state: ComparedObject['state']): ComparedObject {
  const kind = declarableKind(desired.kind)
  const { address, files, ignore, sensitive } = desired
  return {
    address,
    kind: kind.name,
    state,
    fields: declaredFields(kind, desired, undefined),
    ...(files ? { files } : {}),
    ...(ignore ? { ignore } : {}),
    ...(sensitive === undefined ? {} : { sensitive }),
    owners: ownersOf(desired),
    ...parentOf(kind, desired),
  }
}

function parentOf(
  { lifecycle: { parent } }: DeclarableKind,
  desired: Desired,
): Pick<ComparedObject, 'parent'> {
  const key = parentKey(desired)
  return parent && key !== undefined ? { parent: objectAddress(parent.kind, key) } : {}
}
