import { rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { readRegularFile } from '../../../model/files/read-regular-file.ts'
import { largestFile } from '../../../model/limits.ts'
import type { Document, FailureDocument } from '../../../report/document.ts'
import { textOf, type View } from '../../../report/format.ts'
import { type FormatName, formats, reportFormats } from '../../../report/formats.ts'
import { CommandError, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { type OutPlace, openOutFile } from './out-file.ts'

/** What a command line says of its reports. */
export interface ReportFlags {
  readonly report?: readonly string[]
  readonly chdir?: string
  readonly env?: string | readonly string[]
  readonly stack?: readonly string[]
  readonly planJson?: string
  readonly terraformPlan?: string
}

/** What else a command line names: files that no report may replace. */
export interface Asked {
  /** The command as people call it: `plan`, `drift`. */
  readonly command: string
  readonly others: readonly string[]
}

/**
 * The files of `--report`. They are looked at before the command begins, and written when it has ended, however it ended:
 * with what it told last, and with what went wrong.
 */
export class Reports {
  readonly #host: Host
  readonly #files: { readonly format: FormatName; readonly place: OutPlace }[] = []
  #view: View = {}
  #about: Pick<FailureDocument, 'command' | 'environment'> = {}
  #told: Document | undefined

  constructor(host: Host) {
    this.#host = host
  }

  /** Whether any were asked for. */
  get isAsked(): boolean {
    return this.#files.length > 0
  }

  async open(flags: ReportFlags, { command, others }: Asked): Promise<void> {
    const { report = [], chdir = '.', env } = flags
    if (report.length === 0) return
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
    const part = await partOf(this.#host, flags)
    this.#view = {
      isReport: true,
      folder: relative(directory, resolve(directory, chdir)),
      ...(part ? { part } : {}),
    }
    for (const { name, format } of chosen)
      this.#files.push({ format, place: await this.#openFile(name, format) })
  }

  /** Takes note of what a command tells; what it tells last counts. */
  take(document: Document): void {
    // The plan has said all that there is to say.
    if (document.is === 'run' && document.changes.length === 0 && this.#told) return
    this.#told = document.is === 'saved_plan' ? { ...document, isBrief: false } : document
  }

  /** Writes them, with why the command failed where it did; answers whether all of them could be. */
  async write(failure?: FailureDocument): Promise<boolean> {
    if (!this.isAsked) return true
    const document = withFailure(this.#told, failure && { ...failure, ...this.#about })
    let isWhole = true
    for (const { format, place } of this.#files) {
      const why = place.failure ?? (document && (await this.#save(place, format, document)))
      if (why !== undefined) isWhole = false
    }
    return isWhole
  }

  #openFile(name: string, format: FormatName): Promise<OutPlace> {
    const { isEarlier } = reportFormats().find(each => each.name === format) ?? {}
    return openOutFile(this.#host, {
      name,
      failing: 'the report cannot be written to',
      what: 'a report',
      isEarlier: text => isEarlier?.(text) ?? false,
      write: async (path, text, unfinished) => {
        await writeFile(unfinished, text)
        await rename(unfinished, path)
      },
    })
  }

  async #save(place: Extract<OutPlace, { failure?: never }>, format: FormatName, document: Document) {
    const { render } = await formats[format].load()
    return place.save(this.#host.secrets.hide(textOf(render(document, this.#view))))
  }
}

/** What is told apart although it has no environment: stacks by their names, plans of Terraform by file and workspace. */
async function partOf(
  host: Host,
  { chdir = '.', stack = [], planJson, terraformPlan }: ReportFlags,
): Promise<readonly string[] | undefined> {
  if (stack.length > 0) return ['stack', stack.join(',')]
  const named = terraformPlan ?? planJson
  if (named === undefined) return undefined
  const base = terraformPlan === undefined ? resolve(host.directory, chdir) : host.directory
  const workspace = host.env.TF_WORKSPACE || (await chosenWorkspace(dirname(resolve(base, named))))
  const file = named.replaceAll('\\', '/')
  return ['terraform', file, ...(workspace === '' || workspace === 'default' ? [] : [workspace])]
}

/** The workspace that Terraform works in beside a plan, as it notes it itself; empty where it notes none. */
async function chosenWorkspace(folder: string): Promise<string> {
  try {
    return String(await readRegularFile(join(folder, '.terraform', 'environment'), largestFile)).trim()
  } catch {
    // There is none but where somebody chose one.
    return ''
  }
}

/** A plan or a run says itself what went wrong after it was told. */
function withFailure(told: Document | undefined, failure: FailureDocument | undefined): Document | undefined {
  if (failure === undefined) return told
  if (told?.is !== 'plan' && told?.is !== 'run') return failure
  const errors = [...(told.errors ?? []), ...failure.errors]
  // To read `saved` of a plan takes as long as to make it, so that it stays a getter.
  const members = { ...Object.getOwnPropertyDescriptors(told), errors: { value: errors, enumerable: true } }
  // It has every member of what was told.
  return Object.defineProperties({}, members) as Document
}

/** The format of a file by the end of its name. */
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
