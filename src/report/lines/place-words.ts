import type { PlanMeta } from '../../core/record/plan-file.ts'
import { targetText } from '../../core/target.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { ReportPlace } from './report.ts'

/** The commit that something was made at, for people: `at 0123456789ab with local changes`; empty without one. */
export function atCommit({ commit, dirty = false }: Pick<PlanMeta, 'commit' | 'dirty'>): string {
  if (commit === undefined) return ''
  return `at ${escapeText(commit.slice(0, 12))}${dirty ? ' with local changes' : ''}`
}

/** When a plan was made: `made 2026-11-21 02:00:00 UTC`; empty where that is not known or goes without saying. */
export function madeText({ createdAt }: Pick<PlanMeta, 'createdAt'>): string {
  return createdAt === undefined ? '' : `made ${timeLine(createdAt)}`
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
export function placeLine({ target, environment }: Pick<PlanMeta, 'target' | 'environment'>): string {
  const place = escapeText(targetText(target))
  return environment === undefined ? place : `${escapeText(environment)} (${place})`
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
