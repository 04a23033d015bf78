import type { Construct } from 'constructs'
import { allOrNothing } from './all-or-nothing.ts'
import { shown } from './arguments/argument.ts'
import { theirsOf } from './engine/own-frames.ts'

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
    const message = `${title} ${shown(name)} at "${construct.node.path}": ${why}`
    throw atOwnFrames(new Error(message, { cause: error }))
  }
}

/** The same of a construct that is being made: where it fails, nothing of it stays behind. */
export function making<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  return allOrNothing(construct, () => about(title, name, construct, work))
}

/** The error with the lines of the app alone in its stack; those of this package are in its cause. */
function atOwnFrames(error: Error): Error {
  const frames = theirsOf(error.stack ?? '')
  if (frames.length > 0)
    error.stack = [`Error: ${error.message}`, ...frames.map(frame => `    ${frame}`)].join('\n')
  return error
}
