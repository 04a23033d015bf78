import type { Construct } from 'constructs'
import { shown } from './arguments/argument.ts'

/** Does some work, and says what it was about where it fails: `flag "checkout" at "flags/Checkout": ...`. */
export function about<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  try {
    return work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${title} ${shown(name)} at "${construct.node.path}": ${why}`, { cause: error })
  }
}
