import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App } from 'cdktf'
import type { IConstruct } from 'constructs'
import { ownFrames } from './own-frames.ts'

/**
 * Notes at which line of an app's own code a construct was made, so that whoever reads the stack can say so. The engines
 * write `stackTrace` into the metadata of each construct, and fill it in for none. The path is relative to the folder that
 * the app synthesizes into: the same app gives the same stack on every machine. `new App({ stackTraces: false })` turns it
 * off, as it does for annotations; `Testing.app()` has it off.
 */
export function notePlace(construct: IConstruct): void {
  const { node } = construct
  const entry = node.metadata.find(({ type }) => type === 'stacktrace')
  const place = entry && placeNow(construct)
  // The engine reads it from here when it synthesizes.
  if (entry && place !== undefined) Object.assign(entry, { trace: [place] })
}

/** The line of an app's own code that is being run for a construct, as it is noted: `../main.ts:8:15`. */
export function placeNow({ node }: IConstruct): string | undefined {
  const output = App.isApp(node.root) ? node.root.outdir : undefined
  if (output === undefined || node.tryGetContext(off)) return undefined
  const place = placeOf(ownFrames()[0])
  if (place === undefined) return undefined
  const path = relative(resolve(output), place.file).replaceAll('\\', '/')
  return `${path}:${place.position}`
}

/** What the engines look at before they note where an annotation comes from. */
const off = '@cdktf/disable_stack_trace_in_metadata'

/** `at new Shop (/app/main.ts:12:5)`, or without a name. */
const frameForm = /^at (?:async )?(?:.*? \()?((?:file:|[A-Za-z]:[\\/]|\/).*):(\d+:\d+)\)?$/

function placeOf(frame: string | undefined) {
  const [, file, position] = frameForm.exec(frame ?? '') ?? []
  if (file === undefined || position === undefined) return undefined
  return { file: file.startsWith('file:') ? fileURLToPath(file) : file, position }
}
