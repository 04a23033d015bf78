import { dirname, join, relative, resolve } from 'node:path'
import { readRegularFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Document, FailureDocument, RunDocument, RunEvent, RunHead } from '../../report/document.ts'
import { followRun, joinPieces, type View } from '../../report/format.ts'
import { type FormatName, formats, optionalFormats, render, reportFormats } from '../../report/formats.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from './exit-code.ts'
import type { Host, WrittenKind } from './host.ts'
import type { OutPlace } from './out-file.ts'

type OutputFlags = Pick<Flags, 'format' | 'color' | 'verbose'>

/** Writes a result in the selected format, and its problems as annotations for pipelines. */
export async function print(host: Host, flags: OutputFlags, document: Document): Promise<void> {
  host.onDocument?.(document)
  if (host.several) return
  await printAs(host, flags.format ?? 'text', document, flags)
  await annotate(host, document)
}

/** The same in a given format, without annotations. */
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

/** Shows as text what a question is about, on standard error if a program reads the result. */
export async function present(host: Host, flags: OutputFlags, document: Document): Promise<void> {
  host.onDocument?.(document)
  if (host.several) return
  if (isForPeople(flags)) host.stdout.write(await render('text', document, viewOf(host, flags)))
  else host.log.asked(await render('text', document, host.log.isJson ? {} : viewOf(host, flags)))
}

/** Shows a document that is not the result, as text on standard error. */
export async function note(host: Host, document: Document): Promise<void> {
  presentBeside(host, document, await render('text', document))
  await annotate(host, document)
}

/** Shows the events of a run, in the selected format. */
export async function follow(host: Host, flags: OutputFlags, head: RunHead) {
  if (host.several) return { event() {}, end: (run: RunDocument) => host.onDocument?.(run) }
  const { format = 'text' } = flags
  const view = format === 'text' ? viewOf(host, flags) : {}
  const following = followRun(await formats[format].load(), head, view)
  return {
    event(event: RunEvent) {
      const text = following.event(event)
      // Most events print nothing as text; an empty write would still cost a system call.
      if (text !== '') host.stdout.write(text)
    },
    end(run: RunDocument) {
      host.onDocument?.(run)
      host.stdout.write(following.end(run))
    },
  }
}

export function isForPeople({ format = 'text' }: OutputFlags): boolean {
  return format === 'text'
}

/** The format in a command line that may not be valid. */
export function formatIn(commandLine: readonly string[]): FormatName | undefined {
  return optionalFormats().find(([name]) => commandLine.includes(`--${name}`))?.[0]
}

/**
 * Whether to use colours on standard output: by the flag, else by NO_COLOR and FORCE_COLOR (if not empty),
 * else if it is a terminal. From then on, colours are not escaped.
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

/** Shows a document that is not the result. As JSON, each problem is one line. */
function presentBeside({ log }: Host, document: Document, text: string): void {
  if ('problems' in document) log.problems(document.problems, text)
  else if (document.is === 'unlock' || document.is === 'call') log.info(text)
  else log.warn(text)
}

/** Writes annotations for a pipeline, as separate lines. They would break JSON output. */
async function annotate({ env, log, secrets, several }: Host, document: Document): Promise<void> {
  if (!several && env.GITHUB_ACTIONS === 'true' && !log.isJson)
    log.output.write(secrets.hide(await render('annotations', document)), 'own')
}

/** The kind of a document's output. Programs read declarations and answers unchanged. */
function kindOf({ is }: Document): WrittenKind {
  switch (is) {
    case 'export':
    case 'call':
      return 'data'
    case 'sandbox':
      // The key of the sandbox is not secret, and the user needs it.
      return 'own'
    default:
      return 'text'
  }
}

/** Shows progress on a terminal, after one second. */
export interface Progress {
  update(text: string): void
  /** Clears the line before other output. */
  wipe(): void
  /** Clears the line and ends. */
  stop(): void
}

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
  // It always ends with an abort, which is not a failure.
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

/** The command, and its other files, which a report must not replace. */
export interface Asked {
  /** The name of the command: `plan`, `drift`. */
  readonly command: string
  readonly others: readonly string[]
}

interface End {
  readonly document: Document | undefined
  readonly code: ExitCode
}

interface ReportFile {
  readonly place: OutPlace
  /** Computes its text; undefined if there is nothing to report. */
  readonly textFor: (end: End) => Promise<string | undefined>
}

/**
 * The files of `--report` and `--metrics`. They are checked before the command begins, and written at its
 * end, with the last document and the failure.
 */
export class Reports {
  readonly #host: Host
  readonly #startedAt: number
  readonly #files: ReportFile[] = []
  #about: Pick<FailureDocument, 'command' | 'environment'> = {}
  #document: Document | undefined

