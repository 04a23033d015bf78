import type { Construct } from 'constructs'
import { freeNames } from './find-named.ts'

/**
 * Finishes making a construct. An error withdraws the construct: a caller that catches the error continues
 * with an app that never had it.
 */
export function allOrNothing<Result>(construct: Construct, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    withdraw(construct)
    throw error
  }
}

/** Takes a construct out of its app, with its children and their names. */
export function withdraw(construct: Construct): void {
  freeNames(construct)
  construct.node.scope?.node.tryRemoveChild(construct.node.id)
}
