import type { Redact } from '../../api/redact.ts'
import type { Problem, Source } from '../../model/problem.ts'
import type { Runtime } from '../../model/runtime.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import type { Fault, LocatedProblem } from '../../report/document.ts'
import { jsonText } from '../../report/format.ts'
import { problemLine } from '../../report/line-text.ts'
import type { logLevels, logMembers } from '../../schema/run-schemas.ts'

export const logFormats = ['text', 'json'] as const

export type LogFormat = (typeof logFormats)[number]
export type LogLevel = (typeof logLevels)[number]
export type LogFields = Readonly<
  Partial<Record<keyof typeof logMembers, string | number | readonly string[]>>
>

interface LogOptions {
  readonly hide: Redact
  readonly runtime: Pick<Runtime, 'now'>
  readonly isDebugging: boolean
  /** Takes all messages instead of the stream. */
  readonly take?: (note: Note) => void
}

export interface LogChoice {
  readonly format?: LogFormat
  /** Whether only warnings and errors are shown. */
  readonly isQuiet?: boolean
}

/** A message before it is written. */
export interface Note {
  readonly level: LogLevel
  readonly text: string
  readonly fields: LogFields
}

/**
 * All output of a command on standard error.
 *
 * | level | is                                                               | with `--quiet` |
 * |-------|------------------------------------------------------------------|----------------|
 * | debug | requests and the origin of our own errors, if VEXIL_DEBUG is set | shown          |
 * | info  | progress, hints, what a question is about                        | omitted        |
 * | warn  | possible mistakes, and steps that were not done                  | shown          |
 * | error | why the command fails                                            | shown          |
 *
 * As text, a message is written unchanged. As JSON, it is one line with time, level and fields.
 */
export class Log {
  /** Logs text unchanged with the level info, for output that normally goes to another stream. */
  readonly output: Output
  readonly isDebugging: boolean
  readonly #stream: Output
  readonly #options: LogOptions
  #choice: LogChoice = {}

  constructor(stream: Output, options: LogOptions) {
    this.#stream = stream
    this.#options = options
    this.isDebugging = options.isDebugging
    this.output = {
      isTerminal: stream.isTerminal,
      allowColours: () => stream.allowColours(),
      write: (text, kind) => {
        // Lines of a nested command are already formatted.
        if (kind === 'own') stream.write(text, kind)
        else if (this.isJson) this.info(text)
        else if (!this.isQuiet) stream.write(text, kind)
      },
    }
  }

  /** A log with the same choice, whose messages go to `take`. */
  collecting(take: (note: Note) => void): Log {
    const log = new Log(this.#stream, { ...this.#options, take })
    log.choose(this.#choice)
    return log
  }

  /** Writes a collected message. */
  writeNote({ level, text, fields }: Note): void {
    this.#write(level, text, fields)
  }

  choose(choice: LogChoice): void {
    this.#choice = choice
  }

  get isJson(): boolean {
    return this.#choice.format === 'json'
  }

  /** Whether to show a progress line while waiting. */
  get isForWatching(): boolean {
    return !this.isJson && !this.isQuiet && !this.isDebugging && !this.#options.take
  }

  get isQuiet(): boolean {
    return this.#choice.isQuiet === true
  }

  debug(message: string, fields: LogFields = {}): void {
    if (this.isDebugging) this.#writeUnlessQuiet('debug', this.isJson ? message : `debug: ${message}`, fields)
  }

  info(message: string, fields: LogFields = {}): void {
    this.#writeUnlessQuiet('info', message, fields)
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#writeUnlessQuiet('warn', message, fields)
  }

  error(message: string, fields: LogFields = {}): void {
    this.#writeUnlessQuiet('error', message, fields)
  }

  /** Shows what a question is about, even with `--quiet`. */
  asked(text: string): void {
    this.#write('info', text)
  }

  /** Reports problems in files; `text` is the form for people. */
  problems(problems: readonly LocatedProblem[], text: string): void {
    if (this.isJson) for (const { problem, path } of problems) this.problem(problem, path)
    else this.#write('error', text)
  }

  /** Reports a problem in a file on one line. */
  problem(problem: Problem, path?: string): void {
    const { severity, message } = problem
    const text = this.isJson ? message : problemLine(problem)
    this[severity === 'warning' ? 'warn' : 'error'](text, problemFields(problem, path))
  }

  #writeUnlessQuiet(level: LogLevel, text: string, fields: LogFields = {}): void {
    if (level === 'info' && this.isQuiet) return
    this.#write(level, text, fields)
  }

  #write(level: LogLevel, text: string, fields: LogFields = {}): void {
    if (text === '') return
    if (this.#options.take) this.#options.take({ level, text, fields })
    else if (this.isJson) this.#writeLine(level, text.replace(/^vexil: /, '').trim(), fields)
    else this.#stream.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  #writeLine(level: LogLevel, message: string, fields: LogFields): void {
    if (message === '') return
    const line = { time: new Date(this.#options.runtime.now()).toISOString(), level, message, ...fields }
    // An escaped key in JSON would not be found, so keys are removed before.
    const entries = Object.entries(line).map(([name, value]) => [name, hidden(value, this.#options.hide)])
    this.#stream.write(`${jsonText(Object.fromEntries(entries))}\n`, 'own')
  }
}

/** The fields of a problem or a failure besides its message. */
export function problemFields(
  { code, hint, address, source, status, request }: Omit<Fault, 'message'>,
  path?: string,
): LogFields {
  return {
    ...definedMembers({ code, hint, address, status, request }),
    ...sourceFields(source && { ...source, file: path ?? source.file }),
  }
}

export function sourceFields(source: Source | undefined): LogFields {
  return source === undefined ? {} : { file: source.file, line: source.line, column: source.column }
}

function hidden(value: string | number | readonly string[], hide: Redact) {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? hide(value) : value.map(hide)
}

export interface Stream {
  write(text: string): void
  readonly isTerminal: boolean
  /** Whether it goes to a file, which no pipeline runner reads. */
  readonly isFile?: boolean
}

/**
 * The kind of a text decides how it is escaped.
 *
 * | kind | is                                         | keys    | control characters                    | runner commands               |
 * |------|--------------------------------------------|---------|---------------------------------------|-------------------------------|
 * | text | text for people (the default)              | removed | escaped, except line ends and tabs    | escaped                       |
 * | data | input for programs, such as exported YAML  | removed | escaped on a terminal, kept in a pipe | escaped in JSON, else refused |
 * | own  | our own text: a spinner, the sandbox's key | kept    | kept                                  | kept                          |
 */
export type WrittenKind = 'text' | 'data' | 'own'

export interface Output extends Stream {
  write(text: string, kind?: WrittenKind): void
  /** From now on, the colours of Vexil are not escaped. */
  allowColours(): void
}
