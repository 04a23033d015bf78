import type { Json } from '../../model/json/json.ts'

/** `vexil call`: an answer of the service. Text that is no JSON has no body. */
export interface CallDocument {
  readonly is: 'call'
  /** As in `feature_flag.read`. */
  readonly operation: string
  readonly status: number
  readonly body: Json | null
  readonly text: string
}

/** `vexil call` without a name: what can be called. */
export interface OperationsDocument {
  readonly is: 'operations'
  readonly operations: readonly ShownOperation[]
}

export interface ShownOperation {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Arguments that have to be given: those of the path that no setting has. */
  readonly required: readonly string[]
  /** Arguments that may be given: those of the query that the interface names. */
  readonly optional: readonly string[]
  readonly takesBody: boolean
  readonly doc: string
}
