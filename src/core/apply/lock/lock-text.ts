import { basename } from 'node:path'
import { durationText } from '../../../model/text/duration-text.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import type { LockOwner, OwnerState, RefusedLock } from './lock.ts'

/** Why a command that writes does not begin, and what to do. */
export function refusedText({ place, owner, state }: RefusedLock, nowMs: number): string {
  const remedy = `\`vexil unlock ${basename(place)}\` removes it`
  if (!owner) {
    return `the lock "${place}" does not say whose it is (cut off, or of another version); when nothing is being written there, ${remedy}`
  }
  const held = `${ownerText(owner, nowMs)} holds the lock "${place}"`
  return `refusing to write: ${held}; ${remedies[state](remedy)}`
}

/** `ada on laptop (vexil apply to production, process 4711, for 3 minutes, since 2026-11-21T02:00:00.000Z)` */
export function ownerText(owner: LockOwner, nowMs: number): string {
  const { user, host, command, environment, pid, since } = owner
  const where = environment === undefined ? '' : ` in ${escapeText(environment)}`
  const what = `vexil ${escapeText(command)}${where}`
  return `${escapeText(user)} on ${escapeText(host)} (${what}, process ${pid}, ${ageText(since, nowMs)})`
}

/** The times are those of two clocks. */
function ageText(sinceMs: number, nowMs: number): string {
  const since = `since ${new Date(sinceMs).toISOString()}`
  return sinceMs > nowMs
    ? `${since} by a clock ahead of this one`
    : `for ${durationText(nowMs - sinceMs)}, ${since}`
}

const remedies: Readonly<Record<OwnerState, (remedy: string) => string>> = {
  running: () => 'wait until that is done',
  dead: remedy => remedy,
  unknown: remedy => `wait until that is done; when that process is no more, ${remedy}`,
}
