import type { Secrets } from '../../api/redact.ts'
import type { Processes } from '../../core/apply/lock/owner-state.ts'
import type { Redaction } from '../../core/redaction.ts'
import type { Runtime } from '../../model/runtime/runtime.ts'
import type { Document } from '../../report/document.ts'
import type { ExitCode } from './exit-code.ts'
import type { Log } from './output/log.ts'
import type { Output, Stream } from './output/stream.ts'

export type { Output, Stream, WrittenKind } from './output/stream.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

/** Everything that a command may know of the process around it, with its streams guarded. */
export interface Host extends ProcessHost {
  readonly stdout: Output
  /** Words for people as they are; what is a message goes to `log`. */
  readonly stderr: Output
  /** Everything that is said on standard error. */
  readonly log: Log
  /** The keys that are known so far. A file that is written goes by here as the streams do. */
  readonly secrets: Secrets
  /** The values that options and settings hide. What a command shows and records is made without them. */
  readonly redaction: Redaction
  /** Told of everything that a command says as its result, and of the plan that it asks about. */
  readonly onTold?: (document: Document) => void
}

/** The process itself. `main.ts` makes the real one, tests their own. */
export interface ProcessHost {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** What is written there is gone as soon as the program ends, so nobody needs to be told where it is. */
  readonly isFleeting?: boolean
  /** What runs this program, for those who report a problem: `Node.js 22.1.0 on linux`. */
  readonly engine?: string
  /** The user of the operating system; undefined where it has no name for them, as in many containers. */
  readonly userName?: string
  /** The result of a command and nothing else. */
  readonly stdout: Stream
  /** Progress, notes and errors. */
  readonly stderr: Stream
  /** Reads a line from the person at the terminal; undefined when nobody is there. */
  readonly ask: ((question: string, signal?: AbortSignal) => Promise<string>) | undefined
  readonly readStdin: () => Promise<Uint8Array>
  readonly runtime: Runtime
  /** Whether the program that starts this one has registered OpenTelemetry. */
  readonly isTraced?: boolean
  /** What the system knows of this process and of others. */
  readonly processes: Processes
  /** Aborted when a command that holds something has to end before it has written anything. */
  readonly stop?: AbortSignal
  /**
   * Signals a process and all that it has started; undefined where a system has no groups of processes. A child that is
   * to be signalled so is spawned detached, and gets nothing from the terminal.
   */
  readonly signalGroup: ((pid: number, signal: NodeJS.Signals) => void) | undefined
  /** Calls back at SIGINT and SIGTERM; answers with a function that stops listening. */
  readonly onInterrupt: (listener: (signal: Signal) => void) => () => void
}

/** Runs one command line and answers with its exit code. */
export type RunProgram = (host: ProcessHost) => Promise<ExitCode>
