/**
 * The lines of the current stack outside of all packages: those of the app, the innermost first, as
 * `at new Shop (/app/main.ts:12:5)`. Empty if the stack is not available.
 */
export function ownFrames(): readonly string[] {
  const { stackTraceLimit } = Error
  const holder: { stack?: string } = {}
  try {
    Error.stackTraceLimit = deepest
    Error.captureStackTrace(holder, ownFrames)
    return theirsOf(holder.stack ?? '')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The depth of the search for the app's code: not half as many frames are between it and a resource. */
const deepest = 50

/** The frames of a stack, as text, in an app's own code. */
export function theirsOf(stack: string): readonly string[] {
  const frames = stack
    .split('\n')
    .map(line => line.trim())
    .filter(line => line.startsWith('at '))
  return frames.filter(frame => !isOurs(frame))
}

/** The folder of this package, from its own first frame: the package may be linked instead of installed. */
const ours = /(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].*[\\/](?:dist|src)[\\/])/.exec(
  String(new Error().stack).split('\n')[1] ?? '',
)?.[1]

function isOurs(frame: string): boolean {
  return (
    /[\\/]node_modules[\\/]|\(?node:/.test(frame) ||
    !/:\d+:\d+\)?$/.test(frame) ||
    (ours !== undefined && frame.includes(ours))
  )
}
