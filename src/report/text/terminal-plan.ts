import {
  type Blocked,
  byAddress,
  type Change,
  type Drift,
  highestRisk,
  type Plan,
  type Risk,
  risks,
} from '../../core/change.ts'
import { type PlanMeta, totalsOf } from '../../core/record/plan-file.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { PlanDocument, ShownPlan } from '../document.ts'
import { counted, nameOf, signs } from '../object-names.ts'
import { blockedAlike } from './alike.ts'
import type { Style } from './style.ts'
import { atCommit, madeText, placeLine, serviceText, titled } from './title-line.ts'

export interface PlanTextOptions extends Pick<PlanDocument, 'meta' | 'deed' | 'next' | 'showsUnchanged'> {
  readonly style: Style
}

/**
 * A plan for people. The first line says whether it is safe; then come the changes, the riskiest first, in words and
 * with the line they come from; what is blocked and what drifted stand apart; counts and the next command are last.
 */
export function planText(plan: ShownPlan, options: PlanTextOptions): string {
  const { style } = options
  const sections = [
    [headline(plan, options), ...alertLines(plan.changes, style)].join('\n'),
    inventoryLine(plan.inventory ?? {}, options),
    ...[...risks].reverse().map(risk => riskSection(plan.changes, risk, style)),
    blockedSection(plan.blocked, style),
    driftSection(plan.drift, style),
    options.showsUnchanged ? unchangedSection(plan, style) : '',
    summaryLines(plan, options.next, style),
  ]
  return `${sections.filter(section => section !== '').join('\n\n')}\n`
}

/** What an apply says of a saved plan before it carries it out; nothing of one that does not say when it was made. */
export function planOriginText(meta: PlanMeta, style: Style): string {
  const origin = [madeText(meta), atCommit(meta)].filter(words => words !== '').join(' ')
  return origin === '' ? '' : `${style.dim(`saved plan for ${placeLine(meta)} ${origin}`)}\n`
}

function headline(plan: ShownPlan, { meta, style, deed }: PlanTextOptions): string {
  const named = `${placeLine(meta)}${serviceText(meta)}`
  const where = deed === undefined ? named : `${escapeText(deed)} in ${named}`
  const origin = [madeText(meta), atCommit(meta)].filter(words => words !== '').join(' ')
  const tail = origin === '' ? '' : `  ${origin}`
  if (plan.changes.length === 0) {
    const held = plan.blocked.length > 0 ? ', but some things are blocked' : ''
    return `${style.bold(`No changes${held}`)}: ${where}${tail}`
  }
  const risk = highestRisk(plan.changes)
  return `${style.bold(`${painted(risk.toUpperCase(), risk, style)} risk`)}: ${deed === undefined ? 'plan for ' : ''}${where}${tail}`
}

/** What nobody may overlook stands above everything else, and once more beside the question at the end. */
function alertLines(changes: readonly Change[], style: Style): string[] {
  return alertsOf(changes).map(alert => `  ${style.bad(style.bold(`!! ${alert}`))}`)
}

function inventoryLine(inventory: Plan['inventory'], { meta, style }: PlanTextOptions): string {
  const lines = Object.entries(inventory).map(([kind, { seen, count, complete }]) => {
    const of = count === null ? '' : ` of ${count}`
    return `${kind} ${seen}${of}${complete ? '' : ' (not read whole)'}`
  })
  const cost = meta.requests === undefined ? '' : `, in ${counted(meta.requests, 'request')}`
  return lines.length === 0 ? '' : style.dim(`read: ${lines.join(', ')}${cost}`)
}

function riskSection(changes: readonly Change[], risk: Risk, style: Style): string {
  const ofRisk = changes.filter(change => change.risk === risk).sort(byAddress)
  if (ofRisk.length === 0) return ''
  const title = painted(`${risk.toUpperCase()} RISK`, risk, style)
  return [style.bold(title), ...ofRisk.flatMap(change => changeLines(change, style))].join('\n')
}

function changeLines(change: Change, style: Style): string[] {
  const sign = change.action === 'delete' ? style.bad(signs.delete) : style.good(signs[change.action])
  const label = change.label === undefined ? '' : ` role ${escapeText(change.label)}`
  const name = change.parent ? `grant ${escapeText(change.parent.identity)}${label}` : nameOf(change)
  const allowed = change.allowed.length > 0 ? [`allowed: ${change.allowed.join(', ')}`] : []
  const lines = [...actionText(change), ...change.summary, ...allowed]
  return [titled(sign, name, change.source, style), ...lines.map(line => `      ${escapeText(line)}`)]
}

function actionText({ action }: Change): string[] {
  return action === 'claim' ? ['gets the ownership tag; nothing else changes'] : []
}

