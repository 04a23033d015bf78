import { CommanderError } from 'commander'
import type { FailureDocument } from '../../report/document.ts'
import { faultIn } from '../../report/line-text.ts'
import {
  CommandError,
  DeclinedError,
  EnvironmentError,
  type ExitCode,
  exitCode,
  ProblemsError,
} from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { problemFields } from '../host/log.ts'

export type Failure = FailureDocument & { readonly exitCode: ExitCode }

/**
 * Explains an error of a command.
 *
 * | thrown                         | exit code | standard error            | errors                       |
 * |--------------------------------|-----------|---------------------------|------------------------------|
 * | commander: wrong usage         | 64        | already printed           | `usage`                      |
 * | an abort (Ctrl-C at a prompt)  | 130       | nothing                   | `interrupted`                |
 * | in one of several environments | its own   | its message with the name | its own                      |
 * | problems of files              | its own   | each, and their number    | each problem                 |
 * | approval declined              | 3         | its message               | `declined`                   |
 * | another error of a command     | its own   | `vexil: ` and its message | by its exit code             |
 * | anything else                  | 1         | `vexil: ` and its message | `service` (status), `failed` |
 */
export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CommanderError) return usageFailure(error)
  if (error instanceof Error && error.name === 'AbortError') {
    const message = 'interrupted before anything was decided'
    return failed(exitCode.interrupted, [{ code: 'interrupted', message }])
  }
  if (error instanceof EnvironmentError) return inEnvironment(error.environment, await failureOf(error.cause))
  if (error instanceof ProblemsError) {
    return { ...shownProblems(error), line: `vexil: ${error.message}` }
  }
  if (error instanceof DeclinedError) {
    return failed(error.code, [{ code: 'declined', message: error.message }], error.message)
  }
  if (error instanceof CommandError) {
    const code = codeNames.get(error.code) ?? 'failed'
    return failed(error.code, [{ code, message: error.message }], `vexil: ${error.message}`)
  }
  // Loaded here, because a successful command may not need the client.
  const { faultOf } = await import('./explain-failure.ts')
  const fault = faultOf(error)
  return failed(exitCode.error, [fault], `vexil: ${fault.message}`)
}

/** Reports an error of a command that goes on: each problem of files, and the line. */
export async function logFailure(host: Pick<Host, 'log'>, error: unknown): Promise<Failure> {
  const failure = await failureOf(error)
  for (const { problem, path } of failure.problems) host.log.problem(problem, path)
  if (failure.line !== undefined) logLine(host, failure.line, failure)
  return failure
}

/** The line of a failure. Its problems of files are shown one by one. */
export function logLine(
  { log }: Pick<Host, 'log'>,
  line: string,
  { errors, problems, environment }: FailureDocument,
): void {
  const [first] = errors
  const about = problems.length > 0 || first === undefined ? {} : problemFields(first)
  log.error(line, { ...about, ...(environment === undefined ? {} : { environment }) })
}

/** Adds the environment to messages, except for problems with a place in a file. */
function inEnvironment(environment: string, failure: Failure): Failure {
  const { line, errors, problems } = failure
  const named = (message: string) => `${environment}: ${message}`
  return {
    ...failure,
    errors: problems.length > 0 ? errors : errors.map(fault => ({ ...fault, message: named(fault.message) })),
    ...(line === undefined ? {} : { line: line.replace(/^vexil: /, prefix => `${prefix}${environment}: `) }),
  }
}

/** The problems of files, for a command that continues without them. */
export function shownProblems({ code, problems, shown }: ProblemsError): Failure {
  return { ...failed(code, problems.map(faultIn)), problems: shown }
}

function failed(code: ExitCode, errors: Failure['errors'], line?: string): Failure {
  return { is: 'failure', exitCode: code, errors, problems: [], line }
}

const codeNames: ReadonlyMap<ExitCode, string> = new Map([
  [exitCode.usage, 'usage'],
  [exitCode.refused, 'refused'],
  [exitCode.stale, 'stale'],
])

function usageFailure({ message }: CommanderError): Failure {
  return failed(exitCode.usage, [{ code: 'usage', message: message.replace(/^error: /, '') }])
}
