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

/** The commit that something was made at, for people: `at 0123456789ab with local changes`; empty without one. */
export function atCommit({ commit, dirty = false }: Pick<PlanMeta, 'commit' | 'dirty'>): string {
  if (commit === undefined) return ''
  return `at ${escapeText(commit.slice(0, 12))}${dirty ? ' with local changes' : ''}`
}

/** The commit in its parts, for a form that shows its number apart: ` with local changes`, or nothing. */
export function commitParts({ commit, dirty = false }: Pick<PlanMeta, 'commit' | 'dirty'>) {
  return commit === undefined
    ? undefined
    : { short: commit.slice(0, 12), remark: dirty ? ' with local changes' : '' }
}

/** The origin of a report, unless its title shows it. It influences no decision. */
export function madeLines({ headline, reading = [] }: Pick<Report, 'headline' | 'reading'>): string[] {
  return [...reading, ...(headline?.parts?.faint ?? [])]
}

/** When a plan was made: `made 2026-11-21 02:00:00 UTC`; empty if that is unknown or obvious. */
export function madeText({ createdAt }: Pick<PlanMeta, 'createdAt'>): string {
  return createdAt === undefined ? '' : `made ${timeLine(createdAt)}`
}

/**
 * The base of live edits: `measured from run 20261121T020000123Z-1f2e3d4c at 0123456789ab, 2 days ago`;
 * nothing if there is no record.
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

/** What hindered a plan, or hid who changed what. */
export function asidesOf({ notes = [] }: Pick<Heading, 'notes'>): string[] {
  return notes.map(escapeText)
}

/** `2026-11-21 02:00:00 UTC`. */
export function timeLine(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The service, if no setting names it: `the service answers as ... (profile documented)`. */
export function serviceLines({ target: { profile, known } }: Pick<PlanMeta, 'target'>): string[] {
  const one = profileNamed(profile)
  const service = one === undefined ? `profile ${profile}` : `${facts[one].title} (profile ${one})`
  switch (known) {
    case 'recognized':
      return [`the service answers as ${service}`]
    case 'assumed':
      return [`the service is taken for ${service} until an answer tells`]
    default:
      return []
  }
}

/**
 * What a headline is about: `plan for production (project 1, https://app.example.com), commit 0123456789ab`,
 * or, if it is no plan of the declarations, `undo in production (...)`.
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

/** The same in its parts, for a form that has a title of its own. */
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

/** What a plan is about: `production (project 1, https://app.example.com)`. */
export function placeLine({
  target,
  environment,
  name,
}: Pick<Heading, 'target' | 'environment' | 'name'>): string {
  if (name !== undefined) return escapeText(name)
  const place = placeParts(target).join(', ')
  return environment === undefined ? place : `${escapeText(environment)} (${place})`
}

/** The same in parts, without the environment: the project or the organization, and who answers. */
function placeParts(target: Target): string[] {
  const text = escapeText(targetText(target))
  if (!isSandbox(target)) return [text]
  return [text.slice(0, text.lastIndexOf(',')), 'the sandbox of this folder, in place of the service']
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

/** How many objects get the ownership tag with their change, which their lines omit; nothing if none does. */
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
