import {
  type Blocked,
  byAddress,
  type Change,
  highestRisk,
  type Plan,
  type Risk,
  risks,
} from '../../core/change.ts'
import { countsOfLiveEdits } from '../../core/live-edits/live-edit.ts'
import { hasDrift, isDifference } from '../../core/plan/found-drift.ts'
import { type SavedPlan, totalsOf } from '../../core/record/plan-file.ts'
import { declarableKind } from '../../kinds/index.ts'
import { hasTargeting, targetingField } from '../../model/kind.ts'
import type { Json } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import { exposureOf, whatIsGot } from '../../targeting/index.ts'
import type { DriftDocument, PlanDocument, ShownPlan } from '../document.ts'
import { counted, countedByKind, nameOf } from '../line-text.ts'
import {
  aboutText,
  asidesOf,
  headlineParts,
  measuredLines,
  ownershipLine,
  placeLine,
  reportPlace,
  serviceLines,
} from './place-words.ts'
import {
  blockedSection,
  claimed,
  driftItems,
  foldGrants,
  groupByKey,
  howToList,
  leftOutLiveEditSections,
  liveEditParts,
  liveEditSections,
  notComparedSection,
  riskSection,
  sentLiveEditSections,
} from './plan-sections.ts'
import {
  aLine,
  type Headline,
  type Item,
  type Lead,
  type Manner,
  type Mention,
  type Report,
  type Section,
} from './report.ts'

export interface PlanManner extends Manner, Pick<PlanDocument, 'meta' | 'deed' | 'next' | 'showsUnchanged'> {}

/**
 * A plan for people. The first line shows whether the plan is safe. Then come live edits that will be lost,
 * and the changes, riskiest first, each with a summary and its declared line. Blocked, held and drifted
 * objects have their own sections. Counts and the next command come last.
 *
 * | equal objects                                          | shown                      |
 * |--------------------------------------------------------|----------------------------|
 * | claims that add the same tag and were not blocked      | grouped, after the others  |
 * | flags with the same change of audience properties      | grouped, after the others  |
 * | undeclared objects with the ownership tag              | grouped, after the others  |
 * | what is blocked because something cannot be read       | grouped                    |
 * | everything else: it may do something to people         | one by one                 |
 */
export function planReport(plan: ShownPlan, options: PlanManner): Report {
  const { meta, next, showsUnchanged, isVerbose, isForReview, foldsGrants = false } = options
  const manner = { isVerbose, isForReview, now: meta.now }
  const hasChanges = plan.changes.length > 0
  const listed = foldsGrants
    ? foldGrants(plan.changes)
    : { changes: plan.changes, sentence: [], beside: new Map() }
  return {
    is: 'plan',
    place: reportPlace(meta),
    headline: headlineOf(plan, options),
    alerts: alertsOf(plan.changes),
    leads: leadsOf(plan.changes),
    reading: [
      ...readLines(plan.inventory ?? {}, meta.requests),
      ...measuredLines(meta),
      ...serviceLines(meta),
    ],
    sections: [
      ...sentLiveEditSections(plan, manner),
      ...[...risks].reverse().flatMap(risk => riskSection(listed, risk, manner)),
      ...blockedSection(plan.blocked, manner),
      ...leftOutLiveEditSections(plan, manner),
      ...driftSection(plan.drift, manner),
      ...(showsUnchanged || (isForReview && isFew(plan)) ? unchangedSection(plan) : []),
    ],
    notes: listed.sentence,
    asides: asidesOf(meta),
    counts: countsOf(plan).map(text => ({ text })),
    closing: [...ownershipLine(plan.changes, plan.ownershipTag), ...undeclaredLine(plan)],
    ...(hasChanges ? { risk: highestRisk(plan.changes) } : {}),
    ...(next === undefined ? {} : { next: escapeText(next) }),
  }
}

