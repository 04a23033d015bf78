import type { CliOptions, CliResult } from './cli.ts'
import { testRuntime } from './test-runtime.ts'

type Vexil = (line: string | readonly string[], options?: Partial<CliOptions>) => Promise<CliResult>

/** A command that runs until it is interrupted. */
export interface Running {
  /** What it has printed when it was ready. */
  readonly printed: string
  /** Waits until it has written this to standard error, after what was waited for before. */
  reported(text: string): Promise<void>
}

/** Runs a command until it has printed something, does something else, and interrupts it. */
export async function whileItRuns(
  vexil: Vexil,
  line: string | readonly string[],
  run: (running: Running) => Promise<void>,
  signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM',
): Promise<CliResult> {
  const printed: string[] = []
  let [errors, from] = ['', 0]
  let interrupt = (_: typeof signal) => {}
  let isReady = () => {}
  let look = () => {}
  const ready = new Promise<void>(resolve => {
    isReady = resolve
  })
  const ended = vexil(line, {
    host: {
      runtime: testRuntime(),
      stdout: {
        isTerminal: false,
        write(text) {
          printed.push(text)
          isReady()
        },
      },
      stderr: {
        isTerminal: false,
        write(text) {
          errors += text
          look()
        },
      },
      onInterrupt(listener) {
        interrupt = listener
        return () => {}
      },
    },
  })
  const early = await Promise.race([ready, ended])
  if (early) throw new Error(errors)
  try {
    await run({
      printed: printed.join(''),
      reported: text =>
        new Promise(resolve => {
          look = () => {
            const at = errors.indexOf(text, from)
            if (at < 0) return
            from = at + text.length
            // What comes next is for the next call.
            look = () => {}
            resolve()
          }
          look()
        }),
    })
  } finally {
    interrupt(signal)
  }
  return { ...(await ended), stderr: errors }
}
