import type { Command } from 'commander'
import { guardHost } from '../../src/cli/host/processes.ts'
import { createProgram, runCommandLine } from '../../src/cli/program.ts'
import { processes } from './processes.ts'
import { testRuntime } from './test-runtime.ts'

/** The program with all its commands, to be looked at: what it would write goes nowhere. */
export function aProgram(): Command {
  const stream = { write() {}, isTerminal: false }
  const host = guardHost({
    arguments: [],
    env: {},
    directory: '/',
    stdout: stream,
    stderr: stream,
    ask: undefined,
    readStdin: async () => new Uint8Array(),
    runtime: testRuntime(),
    processes,
    signalGroup: undefined,
    onInterrupt: () => () => {},
  })
  return createProgram(host, { code: 0 }, runCommandLine)
}
