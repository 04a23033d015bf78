import type { Action, Blocked, Change, Risk } from '../../core/change.ts'
import { ownersInTags } from '../../core/owners.ts'
import { declarableKind } from '../../kinds/index.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { Document } from '../document.ts'

/** What is known of an object beside the words about it: by this people look for it. */
export interface Facts {
  readonly action?: Action
  readonly risk?: Risk
  readonly owners: readonly string[]
  readonly change?: Change
}

/** The facts of each object that a document tells of, by address. */
export function factsOf(document: Document): ReadonlyMap<string, Facts> {
  const { changes, blocked } = changedIn(document)
  return new Map([
    ...blocked.map(each => [each.address, { action: each.action, owners: [] }] as const),
    ...changes.map(change => [change.address, factsOfChange(change)] as const),
  ])
}

interface Changed {
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
}

function changedIn(document: Document): Changed {
  switch (document.is) {
    case 'plan':
    case 'saved_plan':
    case 'drift':
      return document.plan
    case 'run':
      return document
    default:
      return { changes: [], blocked: [] }
  }
}

function factsOfChange(change: Change): Facts {
  const { action, risk, kind, before, after } = change
  const owners = ownersInTags(declarableKind(kind), { ...before, ...after })
  return { action, risk, owners: owners.map(escapeText), change }
}
