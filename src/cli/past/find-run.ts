import { resolve } from 'node:path'
import { hasWritten, type RunRecord } from '../../core/record/run.ts'
import {
  listRuns,
  type RunReading,
  readRun,
  runFileAt,
  type UnreadFile,
} from '../../core/record/run-folder.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import { type Host, isThere } from '../host/host.ts'
import { isSameSetting, resolveSettings, shownValue } from '../repository/connection.ts'

export interface FoundRun {
  readonly record: RunRecord
  readonly path: string
  /** Whether the run has only a journal, and no record. */
  readonly isCutOff: boolean
  /** The file with the values that the record hides, if it exists but cannot be read. */
  readonly unreadValues: UnreadFile | undefined
}

/**
 * Finds a run by its file, by its name, or as `last`: the last run that changed this place. A run that wrote
 * nothing cannot be undone.
 *
 * | the newest run has                      | `last` is                                         |
 * |-----------------------------------------|---------------------------------------------------|
 * | a record: it wrote, or may have         | that run                                          |
 * | a record: it wrote nothing              | an older run                                      |
 * | only a journal, with sent requests      | that run, as far as it got                        |
 * | only a journal, without requests        | an older run                                      |
 * | a record or journal that cannot be read | unknown: it may have written, so the command ends |
 */
export async function findRun(
  host: Host,
  named: string,
  directory: string,
  isMeant: (target: Target) => boolean,
): Promise<FoundRun> {
  return named === 'last' ? findLast(directory, isMeant) : findNamed(host, named, directory, isMeant)
}

/** Whether a target matches the flags and environment variables. Missing settings match any target. */
export function fitsPlace(host: Host, flags: Flags): (target: Target) => boolean {
  const env = flags.sandbox ? {} : host.env
  const { baseUrl, project, organization } = resolveSettings(flags, env, {}, { file: '' })
  return target => {
    if (flags.sandbox) return isSandbox(target) && (!project || project.value === target.projectId)
    return (
      (!baseUrl || isSameSetting('baseUrl', baseUrl.value, target.baseUrl)) &&
      (!project || isSameSetting('project', project.value, target.projectId ?? '')) &&
      (!organization || isSameSetting('organization', organization.value, target.organizationId ?? ''))
    )
  }
}

async function findLast(directory: string, isMeant: (target: Target) => boolean): Promise<FoundRun> {
  let elsewhere: RunRecord | undefined
  for (const file of await listRuns(directory)) {
    const reading = await readRun(file)
    if ('unreadable' in reading) throw unreadable(reading)
    const { record } = reading
    if (!record.entries.some(hasWritten)) continue
    if (isMeant(record.target)) return foundIn(reading)
    elsewhere ??= record
  }
  throw new CommandError(`there is no run to undo: none of those on record here${elsewhereText(elsewhere)}`)
}

async function findNamed(
  host: Host,
  named: string,
  directory: string,
  isMeant: (target: Target) => boolean,
): Promise<FoundRun> {
  const reading = await readNamed(host, named, directory, isMeant)
  if ('unreadable' in reading) throw unreadable(reading)
  return foundIn(reading)
}

/** Reads a run by its name or file. It may be unreadable. */
export async function readNamed(
  host: Host,
  named: string,
  directory: string,
  isMeant: (target: Target) => boolean = () => true,
): Promise<RunReading> {
  const files = await listRuns(directory)
  const known = files.find(({ run }) => run === named)
  const reading = await readRun(known ?? runFileAt(resolve(host.directory, named)))
  if (known || 'record' in reading) return reading
  const why = (await isThere(reading.file.path)) ? `: ${reading.unreadable}` : ''
  for (const file of files) {
    const other = await readRun(file)
    if ('record' in other && isMeant(other.record.target)) {
      throw new CommandError(`"${named}" is not a run${why}; the latest is "${file.run}"`)
    }
  }
  throw new CommandError(`"${named}" is not a run${why}`)
}

function foundIn({ file, record, unreadValues }: Extract<RunReading, { record: RunRecord }>): FoundRun {
  return { record, path: file.path, isCutOff: file.isJournal, unreadValues }
}

function unreadable({ file, unreadable: why }: Extract<RunReading, { unreadable: string }>): CommandError {
  return new CommandError(
    `the record of run "${file.run}" cannot be read: "${file.path}": ${why}; check the service and move the file away, or name another run to undo`,
    exitCode.refused,
  )
}

function elsewhereText(record: RunRecord | undefined): string {
  if (!record) return ' has changed anything'
  const { target, run } = record
  const place = targetText({ ...target, baseUrl: shownValue('baseUrl', target.baseUrl) })
  return ` has changed anything at the selected place; the latest run that did is "${run}", for ${place}`
}
