import { variables } from '../api/settings.ts'
import type { Host, Signal, Stream } from '../cli/host/host.ts'
import { guardHost, learnKeys, learnProxyPasswords, processesOf, systemUser } from '../cli/host/processes.ts'
import { realRuntime } from '../core/real-runtime.ts'
import type { ProgramSurroundings } from './public-interface.ts'

/** The host of a program for the code of the command line: no questions, no output, notes passed on. */
export async function programHost({ directory, env, onNote }: ProgramSurroundings): Promise<Host> {
  const host = guardHost({
    arguments: [],
    env: env ?? process.env,
    directory: directory ?? process.cwd(),
    userName: systemUser(),
    stdout: { write: () => undefined, isTerminal: false },
    stderr: linesTo(onNote ?? (() => undefined)),
    ask: undefined,
    readStdin: async () => new Uint8Array(),
    runtime: realRuntime,
    processes: processesOf({
      pid: process.pid,
      platform: process.platform,
      kill: (pid, signal) => process.kill(pid, signal),
    }),
    signalGroup: undefined,
    // Signals are the program's own business; it stops a run with an AbortSignal.
    onInterrupt: () => () => undefined,
  })
  await learnKeys(host, variables.apiKey)
  learnProxyPasswords(host)
  return host
}

/** The host of a run that the program can stop: what is in flight is finished and put on record. */
export function stoppedBy(host: Host, signal: AbortSignal): Host {
  return {
    ...host,
    onInterrupt(listener: (signal: Signal) => void) {
      let isListening = true
      const stop = () => {
        if (isListening) listener('SIGTERM')
      }
      // Never while the listener is being set up: no signal of a process comes then.
      if (signal.aborted) queueMicrotask(stop)
      else signal.addEventListener('abort', stop, { once: true })
      return () => {
        isListening = false
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

function linesTo(onLine: (line: string) => void): Stream {
  return {
    isTerminal: false,
    write(text) {
      for (const line of text.split('\n')) if (line !== '') onLine(line)
    },
  }
}
