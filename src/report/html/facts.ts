import type { Action, Blocked, Change, LeftOut, Plan, Risk } from '../../core/change.ts'
import { ownersInTags } from '../../core/owners.ts'
import { declarableKind } from '../../kinds/index.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { Document } from '../document.ts'
import { declaredByAll } from '../lines/people.ts'
import type { People, Report } from '../lines/report.ts'

/** What is known of an object beside the words about it: by this people look for it. */
export interface Facts {
  readonly action?: Action
  readonly risk?: Risk
  readonly owners: readonly string[]
  readonly askedBy?: string
  readonly change?: Change
}

/** The facts of each object that a document tells of, by address; who asked for all of it is told once, elsewhere. */
export function factsOf(document: Document, report: Report): ReadonlyMap<string, Facts> {
  const { people = new Map<string, People>() } = report
  const { changes, blocked } = changedIn(document)
  const forAll = declaredByAll(report)
  return new Map<string, Facts>([
    // What is held or has drifted is no change, and is somebody's too.
    ...[...people.keys()].map(address => [address, peopleAt(address)] as const),
    ...blocked.map(each => [each.address, { action: each.action, ...peopleAt(each.address) }] as const),
    ...changes.map(change => [change.address, factsOfChange(change, peopleAt(change.address))] as const),
  ])

  function peopleAt(address: string): People {
    const { owners, askedBy } = people.get(address) ?? { owners: [] }
    return { owners, ...(askedBy === undefined || askedBy === forAll ? {} : { askedBy }) }
  }
}

interface Changed {
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  readonly leftOut: readonly LeftOut[]
  readonly groupTypes?: Plan['groupTypes'] | undefined
}

/** What a document tells of changes, and of what is none. */
export function changedIn(document: Document): Changed {
  switch (document.is) {
    case 'plan':
    case 'saved_plan':
    case 'drift':
      return { leftOut: [], ...document.plan }
    case 'run':
      return { leftOut: [], ...document }
    default:
      return { changes: [], blocked: [], leftOut: [] }
  }
}

function factsOfChange(change: Change, people: People): Facts {
  const { action, risk, kind, before, after } = change
  const inTags = ownersInTags(declarableKind(kind), { ...before, ...after })
  const owners = people.owners.length > 0 ? people.owners : inTags.map(escapeText)
  return { ...people, action, risk, owners, change }
}
