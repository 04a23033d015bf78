import { type Blocked, byAddress, type Change, type Plan } from '../../core/change.ts'
import { hasDrift, isDifference } from '../../core/plan/found-drift.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { DriftDocument } from '../document.ts'
import { counted, countedByKind, nameOf } from '../object-names.ts'
import { claimed, driftItems, howToList, notComparedSection, together } from './change-items.ts'
import { liveEditSections } from './live-edit-sections.ts'
import { asidesOf, measuredLines, ownershipLine, placeLine, reportPlace } from './place-words.ts'
import { aLine, type Headline, type Item, type Manner, type Report } from './report.ts'

type Drifted = Pick<DriftDocument, 'plan' | 'found' | 'placeOptions' | 'meta'>

/**
 * What was changed in the product of declared objects. If records show how an object was last declared,
 * product changes are separated from changes of the repository, which are only counted: a plan shows them.
 * Without such records every difference is shown. Groups are the same as in a plan.
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
    counts: isDrifted ? countsOf(document).map(text => ({ text })) : [],
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
  return { verdict: 'No drift', about: `${placeLine(meta)} ${verdict}, ${looked} looked at` }
}

function differingItems({ found }: Drifted, { isVerbose }: Manner): Item[] {
  const edited = new Set(found.edited.map(({ address }) => address))
  const untagged = (each: Change | Blocked) =>
    isChange(each) && !edited.has(each.address) ? claimed(each) : undefined
  const { single, groups } = together([...found.differing].sort(byAddress), { keyOf: untagged, isVerbose })
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
      const name = `${countedByKind(group)}: what an apply would do: ${escapeText(what)}, and nothing else`
      return { sign, name, remark: howToList, lines: [] }
    }),
  ]
}

function countsOf({ plan, found: { edited, differing, undeclared } }: Drifted): string[] {
  const count = new Set([...edited, ...differing].map(({ address }) => address)).size + undeclared.length
  return [`${counted(count, 'object')} not as declared`, `${plan.unchanged.length} as declared`]
}

function lookedAt({ unchanged, changes, blocked, liveEdits }: Plan): number {
  const others = [...changes, ...blocked, ...liveEdits].map(({ address }) => address)
  return new Set([...unchanged, ...others]).size
}

/** What differs and is no drift. */
function besideLines({ found, placeOptions = '' }: Drifted): string[] {
  const { unapplied, behind } = found
  const plan = escapeText(`vexil plan ${placeOptions}`.trimEnd())
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  return [
    ...(unapplied.length > 0
      ? [
          `${counted(unapplied.length, 'change')} of the repository ${are(unapplied.length)} not applied yet: ${plan}`,
        ]
      : []),
    ...(behind.length > 0
      ? [
          `${counted(behind.length, 'object')} ${are(behind.length)} as another commit declares ${behind.length === 1 ? 'it' : 'them'}: ${plan}`,
        ]
      : []),
  ]
}

/** Why the planned change is unknown, if it is. */
function whyOf(each: Change | Blocked): string {
  return 'reason' in each && each.summary.length === 0 ? escapeText(each.reason) : originOf(each)
}

function originOf({ action }: Pick<Change, 'action'>): string {
  if (action === 'create') return 'declared, and not live'
  const origin = action === 'restore' ? 'deleted in the service' : 'live differs from the declaration'
  return `${origin}; what an apply would do:`
}
