import type { Runtime } from '../../model/runtime.ts'

/** Everything that a provider may know of the process around it. */
export interface ProviderHost {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly processId: number
  readonly temporaryDirectory: string
  readonly runtime: Runtime
  /** Writes to file descriptor 1 and returns when that is done: Terraform waits for the line. */
  readonly writeOut: (text: string) => void
  readonly writeError: (text: string) => void
  /** From now on whatever is written to stdout goes to the listener. */
  readonly divertStdout: (listener: (bytes: Uint8Array) => void) => void
  readonly parentId: () => number
  readonly isRunning: (processId: number) => boolean
  /** What a signal does from now on, instead of ending the process. */
  readonly onSignal: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void) => void
  /** The last thing that is done, whatever ends the process but a kill; nothing can be waited for there. */
  readonly onExit: (listener: () => void) => void
  readonly exit: (code: number) => void
}
