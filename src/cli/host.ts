import type { Processes } from '../core/lock/owner-state.ts'
import type { World } from '../model/world.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

/** A stream that a command writes to. */
export interface Output {
  write(text: string): void
  readonly isTerminal: boolean
}

/** Everything that a command may know of the process around it. `main.ts` makes the real one, tests their own. */
export interface Host {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** What is written there is gone as soon as the program ends, so nobody needs to be told where it is. */
  readonly isFleeting?: boolean
  /** What runs this program, for those who report a mistake: `Node.js 22.1.0 on linux`. */
  readonly runtime?: string
  /** The user of the operating system; undefined where it has no name for them, as in many containers. */
  readonly userName?: string
  /** The result of a command and nothing else. */
  readonly stdout: Output
  /** Progress, notes and errors. */
  readonly stderr: Output
  /** Reads a line from the person at the terminal; undefined when nobody is there. */
  readonly ask: ((question: string, signal?: AbortSignal) => Promise<string>) | undefined
  readonly readStdin: () => Promise<string>
  readonly world: World
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
