import type { Construct } from 'constructs'
import { freeNames } from './find-named.ts'

/**
 * Does what is left to do of making a construct. Where it fails the construct is withdrawn: whoever catches the error
 * goes on with an app that never had it.
 */
export function allOrNothing<Result>(construct: Construct, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    withdraw(construct)
    throw error
  }
}

/** Takes a construct out of its app, with all that is in it and with their names. */
export function withdraw(construct: Construct): void {
  freeNames(construct)
  construct.node.scope?.node.tryRemoveChild(construct.node.id)
}