/** A saved plan for people. It has only the number of unchanged objects. */
export function shownPlan(plan: SavedPlan): ShownPlan {
  const unchanged = new Array<string>(plan.unchangedCount).fill('')
  const absent = new Array<string>(plan.absentCount).fill('')
  return { ...plan, unchanged, absent }
}

function headlineOf(plan: ShownPlan, { meta, deed }: PlanManner): Headline {
  const head = { about: aboutText(meta, deed), parts: headlineParts(meta, deed) }
  if (plan.changes.length === 0) return { verdict: `No changes${leftOutWords(plan)}`, ...head }
  const risk = highestRisk(plan.changes)
  return { verdict: `${risk.toUpperCase()} risk`, risk, ...head }
}

/** Why a plan without changes may still leave differences. */
function leftOutWords({ blocked, liveEdits, drift }: ShownPlan): string {
  const { held = 0, conflict = 0, behind = 0 } = countsOfLiveEdits(liveEdits)
  const left = [
    ...(blocked.length > 0 ? ['blocked'] : []),
    ...(conflict > 0 ? ['in conflict'] : []),
    ...(held > 0 ? ['held'] : []),
    ...(behind > 0 ? ['behind'] : []),
    ...(drift.some(({ reason }) => reason === 'undeclared') ? ['undeclared'] : []),
  ]
  return left.length === 0 ? '' : `, but some objects are ${left.join(' or ')}`
}

function readLines(inventory: Plan['inventory'], requests: number | undefined): string[] {
  const lines = Object.entries(inventory).map(([kind, { seen, count, complete }]) => {
    const of = count === null ? '' : ` of ${count}`
    return `${kind} ${seen}${of}${complete ? '' : ' (incomplete)'}`
  })
  const cost = requests === undefined ? '' : `, in ${counted(requests, 'request')}`
  return lines.length === 0 ? [] : [`read: ${lines.join(', ')}${cost}`]
}

function driftSection(drift: ShownPlan['drift'], manner: Manner): Section[] {
  const isInFiles = ({ reason }: ShownPlan['drift'][number]) => reason !== 'undeclared'
  return [
    { title: 'DRIFT (changed outside the declarations)', of: drift.filter(isInFiles) },
    {
      title: 'NOT IN THE FILES (declare `ensure: absent`, or use --prune owned)',
      of: drift.filter(each => !isInFiles(each)),
    },
  ]
    .filter(({ of }) => of.length > 0)
    .map(({ title, of }) => ({ is: 'drift', title, items: driftItems(of, manner) }))
}

/** The largest number of unchanged names that are shown by default. */
const mostUnchanged = 20

/** Whether there are only a few unchanged objects and their names are known. */
function isFew({ unchanged }: ShownPlan): boolean {
  return unchanged.length <= mostUnchanged && !unchanged.includes('')
}

function unchangedSection(plan: ShownPlan): Section[] {
  const { unchanged, absent = [] } = plan
  if (unchanged.length === 0) return []
  const gone = new Set(absent)
  const items = unchanged.map(address => ({
    address,
    name: escapeText(address),
    ...(gone.has(address) ? { remark: 'already absent' } : {}),
    lines: [],
  }))
  return [{ is: 'unchanged', title: 'UNCHANGED', counts: unchangedCounts(plan).join(', '), items }]
}

function countsOf(plan: ShownPlan): string[] {
  const { create, update, claim, restore, delete: deleted, blocked, drift } = totalsOf(plan)
  return [
    `${create} to create`,
    `${update} to change`,
    ...(claim > 0 ? [`${claim} to claim`] : []),
    ...(restore > 0 ? [`${restore} to restore`] : []),
    `${deleted} to delete`,
    `${blocked} blocked`,
    ...liveEditParts(plan.liveEdits),
    ...(drift > 0 ? [`${drift} drifted`] : []),
    ...unchangedCounts(plan),
  ]
}

/** The numbers of unchanged objects: declared present, and declared absent. */
function unchangedCounts({ unchanged, absent = [] }: ShownPlan): string[] {
  return [
    `${unchanged.length - absent.length} unchanged`,
    ...(absent.length > 0 ? [`${absent.length} already absent`] : []),
  ]
}