function blockedSection(blocked: readonly Blocked[], style: Style): string {
  if (blocked.length === 0) return ''
  const { single, alike } = blockedAlike(blocked)
  const lines = [
    ...single.flatMap(held => [
      titled(
        style.caution('!'),
        `${nameOf(held)}  ${style.dim(`${held.action} blocked by ${held.rule}`)}`,
        held.source,
        style,
      ),
      `      ${escapeText(held.reason)}`,
      ...held.summary.map((word, at) => `      ${at === 0 ? 'would: ' : '       '}${escapeText(word)}`),
      `      ${style.dim(`to go on: ${escapeText(held.remedy)}`)}`,
    ]),
    ...alike.flatMap(({ count, rule, reason, remedy, names }) => [
      `  ${style.caution('!')} ${count} objects  ${style.dim(`blocked by ${rule}`)}`,
      `      ${escapeText(reason)}`,
      `      ${style.dim(names)}`,
      `      ${style.dim(`to go on: ${escapeText(remedy)}`)}`,
    ]),
  ]
  return [style.bold('BLOCKED (not applied)'), ...lines].join('\n')
}

/** What was left out, once more beside what was done: two lines each, why and how to go on. */
export function leftOutText(blocked: readonly Blocked[], style: Style): string {
  const { single, alike } = blockedAlike(blocked)
  const sign = style.caution('!')
  const dim = (words: string) => `      ${style.dim(words)}\n`
  const lines = [
    ...single.map(held => {
      const why = `${held.action} blocked by ${held.rule}: ${escapeText(held.reason)}`
      return `  ${sign} ${nameOf(held)} left out: ${why}\n${dim(`to go on: ${escapeText(held.remedy)}`)}`
    }),
    ...alike.map(({ count, rule, reason, remedy, names }) => {
      const why = `${count} objects left out: blocked by ${rule}: ${escapeText(reason)}`
      return `  ${sign} ${why}\n${dim(names)}${dim(`to go on: ${escapeText(remedy)}`)}`
    }),
  ]
  return lines.join('')
}

function driftSection(drift: readonly Drift[], style: Style): string {
  if (drift.length === 0) return ''
  const lines = [...drift]
    .sort(byAddress)
    .flatMap(({ summary, ...drifted }) => [
      titled('=', nameOf(drifted), drifted.source, style),
      ...summary.map(line => `      ${escapeText(line)}`),
    ])
  return [style.bold('DRIFT (changed outside the declarations)'), ...lines].join('\n')
}

function unchangedSection({ unchanged, absent = [] }: ShownPlan, style: Style): string {
  if (unchanged.length === 0) return ''
  const gone = new Set(absent)
  const lines = unchanged.map(
    address => `    ${escapeText(address)}${gone.has(address) ? style.dim('  already absent') : ''}`,
  )
  return [style.bold('UNCHANGED'), ...lines].join('\n')
}

function summaryLines(plan: ShownPlan, next: string | undefined, style: Style): string {
  const { create, update, claim, restore, delete: deleted, blocked, drift, unchanged } = totalsOf(plan)
  const absent = plan.absent?.length ?? 0
  const parts = [
    `${create} to create`,
    `${update} to change`,
    ...(claim > 0 ? [`${claim} to claim`] : []),
    ...(restore > 0 ? [`${restore} to restore`] : []),
    `${deleted} to delete`,
    `${blocked} blocked`,
    ...(drift > 0 ? [`${drift} drifted`] : []),
    `${unchanged - absent} unchanged`,
    ...(absent > 0 ? [`${absent} already absent`] : []),
  ]
  const risk = highestRisk(plan.changes)
  const verdict = plan.changes.length === 0 ? '' : `Highest risk: ${painted(risk, risk, style)}. `
  return [
    parts.join(', '),
    ...alertLines(plan.changes, style),
    ...(next === undefined ? [] : [`${verdict}Next: ${next}`]),
  ].join('\n')
}

function painted(text: string, risk: Risk, style: Style): string {
  switch (risk) {
    case 'low':
      return style.good(text)
    case 'medium':
      return style.caution(text)
    case 'high':
    case 'critical':
      return style.bad(text)
  }
}

/**
 * The widenings of a plan that nobody may overlook, in the words of the plan itself, the largest step first: every
 * form of a plan shows them above anything that could push them out of sight.
 */
function alertsOf(changes: readonly Change[]): string[] {
  return changes
    .flatMap(change =>
      change.alert === undefined
        ? []
        : [{ step: change.exposure?.step ?? 0, text: `${nameOf(change)}  ${escapeText(change.alert)}` }],
    )
    .sort((left, right) => right.step - left.step || compareTexts(left.text, right.text))
    .map(({ text }) => text)
}
