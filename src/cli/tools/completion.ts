import type { Command } from 'commander'
import { escapeText } from '../../model/text/printable.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type Candidate, complete, scripts } from './candidates.ts'

/** `vexil completion SHELL`: prints the script for a shell, which calls `vexil complete`. */
export async function runCompletion(host: Host, shell: string): Promise<ExitCode> {
  host.stdout.write(scriptFor(shell))
  return exitCode.done
}

/** `vexil complete SHELL -- WORDS`: prints completions of the last word, one a line; none after an error. */
export async function runComplete(
  host: Host,
  program: Command,
  shell: string,
  words: readonly string[],
): Promise<ExitCode> {
  scriptFor(shell)
  const { valuesFor } = await import('./find-values.ts')
  const find = valuesFor(host)
  const { candidates, files } = await complete(program, words, async (source, line) =>
    find(source, line).catch(() => []),
  )
  const lines = [
    ...candidates.filter(isTypeable).map(each => shown(shell, each)),
    ...(files ? [':files'] : []),
  ]
  host.stdout.write(lines.map(line => `${line}\n`).join(''))
  return exitCode.done
}

function scriptFor(shell: string): string {
  const script = Object.entries(scripts).find(([name]) => name === shell)?.[1]
  if (script !== undefined) return script
  throw new CommandError(
    `"${shell}" is not a shell that has completion; there are bash, zsh and fish`,
    exitCode.usage,
  )
}

/** Whether a terminal can show a candidate. A line end would split it. */
function isTypeable({ value }: Candidate): boolean {
  return escapeText(value) === value
}

function shown(shell: string, { value, doc }: Candidate): string {
  const words = doc === undefined ? undefined : escapeText(doc)
  switch (shell) {
    case 'zsh': {
      const escaped = value.replaceAll('\\', '\\\\').replaceAll(':', '\\:')
      return words === undefined ? escaped : `${escaped}:${words}`
    }
    case 'fish':
      return words === undefined ? value : `${value}\t${words}`
    default:
      return value
  }
}
