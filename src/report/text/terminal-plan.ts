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
import { hasConflict, leavesOut } from '../../core/live-edits/live-edit-counts.ts'
import { type PlanMeta, totalsOf } from '../../core/record/plan-file.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { PlanDocument, ShownPlan } from '../document.ts'
import { counted, countedByKind, listed, nameOf, signs } from '../object-names.ts'
import { blockedAlike } from './alike.ts'
import type { Style } from './style.ts'
import { leftOutLiveEditSections, liveEditParts, sentLiveEditSections } from './terminal-live-edits.ts'
import { atCommit, madeText, placeLine, serviceText, titled } from './title-line.ts'
import { howToList, together } from './together.ts'

export interface PlanTextOptions extends Pick<PlanDocument, 'meta' | 'deed' | 'next' | 'showsUnchanged'> {
  readonly style: Style
  /** Tells each object by itself, also where many are alike. */
  readonly isVerbose?: boolean
}

type Manner = Pick<PlanTextOptions, 'style' | 'isVerbose'>

/**
 * A plan for people. The first line says whether it is safe; then come the changes, the riskiest first, in words and
 * with the line they come from; what is going to be lost of the product stands before them; what is blocked, what is held
 * and what drifted stand apart; counts and the next command are last.
 *
 * | alike                                                  | told                       |
 * |--------------------------------------------------------|----------------------------|
 * | claims that add the same tag and were not blocked      | together, after the others |
 * | flags that change alike in the properties of audiences | together, after the others |
 * | what carries the ownership tag and is declared nowhere | together, after the others |
 * | what is blocked because something cannot be read       | together                   |
 * | everything else: it may do something to people         | one by one                 |
 */
export function planText(plan: ShownPlan, options: PlanTextOptions): string {
  const { style } = options
  const sections = [
    [headline(plan, options), ...alertLines(plan.changes, style)].join('\n'),
    inventoryLine(plan.inventory ?? {}, options),
    ...sentLiveEditSections(plan, { style, now: options.meta.now }),
    ...[...risks].reverse().map(risk => riskSection(plan.changes, risk, options)),
    blockedSection(plan.blocked, options),
    ...leftOutLiveEditSections(plan, { style, now: options.meta.now }),
    driftSection(plan.drift, options),
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
    return `${style.bold(`No changes${leftOutWords(plan)}`)}: ${where}${tail}`
  }
  const risk = highestRisk(plan.changes)
  return `${style.bold(`${painted(risk.toUpperCase(), risk, style)} risk`)}: ${deed === undefined ? 'plan for ' : ''}${where}${tail}`
}