  constructor(host: Host) {
    this.#host = host
    this.#startedAt = host.runtime.now()
  }

  async open(flags: Flags, { command, others }: Asked): Promise<void> {
    const { report = [], chdir = '.', env } = flags
    const { directory } = this.#host
    const taken = new Map(others.map(name => [resolve(directory, name), 'this command reads or writes it']))
    const chosen = report.map(name => {
      const format = formatFor(name)
      const path = resolve(directory, name)
      const why = taken.get(path)
      if (why !== undefined) throw usage(`--report ${JSON.stringify(name)}: ${why}; choose another name`)
      taken.set(path, 'another report goes there')
      return { name, format }
    })
    this.#about = { command, ...(typeof env === 'string' ? { environment: env } : {}) }
    if (flags.metrics !== undefined) {
      const { openMetrics } = await import('./metrics-file.ts')
      const run = { name: flags.metrics, env, startedAt: this.#startedAt }
      this.#files.push(await openMetrics(this.#host, run, () => this.#document))
    }
    if (report.length === 0) return
    const { openOutFile } = await import('./out-file.ts')
    const part = await partOf(this.#host, flags)
    const folder = relative(directory, resolve(directory, chdir))
    const view: View = { isReport: true, folder, ...(part ? { part } : {}) }
    for (const { name, format } of chosen) {
      const { isEarlier } = reportFormats().find(each => each.name === format) ?? {}
      const place = await openOutFile(this.#host, {
        name,
        failing: 'the report cannot be written to',
        what: 'a report',
        isEarlier: text => isEarlier?.(text) ?? false,
      })
      this.#files.push({
        place,
        textFor: async ({ document }) =>
          document && joinPieces((await formats[format].load()).render(document, view)),
      })
    }
  }

  /** Keeps a document; the last one is reported. */
  take(document: Document): void {
    // The plan already shows everything.
    if (document.is === 'run' && document.changes.length === 0 && this.#document) return
    this.#document = document.is === 'saved_plan' ? { ...document, isBrief: false } : document
  }

  /** Writes the files, with the failure if there is one. Returns whether all could be written. */
  async write(code: ExitCode, failure?: FailureDocument): Promise<boolean> {
    const document = withFailure(this.#document, failure && { ...failure, ...this.#about })
    let isWhole = true
    for (const { place, textFor } of this.#files) {
      const text = place.failure === undefined ? await textFor({ document, code }) : undefined
      const why = place.failure ?? (text === undefined ? undefined : await place.save(text))
      if (why !== undefined) isWhole = false
    }
    return isWhole
  }
}

/**
 * The part of the metrics for a report without an environment: stacks by name, plans of Terraform by file and
 * workspace.
 */
async function partOf(
  host: Host,
  { chdir = '.', stack = [], planJson, terraformPlan }: Flags,
): Promise<readonly string[] | undefined> {
  if (stack.length > 0) return ['stack', stack.join(',')]
  const named = terraformPlan ?? planJson
  if (named === undefined) return undefined
  const base = terraformPlan === undefined ? resolve(host.directory, chdir) : host.directory
  const workspace = host.env.TF_WORKSPACE || (await chosenWorkspace(dirname(resolve(base, named))))
  const file = named.replaceAll('\\', '/')
  return ['terraform', file, ...(workspace === '' || workspace === 'default' ? [] : [workspace])]
}

/** The Terraform workspace of a folder; empty if none is selected. */
async function chosenWorkspace(folder: string): Promise<string> {
  try {
    return String(await readRegularFile(join(folder, '.terraform', 'environment'), largestFile)).trim()
  } catch {
    // The file is missing until a workspace is selected.
    return ''
  }
}

/** Adds a later failure to the document of a plan or a run. */
function withFailure(
  shown: Document | undefined,
  failure: FailureDocument | undefined,
): Document | undefined {
  if (failure === undefined) return shown
  if (shown?.is !== 'plan' && shown?.is !== 'run') return failure
  const errors = [...(shown.errors ?? []), ...failure.errors]
  // Reading `saved` is slow, so it must remain a getter.
  const members = { ...Object.getOwnPropertyDescriptors(shown), errors: { value: errors, enumerable: true } }
  // It has every member of the shown document.
  return Object.defineProperties({}, members) as Document
}

/** The format of a file, from its extension. */
function formatFor(name: string): FormatName {
  const all = reportFormats()
  const found = all.find(({ extension }) => name.toLowerCase().endsWith(extension))
  if (found) return found.name
  const known = all.map(({ extension }) => extension).join(', ')
  throw usage(`--report ${JSON.stringify(name)}: its name has to end in one of ${known}`)
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCode.usage)
}
