import { CommanderError } from 'commander'
import { escapeLines } from '../model/escape-text.ts'
import { CommandError, type ExitCode, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'
import { createProgram, type Outcome } from './program.ts'

/** Runs one command line and answers with its exit code. Never throws: what goes wrong is one line on stderr. */
export async function run(host: Host): Promise<ExitCode> {
  const outcome: Outcome = { code: exitCode.done }
  const program = createProgram(host, outcome)
  try {
    await program.parseAsync(acceptOneDash(host.arguments), { from: 'user' })
    return outcome.code
  } catch (error) {
    return await failureCode(host, error)
  }
}

/** Terraform's users write `-detailed-exitcode`; both forms are taken. */
function acceptOneDash(given: readonly string[]): string[] {
  return given.map(argument => (argument === '-detailed-exitcode' ? '--detailed-exitcode' : argument))
}

async function failureCode(host: Host, error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
  if (error instanceof Error && error.name === 'AbortError') return exitCode.interrupted
  if (error instanceof CommandError) {
    host.stderr.write(`vexil: ${escapeLines(error.message)}\n`)
    return error.code
  }
  // What explains the service's errors also loads the client, which a command that ends well may not need.
  const { explainFailure } = await import('./explain-failure.ts')
  host.stderr.write(`vexil: ${escapeLines(explainFailure(error))}\n`)
  // The stack says where in our code; it is of use only to those who write it.
  if (host.env.VEXIL_DEBUG && error instanceof Error) host.stderr.write(`${escapeLines(error.stack ?? '')}\n`)
  return exitCode.error
}
