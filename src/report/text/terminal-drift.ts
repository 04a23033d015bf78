import { type Blocked, byAddress, type Change, type Plan } from '../../core/change.ts'
import { isDifference } from '../../core/plan/drift.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { counted, nameOf } from '../object-names.ts'
import type { Style } from './style.ts'
import type { PlanTextOptions } from './terminal-plan.ts'
import { placeLine, titled } from './title-line.ts'

/**
 * What is live and not as declared. Where a record tells how the last apply left an object, a difference that came
 * from the service is told apart from one that the declarations brought.
 */
export function driftText(plan: Plan, { meta, style }: Pick<PlanTextOptions, 'meta' | 'style'>): string {
  const where = placeLine(meta)
  const changedLive = new Set(
    plan.drift.filter(({ reason }) => reason !== 'undeclared').map(({ address }) => address),
  )
  const differing = [...plan.changes, ...plan.blocked.filter(isDifference)].sort(byAddress)
  const undeclared = plan.drift.filter(({ reason }) => reason === 'undeclared')
  const reverted = plan.drift.filter(
    ({ address, reason }) => reason !== 'undeclared' && !differing.some(each => each.address === address),
  )
  if (differing.length + undeclared.length + reverted.length === 0) {
    const verdict = `${where} is as declared, ${counted(plan.unchanged.length, 'object')} looked at`
    return `${[`${style.bold('No drift')}: ${verdict}`, ...asideLines(plan, style)].join('\n')}\n`
  }
  const lines = [
    `${style.bold('Drift')}: ${where}`,
    '',
    ...differing.flatMap(each => [
      titled('=', nameOf(each), each.source, style),
      `      ${style.dim(whyOf(each, changedLive))}`,
      ...each.summary.map(word => `      ${escapeText(word)}`),
    ]),
    ...[...reverted, ...undeclared].flatMap(each => [
      titled('=', nameOf(each), each.source, style),
      ...each.summary.map(word => `      ${escapeText(word)}`),
    ]),
    ...asideLines(plan, style),
    '',
    `${counted(differing.length + reverted.length + undeclared.length, 'object')} not as declared, ${plan.unchanged.length} as declared`,
  ]
  return `${lines.join('\n')}\n`
}

/** What the service has no place for, or does not show: not drift, and not to be passed over either. */
function asideLines({ blocked }: Plan, style: Style): string[] {
  const aside = blocked.filter(held => !isDifference(held))
  if (aside.length === 0) return []
  const lines = aside.flatMap(held => [
    titled('!', nameOf(held), held.source, style),
    `      ${escapeText(held.reason)}`,
  ])
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
  const origin = changedLive.has(address)
    ? 'changed in the service since the last apply'
    : 'live differs from the declaration'
  return `${origin}; what an apply would do:`
}
