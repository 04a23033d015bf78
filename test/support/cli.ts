import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProcessHost } from '../../src/cli/host/host.ts'
import { run } from '../../src/cli/run.ts'
import { processes } from './processes.ts'
import { testRuntime } from './test-runtime.ts'

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
  readonly stdin?: string
  readonly host?: Partial<ProcessHost>
}

/** One clock for all commands of a test file, so that a later command is a later one. */
const runtime = testRuntime()

/** Runs one command line as `main.ts` would, in this process. */
export async function cli(line: string | readonly string[], options: CliOptions): Promise<CliResult> {
  const { directory, env = {}, answer, stdin = '' } = options
  const stdout: string[] = []
  const stderr: string[] = []
  await runtime.sleep(1000)
  const code = await run({
    arguments: typeof line === 'string' ? line.split(' ').filter(word => word !== '') : line,
    // Named, so that git need not be asked who it is: that is a process for each apply.
    env: { GITHUB_ACTOR: 'tester', ...env },
    directory,
    stdout: { write: text => void stdout.push(text), isTerminal: false },
    stderr: { write: text => void stderr.push(text), isTerminal: false },
    ask: answer === undefined ? undefined : async () => answer,
    readStdin: async () => stdin,
    runtime,
    processes,
    signalGroup: undefined,
    onInterrupt: () => () => {},
    ...options.host,
  })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** A folder of its own with the given files; removed by `remove`. */
export async function folderWith(
  files: Readonly<Record<string, string>>,
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'vexil-test-'))
  await writeFiles(path, files)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
