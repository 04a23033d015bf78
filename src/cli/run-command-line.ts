import { type Command, CommanderError, Option } from 'commander'
import { variables } from '../api/settings.ts'
import type { FailureDocument } from '../report/document.ts'
import { isNamed } from './command-options.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from './host/exit-code.ts'
import type { Flags } from './host/flags.ts'
import { guardHost, learnKeys, learnProxyPasswords, redactAsAsked } from './host/guard-host.ts'
import type { Host, ProcessHost } from './host/host.ts'
import { logFormats, problemFields } from './host/log.ts'
import { formatIn, note, printAs } from './host/output.ts'
import { type Asked, Reports } from './host/reports.ts'
import { createProgram, type Outcome } from './program.ts'

/**
 * Runs one command line and returns its exit code. It never throws: an error is one line on stderr, and with
 * `--json` also a document on stdout.
 */
export async function runCommandLine(outside: ProcessHost): Promise<ExitCode> {
  const guarded = guardHost(outside)
  await learnKeys(guarded, variables.apiKey)
  learnProxyPasswords(guarded)
  // Errors of a command line are reported in the format that it asks for, as far as that can be parsed.
  chooseLog(guarded, logChoiceIn(guarded.arguments), 'leniently')
  if (!guarded.isTraced) return runGuarded(guarded)
  const { traced } = await import('./host/tracing.ts')
  return traced(guarded, runGuarded)
}

async function runGuarded(guarded: Host): Promise<ExitCode> {
  const reports = new Reports(guarded)
  const host: Host = {
    ...guarded,
    onDocument(document) {
      guarded.onDocument?.(document)
      reports.take(document)
    },
  }
  const end = async (code: ExitCode, failure?: FailureDocument) =>
    (await reports.write(code, failure)) || code === exitCode.usage
      ? code
      : mostImportant([code, exitCode.error])
  const outcome: Outcome = { code: exitCode.done }
  const program = withLogOptions(createProgram(host, outcome, runCommandLine))
  program.hook('preAction', async (_, command) => {
    chooseLog(host, command.optsWithGlobals())
    redactAsAsked(host, command.opts().redact)
    await reports.open(command.opts(), askedBy(command))
  })
  try {
    refuseNul(host.arguments)
    await program.parseAsync(acceptOneDash(host.arguments), { from: 'user' })
    return await end(outcome.code)
  } catch (error) {
    // Commander throws for help and the version too.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.done
    const failure = await reportFailure(host, error)
    return end(failure.exitCode, failure)
  }
}

/** A path or a name never contains NUL. Shells do not pass it, but a program that starts a command can. */
function refuseNul(given: readonly string[]): void {
  const broken = given.find(argument => argument.includes('\0'))
  if (broken !== undefined)
    throw new CommandError(`the argument ${JSON.stringify(broken)} has a NUL character`, exitCode.usage)
}

function askedBy(command: Command): Asked {
  const { out, terraformPlan, planJson, metrics } = command.opts()
  const named = [out, terraformPlan, planJson, metrics].filter(name => typeof name === 'string')
  return { command: command.name(), others: [...command.args, ...named] }
}

/** Terraform's users write `-detailed-exitcode`; both forms are taken. */
function acceptOneDash(given: readonly string[]): string[] {
  return given.map(argument => (argument === '-detailed-exitcode' ? '--detailed-exitcode' : argument))
}

/** Reports a failure: to people on standard error, and in a format for programs also on standard output. */
async function reportFailure(host: Host, error: unknown) {
  // A command without errors does not need this module.
  const { failureOf } = await import('./plan/failure.ts')
  const failure = await failureOf(error)
  if (failure.problems.length > 0) await note(host, { ...failure, line: undefined })
  if (failure.line !== undefined) reportLine(host, failure.line, failure)
  // The stack shows the place in our code, which is useful only to its authors.
  const isOurs = error instanceof Error && !(error instanceof CommandError) && failure.line !== undefined
  if (isOurs) host.log.debug(error.stack ?? '')
  const format = formatIn(host.arguments)
  if (format !== undefined) await printAs(host, format, failure)
  return failure
}

/** Problems of files were reported one by one before; any other error is reported with its fields. */
function reportLine({ log }: Host, line: string, { errors, problems, environment }: FailureDocument): void {
  const [first] = errors
  const about = problems.length > 0 || first === undefined ? {} : problemFields(first)
  log.error(line, { ...about, ...(environment === undefined ? {} : { environment }) })
}

const formatVariable = 'VEXIL_LOG_FORMAT'

/** Adds to a command, and to each below it, how standard error is written. */
function withLogOptions<Some extends Command>(command: Some): Some {
  if (!isNamed(command)) return command
  command
    .optionsGroup(command.parent ? 'Output:' : '')
    .addOption(new Option('--log-format <format>', 'form of notes and errors').choices(logFormats))
    .addOption(new Option('--quiet', 'print no progress and no hints').conflicts('verbose'))
    .optionsGroup('')
  for (const below of command.commands) withLogOptions(below)
  return command
}

/** Sets the form of standard error: from an option, from the environment, or text. */
function chooseLog(host: Host, { logFormat, quiet = false }: Flags, manner?: 'leniently'): void {
  const wanted = logFormat ?? (host.env[formatVariable] || 'text')
  const format = logFormats.find(each => each === wanted)
  host.log.choose({ format: format ?? 'text', isQuiet: quiet })
  if (format === undefined && manner !== 'leniently')
    throw new CommandError(
      `${formatVariable} is "${wanted}"; it takes ${logFormats.join(' or ')}`,
      exitCode.usage,
    )
}

/** The log options of a command line that cannot be parsed, or is not parsed yet. */
function logChoiceIn(commandLine: readonly string[]): Flags {
  const end = commandLine.indexOf('--')
  const words = end < 0 ? commandLine : commandLine.slice(0, end)
  const at = words.lastIndexOf('--log-format')
  const joined = words.findLast(word => word.startsWith('--log-format='))
  const named = at >= 0 ? words[at + 1] : joined?.slice('--log-format='.length)
  const logFormat = logFormats.find(format => format === named)
  return { logFormat, quiet: words.includes('--quiet') || undefined }
}