/** What keeps a plan without changes from meaning that all is as declared. */
function leftOutWords({ blocked, liveEdits }: ShownPlan): string {
  const left = [
    ...(blocked.length > 0 || hasConflict(liveEdits) ? ['blocked'] : []),
    ...(leavesOut(liveEdits.filter(edit => !hasConflict([edit]))) ? ['held'] : []),
  ]
  return left.length === 0 ? '' : `, but some things are ${left.join(' or ')}`
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

function riskSection(changes: readonly Change[], risk: Risk, { style, isVerbose }: Manner): string {
  const ofRisk = changes.filter(change => change.risk === risk).sort(byAddress)
  if (ofRisk.length === 0) return ''
  const title = painted(`${risk.toUpperCase()} RISK`, risk, style)
  const { single, groups } = together(ofRisk, { keyOf: claimed, isVerbose })
  const others = together(single, { keyOf: changedAlike, isVerbose })
  const lines = [
    ...others.single.flatMap(change => changeLines(change, style)),
    ...others.groups.flatMap(group => audienceLines(group, style)),
    ...groups.map(group => claimsLine(group, style)),
  ]
  return [style.bold(title), ...lines].join('\n')
}

/** What a change does, where it is a claim and nobody had to allow it. */
export function claimed({ action, summary, allowed }: Change): string | undefined {
  return action === 'claim' && allowed.length === 0 ? summary.join(', ') : undefined
}

/** What a change does, where that is to the people of audiences, and nobody had to allow it. */
function changedAlike({ action, summary, audiences = [], allowed, alert }: Change): string | undefined {
  if (action !== 'update' || audiences.length === 0 || allowed.length > 0) return undefined
  return JSON.stringify([audiences, summary.map(withoutNumber), alert])
}

/** Flags may have the same condition at different places. */
function withoutNumber(line: string): string {
  return line.replace(/^condition \d+/, 'condition')
}

function audienceLines(changes: readonly Change[], style: Style): string[] {
  const [{ audiences = [], summary } = { summary: [] }] = changes
  const names = `${audiences.length === 1 ? 'audience' : 'audiences'} ${audiences.join(' and ')}`
  const title = `${escapeText(names)}: ${countedByKind(changes)} change alike`
  return [
    `  ${style.good(signs.update)} ${title}  ${style.dim(howToList)}`,
    ...summary.map(line => `      ${escapeText(withoutNumber(line))}`),
    `      ${style.dim(listed(changes.map(nameOf)))}`,
  ]
}

function claimsLine(claims: readonly Change[], style: Style): string {
  const [what = ''] = claims.flatMap(claim => claimed(claim) ?? [])
  const words = `claims ${countedByKind(claims)}: ${escapeText(what)}, and nothing else changes`
  return `  ${style.good(signs.claim)} ${words}  ${style.dim(howToList)}`
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

function blockedSection(blocked: readonly Blocked[], { style, isVerbose }: Manner): string {
  if (blocked.length === 0) return ''
  const { single, alike } = blockedAlike(blocked, { isVerbose })
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
export function leftOutText(blocked: readonly Blocked[], { style, isVerbose }: Manner): string {
  const { single, alike } = blockedAlike(blocked, { isVerbose })
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

function driftSection(drift: readonly Drift[], manner: Manner): string {
  if (drift.length === 0) return ''
  const title = manner.style.bold('DRIFT (changed outside the declarations)')
  return [title, ...driftLines([...drift].sort(byAddress), manner)].join('\n')
}

/** What drifted, in this order; what is declared nowhere comes last, together. */
export function driftLines(drift: readonly Drift[], { style, isVerbose }: Manner): string[] {
  const keyOf = ({ reason, summary }: Drift) => (reason === 'undeclared' ? summary.join(', ') : undefined)
  const { single, groups } = together(drift, { keyOf, isVerbose })
  return [
    ...single.flatMap(({ summary, ...drifted }) => [
      titled('=', nameOf(drifted), drifted.source, style),
      ...summary.map(line => `      ${escapeText(line)}`),
    ]),
    ...groups.map(group => {
      const [what = ''] = group.flatMap(drifted => keyOf(drifted) ?? [])
      return `  = ${countedByKind(group)}: each ${escapeText(what)}  ${style.dim(howToList)}`
    }),
  ]
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
    ...liveEditParts(plan.liveEdits),
    ...(drift > 0 ? [`${drift} drifted`] : []),
    `${unchanged - absent} unchanged`,
    ...(absent > 0 ? [`${absent} already absent`] : []),
  ]
  const risk = highestRisk(plan.changes)
  const verdict = plan.changes.length === 0 ? '' : `Highest risk: ${painted(risk, risk, style)}. `
  return [
    parts.join(', '),
    ...undeclaredLine(plan),
    ...alertLines(plan.changes, style),
    ...(next === undefined ? [] : [`${verdict}Next: ${next}`]),
  ].join('\n')
}

/** Whatever becomes of them: who sees the number grow looks for a file that is missing. */
function undeclaredLine({ taggedUndeclared: count = 0 }: ShownPlan): string[] {
  if (count === 0) return []
  const words =
    count === 1 ? 'carries the tag and is declared nowhere' : 'carry the tag and are declared nowhere'
  return [`${counted(count, 'object')} ${words}`]
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
