import { byAddress, type Change, type Risk } from '../../../core/change.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { countedByKind, listed, nameOf, signs } from '../../object-names.ts'
import { aLine, type Item, type Line, type Manner, type Section } from '../report.ts'
import type { FoldedGrants } from './fold-grants.ts'
import { howToList, together } from './together.ts'

/** The changes of one risk; those that are alike come after the others, together. */
export function riskSection({ changes, beside }: Told, risk: Risk, manner: Manner): Section[] {
  const ofRisk = changes.filter(change => change.risk === risk).sort(byAddress)
  if (ofRisk.length === 0) return []
  const { isVerbose } = manner
  const { single, groups } = together(ofRisk, { keyOf: claimed, isVerbose })
  const besideOf = ({ address }: Change) => beside.get(address) ?? []
  const others = together(single, {
    keyOf: change => changedAlike(change, besideOf(change), manner),
    isVerbose,
  })
  const items = [
    ...others.single.map(change => changeItem(change, besideOf(change), manner)),
    ...others.groups.map(group => audienceItem(group, group.slice(0, 1).flatMap(besideOf), manner)),
    ...groups.map(claimsItem),
  ]
  return [{ is: 'changes', title: `${risk.toUpperCase()} RISK`, risk, items }]
}

/** Changes, and what is told with each, by its address. */
type Told = Pick<FoldedGrants, 'changes' | 'beside'>

/** What a change does, where it is a claim and nobody had to allow it. */
export function claimed({ action, summary, allowed }: Change): string | undefined {
  return action === 'claim' && allowed.length === 0 ? summary.join(', ') : undefined
}

/** What a change does, where that is to the people of audiences, and nobody had to allow it. */
function changedAlike(change: Change, beside: readonly Line[], manner: Manner): string | undefined {
  const { action, summary, audiences = [], allowed, alert } = change
  if (action !== 'update' || audiences.length === 0 || allowed.length > 0) return undefined
  const told = beside.map(({ words }) => words)
  return JSON.stringify([audiences, summary.map(withoutNumber), told, alert, riskLines(change, manner)])
}

/** Flags may have the same condition at different places. */
function withoutNumber(line: string): string {
  return line.replace(/^condition \d+/, 'condition')
}

function audienceItem(changes: readonly Change[], beside: readonly Line[], manner: Manner): Item {
  const [first] = changes
  const { audiences = [], summary = [] } = first ?? {}
  const names = `${audiences.length === 1 ? 'audience' : 'audiences'} ${audiences.join(' and ')}`
  return {
    sign: { text: signs.update, tone: 'good' },
    name: `${escapeText(names)}: ${countedByKind(changes)} change alike`,
    remark: howToList,
    lines: [
      ...(first ? riskLines(first, manner) : []),
      ...summary.map(line => aLine('detail', escapeText(withoutNumber(line)))),
      // Each of them is declared elsewhere.
      ...beside.map(({ is, words }) => ({ is, words })),
      aLine('names', listed(changes.map(nameOf))),
    ],
  }
}

function claimsItem(claims: readonly Change[]): Item {
  const [what = ''] = claims.flatMap(claim => claimed(claim) ?? [])
  return {
    sign: { text: signs.claim, tone: 'good' },
    name: `claims ${countedByKind(claims)}: ${escapeText(what)}, and nothing else changes`,
    remark: howToList,
    lines: [],
  }
}

function changeItem(change: Change, beside: readonly Line[], manner: Manner): Item {
  const { action, address, alert, source } = change
  const label = change.label === undefined ? '' : ` role ${escapeText(change.label)}`
  return {
    address,
    sign: { text: signs[action], tone: action === 'delete' ? 'bad' : 'good' },
    name: change.parent ? `grant ${escapeText(change.parent.identity)}${label}` : nameOf(change),
    ...(source && { source }),
    ...(alert === undefined ? {} : { alert: escapeText(alert) }),
    lines: [...riskLines(change, manner), ...changeLines(change), ...beside],
  }
}

/** Why a change has the risk that it has, with the rule; what is no great risk needs no reason at a terminal. */
function riskLines({ risk, riskReasons }: Change, { isForReview = false }: Manner): Line[] {
  if (risk === 'low' || (risk === 'medium' && !isForReview)) return []
  return riskReasons
    .filter(({ level }) => level === risk)
    .map(({ rule, reason }) => aLine('why', `${risk.toUpperCase()}: ${escapeText(reason)} (${rule})`))
}

/** What a change does, in words. */
export function changeLines({ action, summary, allowed }: Change): Line[] {
  const lines = [
    ...(action === 'claim' ? ['gets the ownership tag; nothing else changes'] : []),
    ...summary,
    ...(allowed.length > 0 ? [`allowed: ${allowed.join(', ')}`] : []),
  ]
  return lines.map(line => aLine('detail', escapeText(line)))
}
