import { expect } from 'vitest'
import type { ProcessHost } from '../../src/cli/host/host.ts'
import { runCommandLine } from '../../src/cli/program.ts'
import { processes } from './processes.ts'
import { type TestRuntime, testRuntime } from './test-runtime.ts'

export { folderWith, writeFiles } from './folder.ts'

export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly directory: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What the person at the terminal answers; nobody is there without it. */
  readonly answer?: string
  readonly stdin?: string | Uint8Array
  readonly host?: Partial<ProcessHost>
}

/** One clock for all commands of a test file, so that a later command is a later one. Files share this module. */
const clocks = new Map<string | undefined, TestRuntime>()

/** The clock of the test's file, a second later: for a command that is run with more than that. */
export async function nextSecondOfFile(): Promise<TestRuntime> {
  const { testPath } = expect.getState()
  const clock = clocks.get(testPath) ?? testRuntime()
  clocks.set(testPath, clock)
  await clock.sleep(1000)
  return clock
}

/** Runs one command line as `main.ts` would, in this process. */
export async function cli(line: string | readonly string[], options: CliOptions): Promise<CliResult> {
  const { directory, env = {}, answer, stdin = '' } = options
  const stdout: string[] = []
  const stderr: string[] = []
  // Outside a test there is no file that could have a clock: whoever runs a command there brings one.
  const runtime = options.host?.runtime ?? (await nextSecondOfFile())
  const code = await runCommandLine({
    arguments: typeof line === 'string' ? line.split(' ').filter(word => word !== '') : line,
    // Named, so that git need not be asked who it is: that is a process for each apply.
    env: { GITHUB_ACTOR: 'tester', ...env },
    directory,
    stdout: { write: text => void stdout.push(text), isTerminal: false },
    stderr: { write: text => void stderr.push(text), isTerminal: false },
    ask: answer === undefined ? undefined : async () => answer,
    readStdin: async () => Buffer.from(stdin),
    runtime,
    processes,
    signalGroup: undefined,
    onInterrupt: () => () => {},
    ...options.host,
  })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
