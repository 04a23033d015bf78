import { resolve } from 'node:path'
import { historyDocument, outcomesOf, readHistory } from '../../core/record/history.ts'
import { listRuns, type RunReading, readDeclared, readRun, runFileAt } from '../../core/record/run-folder.ts'
import { jsonText } from '../../report/json-text.ts'
import { historyText, outcomesText } from '../../report/terminal-history.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { commandStyle, type OutputFlags } from '../output.ts'

export interface HistoryFlags extends OutputFlags {
  readonly chdir?: string
  readonly env?: string
  readonly maxCount?: string
}

/** `vexil history [RUN]`: the runs that are on record, the newest first; of one run, how each object came out of it. */
export async function runHistory(
  host: Host,
  named: string | undefined,
  flags: HistoryFlags,
): Promise<ExitCode> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  if (named !== undefined) return showRun(host, directory, named, flags)
  const readings = await readHistory(directory, {
    limit: limitOf(flags),
    ...(flags.env === undefined ? {} : { environment: flags.env }),
  })
  if (flags.json) host.stdout.write(`${jsonText(historyDocument(readings), 2)}\n`)
  else host.stdout.write(historyText(readings, commandStyle(host, flags)))
  if (readings.length === 0) host.stderr.write('no runs are on record here\n')
  return exitCode.done
}

async function showRun(host: Host, directory: string, named: string, flags: HistoryFlags): Promise<ExitCode> {
  const reading = await readNamed(host, directory, named)
  if ('unreadable' in reading) throw new CommandError(`"${named}" cannot be read: ${reading.unreadable}`)
  const { record } = reading
  const declared = record.declared === undefined ? undefined : await readDeclared(directory, record.declared)
  const outcomes = outcomesOf(record, declared)
  if (flags.json) host.stdout.write(`${jsonText(historyDocument([reading], outcomes), 2)}\n`)
  else host.stdout.write(`${historyText([reading], commandStyle(host, flags))}${outcomesText(outcomes)}`)
  if (record.declared !== undefined && declared === undefined) {
    host.stderr.write('what this run was asked for is no longer kept, so what was unchanged is not listed\n')
  }
  return exitCode.done
}

async function readNamed(host: Host, directory: string, named: string): Promise<RunReading> {
  const files = await listRuns(directory)
  const file = named === 'last' ? files[0] : files.find(({ run }) => run === named)
  return readRun(file ?? runFileAt(resolve(host.directory, named)))
}

function limitOf({ maxCount = '20' }: HistoryFlags): number {
  if (/^[1-9]\d{0,8}$/.test(maxCount)) return Number(maxCount)
  throw new CommandError(`--max-count takes a number of runs, not "${maxCount}"`, exitCode.usage)
}
