import { CommandError, type ExitCode, exitCode, mostImportant } from './exit-code.ts'
import type { Host, Signal } from './host.ts'

const codes: Readonly<Record<Signal, ExitCode>> = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
}

/**
 * Runs something that has to be tidied up after, so that no signal ends the process in the middle of it.
 *
 * | a signal comes                  | what happens                                                              |
 * |---------------------------------|---------------------------------------------------------------------------|
 * | while something inside listens  | that is told, as if it listened to the process                            |
 * | otherwise                       | reading and asking stop; whatever listens later is told at once           |
 * | a second time, none listening   | the process ends, as without all this                                     |
 *
 * The host that is handed on has `stop`, and the code is that of the signal where one came.
 */
export async function interruptible(host: Host, run: (host: Host) => Promise<ExitCode>): Promise<ExitCode> {
  const stop = new AbortController()
  let received: Signal | undefined
  const listeners: ((signal: Signal) => void)[] = []
  const close = host.onInterrupt(signal => {
    const listener = listeners.at(-1)
    if (listener) return listener(signal)
    received = signal
    close()
    stop.abort(new CommandError('interrupted; nothing was written', codes[signal]))
  })
  try {
    const code = await run({
      ...host,
      stop: stop.signal,
      onInterrupt(listener) {
        listeners.push(listener)
        if (received) listener(received)
        return () => void listeners.splice(listeners.indexOf(listener), 1)
      },
    })
    return received ? mostImportant([code, codes[received]]) : code
  } finally {
    close()
  }
}
