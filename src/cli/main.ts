import { fstatSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { buffer } from 'node:stream/consumers'
import { realRuntime } from '../core/real-runtime.ts'
import type { ExitCode } from './host/exit-code.ts'
import type { ProcessHost, Stream } from './host/host.ts'
import { processesOf, systemUser } from './host/processes.ts'
import { runCommandLine } from './program.ts'

/** The global symbol of OpenTelemetry. Loading its package would take longer. */
const registered = Symbol.for('opentelemetry.js.api.1')

/** The one place that touches the process. */
const host: ProcessHost = {
  arguments: process.argv.slice(2),
  env: process.env,
  directory: process.cwd(),
  engine: `Node.js ${process.versions.node} on ${process.platform}`,
  userName: systemUser(),
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  ask: process.stdin.isTTY ? ask : undefined,
  readStdin: () => buffer(process.stdin),
  runtime: realRuntime,
  processes: processesOf({
    pid: process.pid,
    platform: process.platform,
    kill: (pid, signal) => process.kill(pid, signal),
  }),
  signalGroup: process.platform === 'win32' ? undefined : (pid, signal) => void process.kill(-pid, signal),
  isTraced: registered in globalThis,
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
}

// If a reader stops (`vexil apply | head`), the run continues: an apply must write its record.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    if (!('code' in error && error.code === 'EPIPE')) throw error
  })
}

/** Runs the command of this process, and returns its exit code. */
export async function main(): Promise<ExitCode> {
  // The exit code of Node if the event loop is empty but a promise is still pending.
  process.exitCode = 13
  const code = await runCommandLine(host)
  // Not `process.exit`: it would cut off output that a pipe has not read yet.
  process.exitCode = code
  return code
}

function outputOf(stream: NodeJS.WriteStream & { readonly fd: number }): Stream {
  const isTerminal = stream.isTTY === true
  return {
    write: chunk => void stream.write(chunk),
    isTerminal,
    get isFile() {
      return !isTerminal && fstatSync(stream.fd).isFile()
    },
  }
}

async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const leaving = new AbortController()
  // Ctrl-C interrupts a question, and Ctrl-D is an empty answer. Without these handlers the question would
  // never end.
  terminal.on('SIGINT', () => {
    process.stderr.write('\n')
    leaving.abort()
  })
  const closed = new Promise<string>(resolve => terminal.once('close', () => resolve('')))
  try {
    return await Promise.race([
      terminal.question(question, {
        signal: signal ? AbortSignal.any([leaving.signal, signal]) : leaving.signal,
      }),
      closed,
    ])
  } finally {
    terminal.close()
  }
}
