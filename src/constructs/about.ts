import type { Construct } from 'constructs'
import { shown } from './arguments/argument.ts'
import { allOrNothing } from './arguments/find-named.ts'
import { theirsOf } from './engine/note-place.ts'

/** Does some work, and adds its subject to an error: `flag "checkout" at "flags/Checkout": ...`. */
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

/** The same for a construct that is being made: an error removes all of it. */
export function making<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  return allOrNothing(construct, () => about(title, name, construct, work))
}

/** The error with only the app's lines in its stack; its cause has the lines of this package. */
function atOwnFrames(error: Error): Error {
  const frames = theirsOf(error.stack ?? '')
  if (frames.length > 0)
    error.stack = [`Error: ${error.message}`, ...frames.map(frame => `    ${frame}`)].join('\n')
  return error
}
