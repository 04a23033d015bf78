/**
 * The lines of the current stack that are of neither this package nor any other: those of the app, the innermost first, as
 * `at new Shop (/app/main.ts:12:5)`. Empty where the stack cannot be told.
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

/** How far out the app's own code is looked for: what is between it and a resource here is not half as deep. */
const deepest = 50

/** The frames of a stack, as text, that are of an app's own code. */
export function theirsOf(stack: string): readonly string[] {
  const frames = stack
    .split('\n')
    .map(line => line.trim())
    .filter(line => line.startsWith('at '))
  return frames.filter(frame => !isOurs(frame))
}

/** Where this package lies is told by its own first frame: it may be linked, and not installed. */
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
