import { resolve } from 'node:path'
import { historyDocument, outcomesOf, readHistory, stateOf, type ToldRun } from '../../core/record/history.ts'
import { listRuns, type RunReading, readDeclared, readRun, runFileAt } from '../../core/record/run-folder.ts'
import { jsonText } from '../../report/json-text.ts'
import { historyText, outcomesText } from '../../report/terminal-history.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { locksOf } from '../lock/with-lock.ts'
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
  const runs = await toldRuns(host, directory, readings)
  if (flags.json) host.stdout.write(`${jsonText(historyDocument(runs), 2)}\n`)
  else host.stdout.write(historyText(runs, commandStyle(host, flags)))
  if (readings.length === 0) host.stderr.write('no runs are on record here\n')
  return exitCode.done
}

async function showRun(host: Host, directory: string, named: string, flags: HistoryFlags): Promise<ExitCode> {
  const reading = await readNamed(host, directory, named)
  if ('unreadable' in reading) throw new CommandError(`"${named}" cannot be read: ${reading.unreadable}`)
  const { record } = reading
  const declared = record.declared === undefined ? undefined : await readDeclared(directory, record.declared)
  const outcomes = outcomesOf(record, declared)
  const runs = await toldRuns(host, directory, [reading])
  if (flags.json) host.stdout.write(`${jsonText(historyDocument(runs, outcomes), 2)}\n`)
  else host.stdout.write(`${historyText(runs, commandStyle(host, flags))}${outcomesText(outcomes)}`)
  if (record.declared !== undefined && declared === undefined) {
    host.stderr.write('what this run was asked for is no longer kept, so what was unchanged is not listed\n')
  }
  return exitCode.done
}

/** What their locks tell of runs that left no record; a lock that cannot be read tells nothing. */
function toldRuns(host: Host, directory: string, readings: readonly RunReading[]): Promise<ToldRun[]> {
  const locks = locksOf(host, directory)
  return Promise.all(
    readings.map(async reading => {
      const isOpen = 'record' in reading && reading.file.isJournal
      const holder = isOpen && (await locks.runningOwner(reading.record.target).catch(() => undefined))
      return { reading, state: stateOf(reading, holder || undefined) }
    }),
  )
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
