import type { Change, Drift, Plan } from '../core/change.ts'
import { targetText } from '../core/target.ts'
import { escapeText } from './escape.ts'
import { counted, nameOf, placeOf } from './names.ts'
import type { PlanTextOptions } from './terminal-plan.ts'

/**
 * What is live and not as declared. Where a receipt tells how the last apply left an object, a difference that came
 * from the service is told apart from one that the declarations brought.
 */
export function driftText(plan: Plan, { meta, style }: Pick<PlanTextOptions, 'meta' | 'style'>): string {
  const place = escapeText(targetText(meta.target))
  const where = meta.environment === undefined ? place : `${escapeText(meta.environment)} (${place})`
  const changedLive = new Set(
    plan.drift.filter(({ reason }) => reason !== 'undeclared').map(({ address }) => address),
  )
  const differing = [...plan.changes, ...plan.withheld].sort((left, right) =>
    left.address < right.address ? -1 : 1,
  )
  const undeclared = plan.drift.filter(({ reason }) => reason === 'undeclared')
  const reverted = plan.drift.filter(
    ({ address, reason }) => reason !== 'undeclared' && !differing.some(each => each.address === address),
  )
  if (differing.length + undeclared.length + reverted.length === 0) {
    return `${style.bold('No drift')}: ${where} is as declared, ${counted(plan.unchanged.length, 'object')} looked at\n`
  }
  const lines = [
    `${style.bold('Drift')}: ${where}`,
    '',
    ...differing.flatMap(each => [
      titleOf(each, style.dim(placeOf(each.source))),
      `      ${style.dim(originOf(each, changedLive))}`,
      ...each.words.map(word => `      ${escapeText(word)}`),
    ]),
    ...[...reverted, ...undeclared].flatMap(each => [
      titleOf(each, style.dim(placeOf(each.source))),
      ...each.words.map(word => `      ${escapeText(word)}`),
    ]),
    '',
    `${counted(differing.length + reverted.length + undeclared.length, 'object')} not as declared, ${plan.unchanged.length} as declared`,
  ]
  return `${lines.join('\n')}\n`
}

function titleOf(each: Pick<Drift, 'address' | 'kind'>, place: string): string {
  return `  = ${nameOf(each).padEnd(48)}  ${place}`.trimEnd()
}

function originOf(
  { address, action }: Pick<Change, 'address' | 'action'>,
  changedLive: ReadonlySet<string>,
): string {
  if (action === 'create') return 'declared, and not live'
  const origin = changedLive.has(address)
    ? 'changed in the service since the last apply'
    : 'live differs from the declaration'
  return `${origin}; an apply would`
}
