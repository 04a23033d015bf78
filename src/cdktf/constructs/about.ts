import type { Construct } from 'constructs'

/** Does some work, and says what it was about where it fails: `flag "checkout" at "flags/Checkout": ...`. */
export function about<Result>(title: string, name: string, construct: Construct, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${title} ${JSON.stringify(name)} at "${construct.node.path}": ${why}`, { cause: error })
  }
}
