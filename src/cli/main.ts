import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { realWorld } from '../core/world.ts'
import type { Host, Output } from './host.ts'
import { run } from './run.ts'

/** The one place that touches the process. */
const host: Host = {
  arguments: process.argv.slice(2),
  env: process.env,
  directory: process.cwd(),
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  ask: process.stdin.isTTY ? ask : undefined,
  readStdin: () => text(process.stdin),
  world: realWorld,
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
}

// A reader that goes away (`vexil plan | head`) is no failure of ours.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

// Not `process.exit`: output that is still under way to a pipe would be cut off.
process.exitCode = await run(host)

function outputOf(stream: NodeJS.WriteStream): Output {
  return { write: chunk => void stream.write(chunk), isTerminal: stream.isTTY === true }
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
