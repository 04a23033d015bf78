import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Secrets } from '../../api/redact.ts'
import type { Processes } from '../../core/apply/locks.ts'
import type { Change } from '../../core/change.ts'
import type { Who } from '../../core/record/run.ts'
import type { Redaction } from '../../core/redaction.ts'
import type { Target } from '../../core/target.ts'
import { readGitUser } from '../../git/run.ts'
import { FileError, readTextFile, textFrom } from '../../model/files.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { Document } from '../../report/document.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from './exit-code.ts'
import type { Log, Output, Stream } from './log.ts'
import type { Stores } from './stores.ts'

export type { Output, Stream, WrittenKind } from './log.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

/** What a command can access of its process, with guarded streams. */
export interface Host extends ProcessHost {
  readonly stdout: Output
  /** Text for people, unchanged. Messages use `log`. */
  readonly stderr: Output
  /** All output on standard error. */
  readonly log: Log
  /** The known keys. They are removed from written files and streams. */
  readonly secrets: Secrets
  /** The keys from `api_key_command`, by folder and words: each program runs only once. */
  readonly keysOfCommands: Map<string, Promise<string>>
  /** The values that options and settings hide in output and records. */
  readonly redaction: Redaction
  /** The shared stores that this process has opened. */
  readonly stores: Stores
  /** Receives every result document of a command, and the plan that it asks about. */
  readonly onDocument?: (document: Document) => void
  /** Set if the command runs for one of several environments. It then prints no document. */
  readonly several?: Several
}

/** What the runs of one command for several environments share. */
export interface Several {
  /** Runs something once for all environments. The same name must always stand for the same type. */
  once<T>(name: string, run: () => T): T
  /** Runs something once, when all environments have ended. */
  atEnd(name: string, run: () => Promise<void>): void
  /**
   * Resolves when all environments are planned and a person has approved the changes. Returns whether to plan
   * again: an earlier environment of the same organization has written the same objects.
   */
  approve(changes: readonly Change[], target: Target, stop: AbortSignal | undefined): Promise<boolean>
  /** Called for each request that was sent. */
  readonly onRequest?: () => void
}

/** The process. `main.ts` creates the real one, tests their own. */
export interface ProcessHost {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** Whether its folders vanish when the program ends, so that messages do not name them. */
  readonly isFleeting?: boolean
  /** What runs this program, for problem reports: `Node.js 22.1.0 on linux`. */
  readonly engine?: string
  /** The user of the operating system; undefined if it has no name, as in many containers. */
  readonly userName?: string
  /** The result of a command and nothing else. */
  readonly stdout: Stream
  /** Progress, notes and errors. */
  readonly stderr: Stream
  /** Reads a line from the terminal; undefined if there is no terminal. */
  readonly ask: ((question: string, signal?: AbortSignal) => Promise<string>) | undefined
  readonly readStdin: () => Promise<Uint8Array>
  readonly runtime: Runtime
  /** Whether the calling program has registered OpenTelemetry. */
  readonly isTraced?: boolean
  readonly processes: Processes
  /** Aborted by a signal, for a command that has written nothing yet. */
  readonly stop?: AbortSignal
  /** Signals a process group; undefined if the system has none. The child must be spawned detached. */
  readonly signalGroup: ((pid: number, signal: NodeJS.Signals) => void) | undefined
  /** Calls back at SIGINT and SIGTERM; returns a function that stops listening. */
  readonly onInterrupt: (listener: (signal: Signal) => void) => () => void
}

/** Runs one command line and returns its exit code. */
export type RunProgram = (host: ProcessHost) => Promise<ExitCode>

const codes: Readonly<Record<Signal, ExitCode>> = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
}

/**
 * Runs something that needs a clean-up, so that a signal does not end the process before it.
 *
 * | a signal arrives            | what happens                                         |
 * |-----------------------------|------------------------------------------------------|
 * | while code in `run` listens | the listener gets it                                 |
 * | while no code listens       | reading and questions stop; a later listener gets it |
 * | again, without a listener   | the process ends, as without this function           |
 *
 * `run` gets a host with `stop`. After a signal, the exit code is that of the signal.
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

/**
 * Who starts a run, for its record. The first variable with a value counts:
 *
 * | from                                                      | of                                    |
 * |-----------------------------------------------------------|---------------------------------------|
 * | GITHUB_TRIGGERING_ACTOR, GITHUB_ACTOR                     | GitHub Actions                        |
 * | GITLAB_USER_LOGIN                                         | GitLab CI                             |
 * | BUILDKITE_BUILD_CREATOR_EMAIL, BUILDKITE_BUILD_CREATOR    | Buildkite                             |
 * | BUILD_REQUESTEDFOREMAIL                                   | Azure Pipelines                       |
 * | CIRCLE_USERNAME                                           | CircleCI                              |
 * | BITBUCKET_STEP_TRIGGERER_UUID                             | Bitbucket Pipelines                   |
 * | BUILD_USER_ID                                             | Jenkins (build user vars)             |
 * | `user.name` and `user.email` of git                       | a person at a machine                 |
 * | the user of the operating system                          |                                       |
 */
export async function whoRuns({ env, userName }: Host, directory: string): Promise<Who | undefined> {
  const variable = actorVariables.find(name => env[name])
  if (variable !== undefined) return { name: env[variable] ?? '', from: variable }
  const name = await readGitUser({ directory, env })
  if (name !== undefined) return { name, from: 'git' }
  return userName === undefined ? undefined : { name: userName, from: 'system' }
}

const actorVariables = [
  // On GitHub, another user may have started the re-run.
  'GITHUB_TRIGGERING_ACTOR',
  'GITHUB_ACTOR',
  'GITLAB_USER_LOGIN',
  'BUILDKITE_BUILD_CREATOR_EMAIL',
  'BUILDKITE_BUILD_CREATOR',
  'BUILD_REQUESTEDFOREMAIL',
  'CIRCLE_USERNAME',
  'BITBUCKET_STEP_TRIGGERER_UUID',
  'BUILD_USER_ID',
] as const

/** The folder of this package, whether it runs from its sources or from a bundle. */
export function packageRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}

/** The text of a file that the command line names. Throws a `CommandError` if it cannot be read. */
export function readNamedFile(
  { directory }: Host,
  what: string,
  path: string,
  mostBytes: number,
): Promise<string> {
  return named(what, () => readTextFile(resolve(directory, path), mostBytes))
}

/** The same for standard input. */
export function readInput({ readStdin }: Host): Promise<string> {
  return named('standard input', async () => textFrom(await readStdin()))
}

async function named(what: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof FileError ? new CommandError(`${what} ${error.message}`) : error
  }
}

export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
