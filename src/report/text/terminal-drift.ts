import { type Blocked, byAddress, type Change, type Plan } from '../../core/change.ts'
import { isDifference } from '../../core/plan/drift.ts'
import { hasDrift } from '../../core/plan/found-drift.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { DriftDocument } from '../document.ts'
import { counted, countedByKind, nameOf } from '../object-names.ts'
import { blockedAlike } from './alike.ts'
import { liveEditSections } from './terminal-live-edits.ts'
import { claimed, driftLines, type PlanTextOptions } from './terminal-plan.ts'
import { placeLine, titled } from './title-line.ts'
import { howToList, together } from './together.ts'

type Manner = Pick<PlanTextOptions, 'meta' | 'style' | 'isVerbose'>

/**
 * What was changed in the product of what is declared. Where the records of a place tell how an object was declared when
 * it was last as declared, that is told from what the repository has changed since, which is only counted: a plan shows it.
 * Where they do not, whatever differs is told. What a plan tells together is told together here too.
 */
export function driftText(
  document: Pick<DriftDocument, 'plan' | 'found' | 'isOnRecord'>,
  manner: Manner,
): string {
  const { plan, found } = document
  const { meta, style, isVerbose } = manner
  const where = placeLine(meta)
  const beside = [...asideLines(plan, manner), ...besideLines(document)]
  if (!hasDrift(found)) {
    const isAll = found.unapplied.length + found.behind.length === 0
    const verdict = isAll ? 'is as declared' : 'was not changed in the product'
    const looked = `${where} ${verdict}, ${counted(lookedAt(plan), 'object')} looked at`
    return `${[`${style.bold('No drift')}: ${looked}`, ...beside].join('\n')}\n`
  }
  const edited = new Set(found.edited.map(({ address }) => address))
  const differing = [...found.differing].sort(byAddress)
  const untagged = (each: Change | Blocked) =>
    'after' in each && !edited.has(each.address) ? claimed(each) : undefined
  const { single, groups } = together(differing, { keyOf: untagged, isVerbose })
  const count =
    new Set([...edited, ...differing.map(({ address }) => address)]).size + found.undeclared.length
  const lines = [
    `${style.bold('Drift')}: ${where}`,
    '',
    ...single.flatMap(each => [
      titled('=', nameOf(each), each.source, style),
      `      ${style.dim(whyOf(each))}`,
      ...each.summary.map(word => `      ${escapeText(word)}`),
    ]),
    ...groups.map(group => {
      const [what = ''] = group.flatMap(each => untagged(each) ?? [])
      const words = `${countedByKind(group)}: what an apply would do: ${escapeText(what)}, and nothing else`
      return `  = ${words}  ${style.dim(howToList)}`
    }),
    ...driftLines([...found.undeclared].sort(byAddress), manner),
    ...apart(
      liveEditSections(found.edited, { style, now: meta.now }),
      differing.length + found.undeclared.length > 0,
    ),
    ...beside,
    '',
    `${counted(count, 'object')} not as declared, ${plan.unchanged.length} as declared`,
  ]
  return `${lines.join('\n')}\n`
}

/** Sections with an empty line between them, and one before them where something stands there. */
function apart(sections: readonly string[], hasBefore: boolean): string[] {
  return sections.flatMap((section, at) => (at > 0 || hasBefore ? ['', section] : [section]))
}

function lookedAt({ unchanged, changes, blocked, liveEdits }: Plan): number {
  const others = [...changes, ...blocked, ...liveEdits].map(({ address }) => address)
  return new Set([...unchanged, ...others]).size
}

/** What differs and is no drift, and what nobody can tell. */
function besideLines({ found, isOnRecord }: Pick<DriftDocument, 'found' | 'isOnRecord'>): string[] {
  const { unapplied, behind, differing } = found
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  const lines = [
    ...(unapplied.length > 0
      ? [
          `${counted(unapplied.length, 'change')} of the repository ${are(unapplied.length)} not applied yet: vexil plan`,
        ]
      : []),
    ...(behind.length > 0
      ? [
          `${counted(behind.length, 'object')} ${are(behind.length)} as another commit declares ${behind.length === 1 ? 'it' : 'them'}: vexil plan`,
        ]
      : []),
    ...(differing.length > 0 && !isOnRecord
      ? [
          'no apply is on record here, so nobody can tell what was changed in the product and what in the repository',
        ]
      : []),
  ]
  return lines.length > 0 ? ['', ...lines] : []
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
function whyOf(each: Change | Blocked): string {
  return 'reason' in each && each.summary.length === 0 ? escapeText(each.reason) : originOf(each)
}

function originOf({ action }: Pick<Change, 'action'>): string {
  if (action === 'create') return 'declared, and not live'
  const origin = action === 'restore' ? 'deleted in the service' : 'live differs from the declaration'
  return `${origin}; what an apply would do:`
}