/** Always shown, because a growing number may mean that a file is missing. */
function undeclaredLine({ taggedUndeclared: count = 0 }: ShownPlan): string[] {
  if (count === 0) return []
  const words = count === 1 ? 'has the tag but is not declared' : 'have the tag but are not declared'
  return [`${counted(count, 'object')} ${words}`]
}

/**
 * The alerts of a plan about large widenings, largest step first. Every format shows them at the top, so that
 * nothing can hide them.
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

/**
 * The changes of a plan to read first, for their effect on people and events. The riskiest come first, and
 * equally risky ones in this order. Every other change is shown only in its section.
 *
 * | effect                                                    | shown                |
 * |-----------------------------------------------------------|----------------------|
 * | an object that has source files comes, changes or goes    | each                 |
 * | a live flag reaches others, or gives others another value | each, with the step  |
 * | a flag that nobody had goes to everyone at 100 % at once  | each                 |
 * | people of its tests get something else than before        | each, with how many  |
 * | another change of high or critical risk                   | each                 |
 * | a role may edit flags that it could not edit until now    | a line for each role |
 */
function leadsOf(changes: readonly Change[]): readonly Lead[] {
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
  if (kind.lifecycle.parent) return isGreat(change.risk) ? { rank: 3, reason: riskReason(change) } : undefined
  if (kind.lifecycle.files) return { rank: 0, reason: riskReason(change) }
  if (hasTargeting(kind) && change.action === 'update') {
    const found = change.riskReasons.find(({ rule }) => reachRules.has(rule))
    if (found?.rule === 'widened') return { rank: 1, reason: `more people get it: ${found.reason}` }
    if (found) return { rank: 1, reason: found.reason }
  }
  const reached = newToEveryone(change)
  if (reached !== undefined) return { rank: 2, reason: atOnce(reached) }
  return isGreat(change.risk) ? { rank: 3, reason: riskReason(change) } : undefined
}

