import { resolve } from 'node:path'
import { hasWritten, type Receipt } from '../core/receipt.ts'
import { isSandbox, type Target, targetText } from '../core/target.ts'
import { CommandError } from './exit-code.ts'
import type { Host } from './host.ts'
import type { SessionFlags } from './session.ts'
import { isSameSetting, settleSettings, shownValue } from './settle-setting.ts'
import { readReceipt } from './state.ts'

/**
 * A receipt by its file, by the name of its run, or `last`: the last run that has changed something in the place that
 * is meant. One that only found everything done, as a second run of the same plan does, has nothing to undo.
 */
export async function findReceipt(
  host: Host,
  named: string,
  all: readonly Receipt[],
  isMeant: (target: Target) => boolean,
): Promise<Receipt> {
  const newestFirst = [...all].sort((left, right) => right.startedAt - left.startedAt)
  if (named === 'last') {
    const found = newestFirst.find(({ target, entries }) => isMeant(target) && entries.some(hasWritten))
    if (found) return found
    throw new CommandError(`there is no run to undo: none of those on record here${elsewhere(newestFirst)}`)
  }
  const known = newestFirst.find(({ run }) => run === named)
  const read = known ?? (await readReceipt(resolve(host.directory, named)).catch(() => undefined))
  if (read) return read
  const latest = newestFirst.find(({ target }) => isMeant(target))
  const hint = latest ? `; the latest run is "${latest.run}"` : ''
  throw new CommandError(`"${named}" is no receipt${hint}`)
}

/** Whether a place fits what flags and environment variables say of it, as far as they say anything. */
export function fitsPlace(host: Host, flags: SessionFlags): (target: Target) => boolean {
  const env = flags.sandbox ? {} : host.env
  const { baseUrl, project, organization } = settleSettings(flags, env, {}, { file: '' })
  return target => {
    if (flags.sandbox) return isSandbox(target) && (!project || project.value === target.projectId)
    return (
      (!baseUrl || isSameSetting('baseUrl', baseUrl.value, target.baseUrl)) &&
      (!project || isSameSetting('project', project.value, target.projectId ?? '')) &&
      (!organization || isSameSetting('organization', organization.value, target.organizationId ?? ''))
    )
  }
}

function elsewhere(newestFirst: readonly Receipt[]): string {
  const changed = newestFirst.find(({ entries }) => entries.some(hasWritten))
  if (!changed) return ' has changed anything'
  const { target, run } = changed
  const place = targetText({ ...target, baseUrl: shownValue('baseUrl', target.baseUrl) })
  return ` has changed anything in the place that is meant; the latest that did is "${run}", for ${place}`
}
