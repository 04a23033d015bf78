import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App } from 'cdktf'
import type { IConstruct } from 'constructs'

/**
 * Records the line of the app's own code at which a construct was made, so that readers of the stack can
 * report it. The engines write `stackTrace` into the metadata of each construct, but leave it empty. The path
 * is relative to the folder that the app synthesizes into: the same app gives the same stack on every
 * machine. `new App({ stackTraces: false })` turns it off, as for annotations; it is off in `Testing.app()`.
 */
export function notePlace(construct: IConstruct): void {
  const { node } = construct
  const entry = node.metadata.find(({ type }) => type === 'stacktrace')
  const place = entry && placeNow(construct)
  // The engine reads it from here when it synthesizes.
  if (entry && place !== undefined) Object.assign(entry, { trace: [place] })
}

/** The current line of the app's own code for a construct, in the recorded form: `../main.ts:8:15`. */
export function placeNow({ node }: IConstruct): string | undefined {
  const output = App.isApp(node.root) ? node.root.outdir : undefined
  if (output === undefined || node.tryGetContext(off)) return undefined
  const place = placeOf(ownFrames()[0])
  if (place === undefined) return undefined
  const path = relative(resolve(output), place.file).replaceAll('\\', '/')
  return `${path}:${place.position}`
}

/** The setting that the engines check before they record the place of an annotation. */
const off = '@cdktf/disable_stack_trace_in_metadata'

/** `at new Shop (/app/main.ts:12:5)`, or without a name. */
const frameForm = /^at (?:async )?(?:.*? \()?((?:file:|[A-Za-z]:[\\/]|\/).*):(\d+:\d+)\)?$/

function placeOf(frame: string | undefined) {
  const [, file, position] = frameForm.exec(frame ?? '') ?? []
  if (file === undefined || position === undefined) return undefined
  return { file: file.startsWith('file:') ? fileURLToPath(file) : file, position }
}

/**
 * The lines of the current stack outside of all packages: those of the app, the innermost first, as
 * `at new Shop (/app/main.ts:12:5)`. Empty if the stack is not available.
 */
function ownFrames(): readonly string[] {
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
