import type { Change } from '../../core/change.ts'
import { getsOwnershipTag } from '../../core/ownership.ts'
import type { PlanMeta } from '../../core/record/plan-file.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import { declarableKind } from '../../kinds/index.ts'
import { profileNamed } from '../../model/connection.ts'
import { durationText, escapeText } from '../../model/text/printable.ts'
import { facts } from '../../services/facts.ts'
import type { Heading } from '../document.ts'
import { counted } from '../line-text.ts'
import type { HeadlineParts, Report, ReportPlace } from './report.ts'

/** The commit of something, for people: `at 0123456789ab with local changes`; empty without a commit. */
export function atCommit({ commit, dirty = false }: Pick<PlanMeta, 'commit' | 'dirty'>): string {
  if (commit === undefined) return ''
  return `at ${escapeText(commit.slice(0, 12))}${dirty ? ' with local changes' : ''}`
}

/** The commit in two parts: its number, and ` with local changes` or nothing. */
export function commitParts({ commit, dirty = false }: Pick<PlanMeta, 'commit' | 'dirty'>) {
  return commit === undefined
    ? undefined
    : { short: commit.slice(0, 12), remark: dirty ? ' with local changes' : '' }
}

/** The origin of a report, unless the title shows it. No decision depends on it. */
export function madeLines({ headline, reading = [] }: Pick<Report, 'headline' | 'reading'>): string[] {
  return [...reading, ...(headline?.parts?.faint ?? [])]
}

/** When a plan was made: `made 2026-11-21 02:00:00 UTC`; empty if unknown or obvious. */
export function madeText({ createdAt }: Pick<PlanMeta, 'createdAt'>): string {
  return createdAt === undefined ? '' : `made ${timeLine(createdAt)}`
}

/** `measured from run 20261121T020000123Z-1f2e3d4c at 0123456789ab, 2 days ago`; empty without a record. */
export function measuredLines({ base, measured, now }: Pick<Heading, 'base' | 'measured' | 'now'>): string[] {
  if (base === 'none')
    return ['measured without a base: the declared values are compared with the live values']
  if (base !== undefined) return [`measured from the declarations ${atCommit({ commit: base })}`]
  if (!measured) return []
  const { run, at, revision = {}, earlier = 0 } = measured
  const when = now === undefined ? `of ${timeLine(at)}` : `${durationText(now - at)} ago`
  const words = [`run ${escapeText(run)}`, atCommit(revision)].filter(word => word !== '').join(' ')
  const others = earlier === 0 ? '' : `; ${counted(earlier, 'object')} from earlier runs`
  return [`measured from ${words}, ${when}${others}`]
}

/** Why parts of a plan, or authors of changes, are unknown. */
export function asidesOf({ notes = [] }: Pick<Heading, 'notes'>): string[] {
  return notes.map(escapeText)
}

/** `2026-11-21 02:00:00 UTC`. */
export function timeLine(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The API profile, if no setting names it: `API profile: documented (...)`. */
export function serviceLines({ target: { profile, known } }: Pick<PlanMeta, 'target'>): string[] {
  const one = profileNamed(profile)
  const service = one === undefined ? profile : `${one} (${facts[one].title})`
  switch (known) {
    case 'recognized':
      return [`API profile: ${service}`]
    case 'assumed':
      return [`API profile: ${service}, assumed until an answer shows it`]
    default:
      return []
  }
}

/**
 * The target of a headline: `plan for production (project 1, https://app.example.com), commit 0123456789ab`.
 * If the plan does not come from the declarations: `undo in production (...)`.
 */
export function aboutText(meta: About, deed?: string): string {
  const { createdAt } = meta
  const commit = commitParts(meta)
  return [
    `${deedText(deed)} ${placeLine(meta)}`,
    ...(commit ? [`commit ${escapeText(commit.short)}${commit.remark}`] : []),
    ...(createdAt === undefined ? [] : [madeText(meta)]),
  ].join(', ')
}

export function headlineParts(meta: About, deed?: string): HeadlineParts {
  const name = meta.name ?? meta.environment
  const words = deedText(deed)
  const what = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
  return {
    what: name ? what : what.replace(/ \w+$/, ''),
    ...(name ? { name: escapeText(name) } : {}),
    place: meta.name === undefined ? placeParts(meta.target) : [],
    faint: [madeText(meta)].filter(Boolean),
  }
}

type About = Pick<Heading, 'target' | 'environment' | 'name' | 'commit' | 'dirty' | 'createdAt'>

function deedText(deed: string | undefined): string {
  return deed === undefined ? 'plan for' : `${escapeText(deed)} in`
}

/** The target of a plan: `production (project 1, https://app.example.com)`. */
export function placeLine({
  target,
  environment,
  name,
}: Pick<Heading, 'target' | 'environment' | 'name'>): string {
  if (name !== undefined) return escapeText(name)
  const place = placeParts(target).join(', ')
  return environment === undefined ? place : `${escapeText(environment)} (${place})`
}

/** The target in parts, without the environment: the project or organization, and the address. */
function placeParts(target: Target): string[] {
  const text = escapeText(targetText(target))
  if (!isSandbox(target)) return [text]
  return [text.slice(0, text.lastIndexOf(',')), 'the sandbox of this folder instead of the service']
}

/** The target, for programs that keep reports apart. */
export function reportPlace({ target, environment, commit, dirty }: Partial<PlanMeta>): ReportPlace {
  return {
    ...(environment === undefined ? {} : { environment: escapeText(environment) }),
    ...(target === undefined ? {} : { target: escapeText(targetText(target)) }),
    ...(commit === undefined ? {} : { commit: escapeText(commit) }),
    ...(dirty === undefined ? {} : { dirty }),
  }
}

/** How many changes also add the ownership tag, which their lines do not mention; empty if none does. */
export function ownershipLine(changes: readonly Change[], tag: string | undefined): string[] {
  if (tag === undefined) return []
  const { length } = changes.filter(
    ({ kind, action, before, after }) =>
      action !== 'delete' && getsOwnershipTag(declarableKind(kind), before, after, tag),
  )
  if (length === 0) return []
  return [
    `${counted(length, 'object')} ${length === 1 ? 'gets' : 'get'} the ownership tag ${escapeText(tag)}`,
  ]
}
