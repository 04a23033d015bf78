import type { Desired } from '../../src/core/desired.ts'
import { declaredFieldDigests } from '../../src/core/live-edits/three-values.ts'
import {
  type Base,
  type BaseObject,
  type BaseOrigin,
  type Lineage,
  noLineage,
  type Relation,
} from '../../src/core/live-edits/verdict.ts'
import { declarableKind } from '../../src/kinds/index.ts'

/** A run that left everything as it was declared. */
export const converged: BaseOrigin = {
  run: 'r1',
  at: Date.UTC(2026, 10, 1),
  revision: { commit: 'c'.repeat(40), dirty: false },
}

/** The base that a run leaves which found or made these objects as they are declared. */
export function baseOf(desired: readonly Desired[], ids: Readonly<Record<string, string>> = {}): Base {
  return Object.fromEntries(
    desired.map((one): [string, BaseObject] => {
      const { address, kind, ensure } = one
      const id = ids[address]
      const digests = ensure === 'absent' ? {} : declaredFieldDigests(declarableKind(kind), one)
      const fields = Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, { digest }]))
      return [address, { ensure, ...(id === undefined ? {} : { id }), fields, origin: converged }]
    }),
  )
}

/** How the commit of the base stands to the one that is planned. */
export function related(relation: Relation, more: Partial<Lineage> = {}): Lineage {
  return { ...noLineage, relationOf: () => relation, ...more }
}
