import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App } from 'cdktf'
import type { IConstruct } from 'constructs'
import { ownFrames } from './own-frames.ts'

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
