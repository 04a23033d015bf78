import type { Document, RunDocument, RunEvent, RunHead } from '../../report/document.ts'
import { followRun, type View } from '../../report/format.ts'
import { type FormatName, formats, optionalFormats, render } from '../../report/formats.ts'
import type { Flags } from './flags.ts'
import type { Host, WrittenKind } from './host.ts'

type OutputFlags = Pick<Flags, 'format' | 'color' | 'verbose'>

/** Writes a result in the chosen format, and its problems as annotations if a pipeline shows them. */
export async function print(host: Host, flags: OutputFlags, document: Document): Promise<void> {
  host.onDocument?.(document)
  await printAs(host, flags.format ?? 'text', document, flags)
  await annotate(host, document)
}

/** The same in a given format. The problems were reported before. */
export async function printAs(
  host: Host,
  format: FormatName,
  document: Document,
  flags: OutputFlags = {},
): Promise<void> {
  const { render: write } = await formats[format].load()
  const kind = kindOf(document)
  const hasColours = format === 'text' && kind === 'text'
  const view = hasColours ? viewOf(host, flags) : { isTerminal: host.stdout.isTerminal }
  for (const { text, isBeside } of write(document, view)) {
    if (isBeside) presentBeside(host, document, text)
    else host.stdout.write(text, kind)
  }
}

/** Shows the subject of a question as text, on standard error if a program reads the result. */
export async function present(host: Host, flags: OutputFlags, document: Document): Promise<void> {
  host.onDocument?.(document)
  if (isForPeople(flags)) host.stdout.write(await render('text', document, viewOf(host, flags)))
  else host.log.asked(await render('text', document, host.log.isJson ? {} : viewOf(host, flags)))
}

/** Shows output that is not the result of a command, as text on standard error. */
export async function note(host: Host, document: Document): Promise<void> {
  presentBeside(host, document, await render('text', document))
  await annotate(host, document)
}

/** Shows a run while it proceeds, in the chosen format. */
export async function follow(host: Host, flags: OutputFlags, head: RunHead) {
  const { format = 'text' } = flags
  const view = format === 'text' ? viewOf(host, flags) : {}
  const following = followRun(await formats[format].load(), head, view)
  return {
    event(event: RunEvent) {
      const text = following.event(event)
      // Most events print nothing for people, and an empty write would still call the system.
      if (text !== '') host.stdout.write(text)
    },
    end(run: RunDocument) {
      host.onDocument?.(run)
      host.stdout.write(following.end(run))
    },
  }
}

/** Whether the result is words for people. */
export function isForPeople({ format = 'text' }: OutputFlags): boolean {
  return format === 'text'
}

/** The format that a command line asks for, even if it cannot be parsed. */
export function formatIn(commandLine: readonly string[]): FormatName | undefined {
  return optionalFormats().find(([name]) => commandLine.includes(`--${name}`))?.[0]
}

/**
 * Colours for standard output. A flag decides first, then NO_COLOR and FORCE_COLOR (if not empty), then
 * whether there is a terminal. From now on colours are not escaped.
 */
export function viewOf(host: Host, flags: OutputFlags): View {
  const isColourful = wantsColours(host, flags)
  if (isColourful) {
    host.stdout.allowColours()
    host.stderr.allowColours()
  }
  return {
    isColourful,
    isTerminal: host.stdout.isTerminal,
    isVerbose: flags.verbose,
    isQuiet: host.log.isQuiet,
  }
}

function wantsColours({ env, stdout }: Host, { color }: OutputFlags): boolean {
  if (color === false || color === 'never') return false
  if (color === 'always') return true
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true
  return stdout.isTerminal && env.TERM !== 'dumb'
}

/** Shows output beside a result. Programs get each problem by itself, with its place. */
function presentBeside({ log }: Host, document: Document, text: string): void {
  if ('problems' in document) log.problems(document.problems, text)
  else if (document.is === 'unlock' || document.is === 'call') log.info(text)
  else log.warn(text)
}

/** A pipeline reads annotations as separate lines. They would break a program that reads JSON. */
async function annotate({ env, log, secrets }: Host, document: Document): Promise<void> {
  if (env.GITHUB_ACTIONS === 'true' && !log.isJson)
    log.output.write(secrets.hide(await render('annotations', document)), 'own')
}

/** Most output is words for people. Programs read declarations and answers as they are. */
function kindOf({ is }: Document): WrittenKind {
  switch (is) {
    case 'export':
    case 'call':
      return 'data'
    case 'sandbox':
      // The key of the stand-in opens nothing else, and the person who starts it needs it.
      return 'own'
    default:
      return 'text'
  }
}

/** Shows progress if it takes longer than a second, and only to a person at a terminal. */
export interface Progress {
  update(text: string): void
  /** Wipes the line for now: something else is about to be written. */
  wipe(): void
  /** Wipes the line for good. */
  stop(): void
}

/** Shows the text while something runs. */
export async function withProgress<T>(host: Host, text: string, run: () => Promise<T>): Promise<T> {
  const progress = startProgress(host, true)
  progress.update(text)
  try {
    return await run()
  } finally {
    progress.stop()
  }
}

const patienceMs = 1000
const frameMs = 120
const frames = ['|', '/', '-', '\\']

export function startProgress({ stderr, log, runtime, env }: Host, isWanted: boolean): Progress {
  if (!isWanted || !log.isForWatching || !stderr.isTerminal || env.TERM === 'dumb' || env.CI)
    return { update() {}, wipe() {}, stop() {} }
  const stopping = new AbortController()
  let text = ''
  let isShown = false
  const draw = async () => {
    await runtime.sleep(patienceMs, stopping.signal)
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      isShown = true
      stderr.write(`\r\u001b[2K${frames[frame]} ${text}`, 'own')
      await runtime.sleep(frameMs, stopping.signal)
    }
  }
  const wipe = () => {
    if (isShown) stderr.write('\r\u001b[2K', 'own')
    isShown = false
  }
  // It always ends by an abort, which is not a failure.
  draw().catch(() => {})
  return {
    update(now) {
      text = now
    },
    wipe,
    stop() {
      stopping.abort()
      wipe()
    },
  }
}
