import type { PlanMeta } from '../../core/record/plan-file.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { Heading } from '../document.ts'
import { counted } from '../object-names.ts'
import type { Report, ReportPlace } from './report.ts'

/** The commit that something was made at, for people: `at 0123456789ab with local changes`; empty without one. */
export function atCommit({ commit, dirty = false }: Pick<PlanMeta, 'commit' | 'dirty'>): string {
  if (commit === undefined) return ''
  return `at ${escapeText(commit.slice(0, 12))}${dirty ? ' with local changes' : ''}`
}

/** The commit in its parts, for a form that sets its number apart: ` with local changes`, or nothing. */
export function commitParts({ commit, dirty = false }: ReportPlace) {
  return commit === undefined
    ? undefined
    : { short: commit.slice(0, 12), remark: dirty ? ' with local changes' : '' }
}

/** How a report came about, where its title does not say it: nobody decides by it. */
export function madeLines({ headline, reading = [] }: Pick<Report, 'headline' | 'reading'>): string[] {
  return [...reading, ...(headline?.parts?.faint ?? [])]
}

/** When a plan was made: `made 2026-11-21 02:00:00 UTC`; empty where that is not known or goes without saying. */
export function madeText({ createdAt }: Pick<PlanMeta, 'createdAt'>): string {
  return createdAt === undefined ? '' : `made ${timeLine(createdAt)}`
}

/**
 * What live edits are measured from: `measured from run 20261121T020000123Z-1f2e3d4c at 0123456789ab, 2 days ago`; nothing
 * where nothing is on record.
 */
export function measuredLines({ base, measured, now }: Pick<Heading, 'base' | 'measured' | 'now'>): string[] {
  if (base === 'none') return ['measured from nothing: what is declared and what is live are compared']
  if (base !== undefined) return [`measured from what is declared ${atCommit({ commit: base })}`]
  if (!measured) return []
  const { run, at, revision = {}, earlier = 0 } = measured
  const when = now === undefined ? `of ${timeLine(at)}` : `${durationText(now - at)} ago`
  const words = [`run ${escapeText(run)}`, atCommit(revision)].filter(word => word !== '').join(' ')
  const others = earlier === 0 ? '' : `; ${counted(earlier, 'object')} from earlier runs`
  return [`measured from ${words}, ${when}${others}`]
}

/** What stood in the way of a plan, and of telling who changed what. */
export function asidesOf({ notes = [] }: Pick<Heading, 'notes'>): string[] {
  return notes.map(escapeText)
}

/** `2026-11-21 02:00:00 UTC`. */
export function timeLine(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Which service answers, where no setting says it: `, found to be posthog-2026`. */
export function serviceText({ target: { profile, known } }: Pick<PlanMeta, 'target'>): string {
  switch (known) {
    case 'recognized':
      return `, found to be ${profile}`
    case 'assumed':
      return `, taken for ${profile} until an answer tells`
    default:
      return ''
  }
}

/** What a plan is about: `production (project 1, https://app.example.com)`. */
export function placeLine({
  target,
  environment,
  name,
}: Pick<Heading, 'target' | 'environment' | 'name'>): string {
  if (name !== undefined) return escapeText(name)
  const place = escapeText(targetText(target))
  return environment === undefined ? place : `${escapeText(environment)} (${place})`
}

/** The same in parts, without the environment: the project or the organization, and who answers. */
export function placeParts(target: Target): string[] {
  const text = escapeText(targetText(target))
  if (!isSandbox(target)) return [text]
  return [text.slice(0, text.lastIndexOf(',')), 'the sandbox of this folder']
}

/** The same for those who keep reports apart. */
export function reportPlace({ target, environment, commit, dirty }: Partial<PlanMeta>): ReportPlace {
  return {
    ...(environment === undefined ? {} : { environment: escapeText(environment) }),
    ...(target === undefined ? {} : { target: escapeText(targetText(target)) }),
    ...(commit === undefined ? {} : { commit: escapeText(commit) }),
    ...(dirty === undefined ? {} : { dirty }),
  }
}
