import { type Blocked, byAddress, type Change, type Plan } from '../../core/change.ts'
import { isDifference } from '../../core/plan/drift.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { counted, countedByKind, nameOf } from '../object-names.ts'
import { blockedAlike } from './alike.ts'
import { liveEditSections } from './terminal-live-edits.ts'
import { claimed, driftLines, type PlanTextOptions } from './terminal-plan.ts'
import { placeLine, titled } from './title-line.ts'
import { howToList, together } from './together.ts'

type Manner = Pick<PlanTextOptions, 'meta' | 'style' | 'isVerbose'>

/**
 * What is live and not as declared. Where a record tells how an object was declared when it last converged, a difference
 * that came from the product is told apart from one that the declarations brought. What a plan tells together is told together
 * here too.
 */
export function driftText(plan: Plan, manner: Manner): string {
  const { meta, style, isVerbose } = manner
  const where = placeLine(meta)
  const changedLive = new Set(plan.liveEdits.map(({ address }) => address))
  const differing = [...plan.changes, ...plan.blocked.filter(isDifference)].sort(byAddress)
  const undeclared = plan.drift
  const edited = new Set([...differing.map(({ address }) => address), ...changedLive])
  if (edited.size + undeclared.length === 0) {
    const verdict = `${where} is as declared, ${counted(plan.unchanged.length, 'object')} looked at`
    return `${[`${style.bold('No drift')}: ${verdict}`, ...asideLines(plan, manner)].join('\n')}\n`
  }
  const untagged = (each: Change | Blocked) =>
    'after' in each && !changedLive.has(each.address) ? claimed(each) : undefined
  const { single, groups } = together(differing, { keyOf: untagged, isVerbose })
  const lines = [
    `${style.bold('Drift')}: ${where}`,
    '',
    ...single.flatMap(each => [
      titled('=', nameOf(each), each.source, style),
      `      ${style.dim(whyOf(each, changedLive))}`,
      ...each.summary.map(word => `      ${escapeText(word)}`),
    ]),
    ...groups.map(group => {
      const [what = ''] = group.flatMap(each => untagged(each) ?? [])
      const words = `${countedByKind(group)}: what an apply would do: ${escapeText(what)}, and nothing else`
      return `  = ${words}  ${style.dim(howToList)}`
    }),
    ...driftLines([...undeclared].sort(byAddress), manner),
    ...apart(liveEditSections(plan.liveEdits, style), differing.length + undeclared.length > 0),
    ...asideLines(plan, manner),
    '',
    `${counted(edited.size + undeclared.length, 'object')} not as declared, ${plan.unchanged.length} as declared`,
  ]
  return `${lines.join('\n')}\n`
}

/** Sections with an empty line between them, and one before them where something stands there. */
function apart(sections: readonly string[], hasBefore: boolean): string[] {
  return sections.flatMap((section, at) => (at > 0 || hasBefore ? ['', section] : [section]))
}

/** What the service has no place for, or does not show: not drift, and not to be passed over either. */
function asideLines({ blocked }: Plan, { style, isVerbose }: Manner): string[] {
  const aside = blocked.filter(held => !isDifference(held))
  if (aside.length === 0) return []
  const { single, alike } = blockedAlike(aside, { isVerbose })
  const lines = [
    ...single.flatMap(held => [
      titled('!', nameOf(held), held.source, style),
      `      ${escapeText(held.reason)}`,
    ]),
    ...alike.flatMap(({ count, reason, names }) => [
      `  ! ${count} objects`,
      `      ${escapeText(reason)}`,
      `      ${style.dim(names)}`,
    ]),
  ]
  return ['', style.bold('NOT COMPARED'), ...lines]
}

/** Where nothing can be said of what would be done, why not. */
function whyOf(each: Change | Blocked, changedLive: ReadonlySet<string>): string {
  if ('reason' in each && each.summary.length === 0) return escapeText(each.reason)
  return originOf(each, changedLive)
}

function originOf(
  { address, action }: Pick<Change, 'address' | 'action'>,
  changedLive: ReadonlySet<string>,
): string {
  if (action === 'create') return 'declared, and not live'
  if (action === 'restore') return 'deleted in the service; what an apply would do:'
  const origin = changedLive.has(address) ? 'changed in the product' : 'live differs from the declaration'
  return `${origin}; what an apply would do:`
}
