import { CommanderError } from 'commander'
import type { Problem } from '../model/problem.ts'
import { jsonText } from '../report/json-text.ts'
import {
  CommandError,
  type CommandFault,
  DeclinedError,
  type ExitCode,
  exitCode,
  ProblemsError,
} from './exit-code.ts'

/** Why a command failed: its exit code, what people read on standard error, and the same for programs. */
export interface Failure {
  readonly code: ExitCode
  /** One line for standard error; undefined where everything has been said there already. */
  readonly line?: string
  readonly errors: readonly CommandFault[]
}

/**
 * Tells what an error of a command means.
 *
 * | thrown                        | exit code     | standard error            | errors                        |
 * |-------------------------------|---------------|---------------------------|-------------------------------|
 * | commander: wrong usage        | 64            | said already              | `usage`                       |
 * | an abort (Ctrl-C at a prompt) | 130           | nothing                   | `interrupted`                 |
 * | problems of files             | its own       | how many; each is said    | each problem                  |
 * | no as the answer              | 3             | its words                 | `declined`                    |
 * | another error of a command    | its own       | `vexil: ` and its words   | by its exit code              |
 * | anything else                 | 1             | `vexil: ` and its words   | `service`, with the status, or `failed` |
 */
export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CommanderError) return usageFailure(error)
  if (error instanceof Error && error.name === 'AbortError') {
    const message = 'interrupted before anything was decided'
    return { code: exitCode.interrupted, errors: [{ code: 'interrupted', message }] }
  }
  if (error instanceof ProblemsError) {
    return { code: error.code, line: `vexil: ${error.message}`, errors: error.problems.map(withoutSeverity) }
  }
  if (error instanceof DeclinedError) {
    return { code: error.code, line: error.message, errors: [{ code: 'declined', message: error.message }] }
  }
  if (error instanceof CommandError) {
    const code = codeNames.get(error.code) ?? 'failed'
    return { code: error.code, line: `vexil: ${error.message}`, errors: [{ code, message: error.message }] }
  }
  // What explains the service's errors also loads the client, which a command that ends well may not need.
  const { faultOf } = await import('./explain-failure.ts')
  const fault = faultOf(error)
  return { code: exitCode.error, line: `vexil: ${fault.message}`, errors: [fault] }
}

/** The document that `--json` prints on a failure; one line, since a stream of lines may stand before it. */
export function failureText({ code, errors }: Pick<Failure, 'code' | 'errors'>): string {
  return `${jsonText({ ...failureHead(code), errors })}\n`
}

/** What every document begins with that has `errors`. */
export function failureHead(code: ExitCode) {
  return { format_version: failureFormat, exit_code: code }
}

/** A problem of a file as a member of `errors`. */
export function withoutSeverity({ severity: _severity, ...fault }: Problem): CommandFault {
  return fault
}

const failureFormat = '1.0'

const codeNames: ReadonlyMap<ExitCode, string> = new Map([
  [exitCode.usage, 'usage'],
  [exitCode.refused, 'refused'],
  [exitCode.stale, 'stale'],
])

function usageFailure({ message }: CommanderError): Failure {
  return { code: exitCode.usage, errors: [{ code: 'usage', message: message.replace(/^error: /, '') }] }
}