/** For a new flag, only unexpected test results are shown, because nobody had the flag before. */
function withFlips(effect: Effect | undefined, { action, flippedTests }: Change): Effect | undefined {
  const { count = 0, unexpected = 0 } = flippedTests ?? {}
  if (count === 0 || (action === 'create' && unexpected === 0)) return effect
  const people = `${count} ${count === 1 ? 'person' : 'people'} of its tests`
  const words = `${people} ${count === 1 ? 'gets' : 'get'} a different value than before`
  const unmet = unexpected === 0 ? ', as the tests expect' : `, ${unexpected} of them not the expected value`
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

function riskReason({ risk, riskReasons, summary }: Change): string {
  return riskReasons.find(({ level }) => level === risk)?.reason ?? summary[0] ?? 'it changes'
}

function isGreat(risk: Risk): boolean {
  return risk === 'critical' || risk === 'high'
}

function atOnce(filters: Json): string {
  const { what, shares } = whatIsGot(filters)
  return `everyone gets ${what} at once${shares === undefined ? '' : ` (${shares})`}; nobody had it before`
}

/** The filters of a flag that nobody had before and that everybody gets now. */
function newToEveryone({ kind: name, action, after, exposure }: Change): Json | undefined {
  const kind = declarableKind(name)
  const targeting = targetingField(kind)
  if (targeting === undefined || (exposure?.after ?? 0) < 100) return undefined
  // For a restored object, only the differing fields are known.
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

type Drifted = Pick<DriftDocument, 'plan' | 'found' | 'placeOptions' | 'meta'>

/**
 * Edits of declared objects in the product. If records show how an object was last declared, live edits are
 * separated from changes in the repository, which are only counted because a plan shows them. Without such
 * records every difference is shown. Groups are the same as in a plan.
 */
export function driftReport(document: Drifted, { isVerbose }: Manner = {}): Report {
  const { plan, found, meta } = document
  const manner = { isVerbose, now: meta.now }
  const isDrifted = hasDrift(found)
  const items = isDrifted
    ? [...differingItems(document, manner), ...driftItems(found.undeclared, manner)]
    : []
  return {
    is: 'drift',
    place: reportPlace(meta),
    headline: isDrifted ? { verdict: 'Drift', about: placeLine(meta) } : noDrift(document),
    alerts: [],
    reading: measuredLines(meta),
    sections: [
      ...(items.length > 0 ? [{ is: 'drift' as const, title: '', items }] : []),
      ...(isDrifted ? liveEditSections(found.edited, manner) : []),
      ...notComparedSection(
        plan.blocked.filter(held => !isDifference(held)),
        manner,
      ),
    ],
    notes: besideLines(document),
    asides: asidesOf(meta),
    counts: isDrifted ? driftCounts(document).map(text => ({ text })) : [],
    closing: ownershipLine(found.differing.filter(isChange), plan.ownershipTag),
  }
}

function isChange(each: Change | Blocked): each is Change {
  return 'after' in each
}

function noDrift({ plan, found, meta }: Drifted): Headline {
  const isAll = found.unapplied.length + found.behind.length === 0
  const verdict = isAll ? 'is as declared' : 'was not changed in the product'
  const looked = counted(lookedAt(plan), 'object')
  return { verdict: 'No drift', about: `${placeLine(meta)} ${verdict}, ${looked} checked` }
}

function differingItems({ found }: Drifted, { isVerbose }: Manner): Item[] {
  const edited = new Set(found.edited.map(({ address }) => address))
  const untagged = (each: Change | Blocked) =>
    isChange(each) && !edited.has(each.address) ? claimed(each) : undefined
  const { single, groups } = groupByKey([...found.differing].sort(byAddress), { keyOf: untagged, isVerbose })
  const sign = { text: '=' }
  return [
    ...single.map(each => ({
      address: each.address,
      sign,
      name: nameOf(each),
      ...(each.source && { source: each.source }),
      lines: [
        aLine('why', whyOf(each), { tone: 'faint' }),
        ...each.summary.map(word => aLine('detail', escapeText(word))),
      ],
    })),
    ...groups.map(group => {
      const [what = ''] = group.flatMap(each => untagged(each) ?? [])
      const name = `${countedByKind(group)}: an apply would only do this: ${escapeText(what)}`
      return { sign, name, remark: howToList, lines: [] }
    }),
  ]
}

function driftCounts({ plan, found: { edited, differing, undeclared } }: Drifted): string[] {
  const count = new Set([...edited, ...differing].map(({ address }) => address)).size + undeclared.length
  return [`${counted(count, 'object')} not as declared`, `${plan.unchanged.length} as declared`]
}

function lookedAt({ unchanged, changes, blocked, liveEdits }: Plan): number {
  const others = [...changes, ...blocked, ...liveEdits].map(({ address }) => address)
  return new Set([...unchanged, ...others]).size
}

/** Differences that are not drift. */
function besideLines({ found, placeOptions = '' }: Drifted): string[] {
  const { unapplied, behind } = found
  const plan = escapeText(`vexil plan ${placeOptions}`.trimEnd())
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  return [
    ...(unapplied.length > 0
      ? [
          `${counted(unapplied.length, 'change')} in the repository ${are(unapplied.length)} not applied yet: ${plan}`,
        ]
      : []),
    ...(behind.length > 0
      ? [
          `${counted(behind.length, 'object')} ${are(behind.length)} as another commit declares ${behind.length === 1 ? 'it' : 'them'}: ${plan}`,
        ]
      : []),
  ]
}

/** Why the planned change is unknown; empty if it is known. */
function whyOf(each: Change | Blocked): string {
  return 'reason' in each && each.summary.length === 0 ? escapeText(each.reason) : originOf(each)
}

function originOf({ action }: Pick<Change, 'action'>): string {
  if (action === 'create') return 'declared but not live'
  const origin = action === 'restore' ? 'deleted in the service' : 'live differs from the declaration'
  return `${origin}; an apply would:`
}
