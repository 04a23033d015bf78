import { resolve } from 'node:path'
import { sharedStore } from '../../core/apply/locks.ts'
import { outcomesOf, readHistory, type ShownRun, stateOf } from '../../core/record/history.ts'
import {
  listRuns,
  type RunReading,
  readDeclared,
  readRun,
  runFromText,
} from '../../core/record/run-folder.ts'
import { type Target, targetIdentity } from '../../core/target.ts'
import type { Store } from '../../fleet/index.ts'
import { once } from '../../model/runtime.ts'
import { escapeText } from '../../model/text/printable.ts'
import { unknownEnvironment } from '../../yaml/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { readNamed } from '../past/find-run.ts'
import { fetchRunsOf, unreadText } from '../past/recorded-runs.ts'
import { locksOf } from '../plan/run-record.ts'
import { settingsAt } from '../repository/repository.ts'
import { storeOf } from '../repository/shared-store.ts'

/** `vexil history [RUN]`: lists recorded runs, the newest first; for one run, the outcome of each object. */
export async function runHistory(host: Host, named: string | undefined, flags: Flags): Promise<ExitCode> {
  const directory = resolve(host.directory, flags.chdir ?? '.')
  if (flags.all) return showAll(host, directory, named, flags)
  await fetchRunsOf(host, directory)
  if (named !== undefined) return showRun(host, directory, named, flags)
  const readings = await readHistory(directory, {
    limit: limitOf(flags),
    environment: flags.env,
  })
  if (flags.env !== undefined && !readings.some(isOf(flags.env)))
    await requireEnvironment(host, flags.env, directory)
  const runs = await summarizeRuns(host, directory, readings)
  await print(host, flags, { is: 'history', runs })
  if (readings.length === 0) {
    const of = flags.env === undefined ? '' : ` of "${escapeText(flags.env)}"`
    host.log.info(`no runs${of} are on record here`)
  }
  return exitCode.done
}

/** The runs of all places and repositories in the shared store, and what `vexil reconcile` has seen. */
async function showAll(
  host: Host,
  directory: string,
  named: string | undefined,
  flags: Flags,
): Promise<ExitCode> {
  if (named !== undefined) throw new CommandError('--all lists runs; give it without a run', exitCode.usage)
  const store = await storeAt(host, directory)
  if (!store) throw new CommandError('--all needs a shared store; set `store` in vexil.yaml or VEXIL_STORE')
  const limit = limitOf(flags)
  const [texts, states] = await Promise.all([
    store.runs.newest(limit, flags.env),
    store.states.list(limit, flags.env),
  ])
  const readings = texts.map(({ run, text, isJournal }) => runFromText(run, text, isJournal, sharedStore))
  const runs = await summarizeRuns(host, directory, readings)
  await print(host, flags, { is: 'history', runs, states })
  return exitCode.done
}

async function showRun(host: Host, directory: string, named: string, flags: Flags): Promise<ExitCode> {
  const reading = await readOne(host, directory, named)
  if ('unreadable' in reading) throw new CommandError(`"${named}" cannot be read: ${reading.unreadable}`)
  const { record } = reading
  const { declared, unread } =
    record.declared === undefined ? {} : await readDeclared(directory, record.declared)
  const outcomes = outcomesOf(record, declared)
  const runs = await summarizeRuns(host, directory, [reading])
  await print(host, flags, { is: 'history', runs, outcomes })
  if (unread)
    host.log.warn(escapeText(`${unreadText(directory, [unread])}, so unchanged objects are not listed`))
  else if (record.declared !== undefined && declared === undefined) {
    host.log.info('the declarations of this run are no longer kept, so unchanged objects are not listed')
  }
  return exitCode.done
}

/** Adds the state of each run. For runs without a record, the lock shows whether they still run. */
async function summarizeRuns(
  host: Host,
  directory: string,
  readings: readonly RunReading[],
): Promise<ShownRun[]> {
  const locks = locksOf(host, directory)
  const store = once(() => storeAt(host, directory).catch(() => undefined))
  const ownerOf = async (target: Target) =>
    (await locks.runningOwner(target)) ?? (await (await store())?.locks.ownerOf(targetIdentity(target)))
  return Promise.all(
    readings.map(async reading => {
      const isOpen = 'record' in reading && reading.file.isJournal
      const holder = isOpen && (await ownerOf(reading.record.target).catch(() => undefined))
      return { reading, state: stateOf(reading, holder || undefined) }
    }),
  )
}

/** The shared store of a folder; undefined if it has none. */
async function storeAt(host: Host, directory: string): Promise<Store | undefined> {
  const address = storeOf(host, (await settingsAt(host, directory)) ?? {})
  return address === undefined ? undefined : host.stores.open(address)
}

async function readOne(host: Host, directory: string, named: string): Promise<RunReading> {
  const [newest] = named === 'last' ? await listRuns(directory) : []
  return newest ? readRun(newest) : readNamed(host, named, directory)
}

function isOf(environment: string): (reading: RunReading) => boolean {
  return reading => 'record' in reading && reading.record.environment === environment
}

/** Refuses an environment that the settings do not have, unless they cannot be read. */
async function requireEnvironment(host: Host, environment: string, directory: string): Promise<void> {
  const names = (await settingsAt(host, directory))?.environments.map(({ name }) => name)
  if (names === undefined || names.includes(environment)) return
  const { message, hint } = unknownEnvironment(environment, names)
  throw new CommandError(`${message}; ${hint}`)
}

function limitOf({ maxCount = '20' }: Flags): number {
  if (/^[1-9]\d{0,8}$/.test(maxCount)) return Number(maxCount)
  throw new CommandError(`--max-count takes a number of runs, not "${maxCount}"`, exitCode.usage)
}
