import { type Change, type Risk, risks } from '../../../core/change.ts'
import { declarableKind } from '../../../kinds/index.ts'
import type { Json } from '../../../model/json/json.ts'
import { hasTargeting, targetingField } from '../../../model/kind.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { exposureOf, whatIsGot } from '../../../targeting/index.ts'
import { nameOf } from '../../object-names.ts'
import type { Lead, Mention } from '../report.ts'

/**
 * What of a plan a person looks at first: what it does to people and to events, the riskiest first, and among equals in
 * this order. Everything else is told with its change.
 *
 * | effect                                                     | told                |
 * |------------------------------------------------------------|---------------------|
 * | an object that has source files comes, changes or goes     | each                |
 * | a live flag reaches others, or gives others another value  | each, with the step |
 * | a flag that nobody had goes to everyone at 100 % at once   | each                |
 * | people of its tests get something else than before         | each, with how many |
 * | another change of high or critical risk                    | each                |
 * | a role may edit flags that it could not edit until now     | a line for each role |
 */
export function leadsOf(changes: readonly Change[]): readonly Lead[] {
  const found = changes.flatMap(change => {
    const effect = withFlips(effectOf(change), change)
    return effect ? [{ change, ...effect }] : []
  })
  const single = found
    .sort(
      (left, right) =>
        risks.indexOf(right.change.risk) - risks.indexOf(left.change.risk) ||
        left.rank - right.rank ||
        compareTexts(left.change.address, right.change.address),
    )
    .map(({ change, reason }) => ({
      risk: change.risk,
      about: { name: nameOf(change), addresses: [change.address] },
      reason: escapeText(reason),
    }))
  return [...single, ...newEditors(changes)]
}

interface Effect {
  readonly rank: number
  readonly reason: string
}

function effectOf(change: Change): Effect | undefined {
  const kind = declarableKind(change.kind)
  if (kind.lifecycle.parent) return isGreat(change.risk) ? { rank: 3, reason: whyOf(change) } : undefined
  if (kind.lifecycle.files) return { rank: 0, reason: whyOf(change) }
  if (hasTargeting(kind) && change.action === 'update') {
    const found = change.riskReasons.find(({ rule }) => reachRules.has(rule))
    if (found?.rule === 'widened') return { rank: 1, reason: `more people get it: ${found.reason}` }
    if (found) return { rank: 1, reason: found.reason }
  }
  const reached = newToEveryone(change)
  if (reached !== undefined) return { rank: 2, reason: atOnce(reached) }
  return isGreat(change.risk) ? { rank: 3, reason: whyOf(change) } : undefined
}

/** Of something new only what no test expects: before, nobody got it. */
function withFlips(effect: Effect | undefined, { action, flippedTests }: Change): Effect | undefined {
  const { count = 0, unexpected = 0 } = flippedTests ?? {}
  if (count === 0 || (action === 'create' && unexpected === 0)) return effect
  const people = `${count} ${count === 1 ? 'person' : 'people'} of its tests`
  const words = `${people} ${count === 1 ? 'gets' : 'get'} something else than before`
  const unmet =
    unexpected === 0 ? ', as the tests expect' : `, ${unexpected} of them not what the test expects`
  const reason = `${words}${unmet}`
  return effect ? { ...effect, reason: `${effect.reason}; ${reason}` } : { rank: 2, reason }
}

const reachRules: ReadonlySet<string> = new Set([
  'widened',
  'everyone',
  'mixed',
  'narrowed',
  'turned_off',
  'reassigned',
])

function whyOf({ risk, riskReasons, summary }: Change): string {
  return riskReasons.find(({ level }) => level === risk)?.reason ?? summary[0] ?? 'it changes'
}

function isGreat(risk: Risk): boolean {
  return risk === 'critical' || risk === 'high'
}

function atOnce(filters: Json): string {
  const { what, shares } = whatIsGot(filters)
  return `everyone gets ${what} at once${shares === undefined ? '' : ` (${shares})`}, nobody had it until now`
}

/** The filters of a flag that nobody had and that goes to everybody. */
function newToEveryone({ kind: name, action, after, exposure }: Change): Json | undefined {
  const kind = declarableKind(name)
  const targeting = targetingField(kind)
  if (targeting === undefined || (exposure?.after ?? 0) < 100) return undefined
  // Of what comes back only the fields that differ are at hand.
  if (action !== 'create' && !(action === 'restore' && targeting in after)) return undefined
  const filters = after[targeting] ?? null
  return exposureOf({ filters, active: true }).everyone ? filters : undefined
}

function newEditors(changes: readonly Change[]): Lead[] {
  const given = new Map<string, { role: string; what: string; flags: Mention[] }>()
  for (const { action, address, parent, label, identity, summary } of changes) {
    if (!parent || action !== 'create') continue
    const [role, what = ''] = [label ?? identity, summary[0]]
    const key = JSON.stringify([role, what])
    const { flags } = given.get(key) ?? { flags: [] }
    const flag = { name: escapeText(parent.identity), addresses: [address, parent.$ref] }
    given.set(key, { role, what, flags: [...flags, flag] })
  }
  return [...given.values()]
    .sort((left, right) => compareTexts(left.role, right.role) || compareTexts(left.what, right.what))
    .map(({ role, what, flags }) => ({
      risk: 'low',
      about: { name: `role ${escapeText(role)}`, addresses: [] },
      reason: `${escapeText(what)} from now on`,
      objects: flags.sort((left, right) => compareTexts(left.name, right.name)),
    }))
}
