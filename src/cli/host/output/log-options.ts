import { type Command, Option } from 'commander'
import { isNamed } from '../../meant-command.ts'
import { CommandError, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { type LogFormat, logFormats } from './log.ts'

/** What a command line says of standard error. */
export interface LogFlags {
  readonly logFormat?: string
  readonly quiet?: boolean
}

const formatVariable = 'VEXIL_LOG_FORMAT'

/** Adds to a command, and to each below it, how standard error is written. */
export function withLogOptions<Some extends Command>(command: Some): Some {
  if (!isNamed(command)) return command
  command
    .optionsGroup(command.parent ? 'Output:' : '')
    .addOption(new Option('--log-format <format>', 'form of notes and errors').choices(logFormats))
    .addOption(new Option('--quiet', 'print no progress and no hints').conflicts('verbose'))
    .optionsGroup('')
  for (const below of command.commands) withLogOptions(below)
  return command
}

/** Sets how standard error is written: as an option says, as the environment does, or as text. */
export function chooseLog(host: Host, { logFormat, quiet = false }: LogFlags, manner?: 'leniently'): void {
  const wanted = logFormat ?? (host.env[formatVariable] || 'text')
  const format = logFormats.find(each => each === wanted)
  host.log.choose({ format: format ?? 'text', isQuiet: quiet })
  if (format === undefined && manner !== 'leniently')
    throw new CommandError(
      `${formatVariable} is "${wanted}"; it takes ${logFormats.join(' or ')}`,
      exitCode.usage,
    )
}

/** What a command line asks for that cannot be parsed, or is not parsed yet. */
export function logChoiceIn(commandLine: readonly string[]): LogFlags {
  const end = commandLine.indexOf('--')
  const words = end < 0 ? commandLine : commandLine.slice(0, end)
  const at = words.lastIndexOf('--log-format')
  const joined = words.findLast(word => word.startsWith('--log-format='))
  const logFormat = at >= 0 ? words[at + 1] : joined?.slice('--log-format='.length)
  const isKnown = logFormats.some((format: LogFormat) => format === logFormat)
  return {
    ...(isKnown && logFormat !== undefined ? { logFormat } : {}),
    ...(words.includes('--quiet') ? { quiet: true } : {}),
  }
}
