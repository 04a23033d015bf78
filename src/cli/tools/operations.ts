import { kinds } from '../../kinds/index.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { Kind } from '../../model/kind.ts'

export interface Operation {
  /** `feature_flag.read` */
  readonly operation: string
  readonly kind: Kind
  readonly name: string
  readonly endpoint: Endpoint
}

/** Every operation of the interface, by its name for `vexil call`. */
export function operations(): Operation[] {
  return Object.values<Kind>(kinds).flatMap(kind =>
    Object.entries(kind.endpoints).map(([name, endpoint]) => ({
      operation: `${kind.name}.${name}`,
      kind,
      name,
      endpoint,
    })),
  )
}
