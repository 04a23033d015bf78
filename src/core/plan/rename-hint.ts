import { declarableKind } from '../../kinds/index.ts'
import { objectAddress } from '../../model/address.ts'
import { withoutElsewhere } from '../../model/field.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import {
  type DeclarableKind,
  identityField,
  isDescription,
  managedFields,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { visible } from '../../targeting/index.ts'
import type { Change, Outcome } from '../change.ts'
import type { Declarations } from '../desired.ts'
import { isSameField } from '../diff.ts'
import { canonicalField, canonicalIdentity, isListedApart, isRecognizable, type Live } from '../live.ts'
import type { Base } from '../live-edits/base.ts'
import type { Policy } from '../policy.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { lossByRename, lostWith } from '../uses.ts'
import { commandAt } from './command-at.ts'
import { hasOwnershipTag } from './ownership-tag.ts'
import { areDrawn } from './summary/redrawn.ts'

export interface RenameInput {
  readonly declarations: Declarations
  readonly snapshot: Snapshot
  readonly policy: Policy
  readonly placeOptions?: string
  readonly base?: Base
}

/**
 * Says of a flag that is about to be created when a live one that is declared nowhere looks like it: whoever changes a
 * key in a file means a rename, and gets a second flag with another id and without the grants.
 *
 * | live, declared nowhere, with the same filters         | hint |
 * |-------------------------------------------------------|------|
 * | it has the ownership tag, or was declared before      | yes  |
 * | the filters name properties, variants or payloads     | yes  |
 * | they do not, and both have the same description       | yes  |
 * | they do not, and nothing else is alike                | no   |
 */
export function withRenameHints(outcomes: readonly Outcome[], input: RenameInput): Outcome[] {
  const created = outcomes.flatMap(outcome =>
    outcome.is === 'change' && outcome.change.action === 'create' ? [outcome.change] : [],
  )
  if (!created.some(({ kind }) => isRecognizable(declarableKind(kind)))) return [...outcomes]
  const candidates = undeclared(input)
  const { placeOptions } = input
  const deleted = new Set(
    outcomes.flatMap(outcome =>
      outcome.is === 'change' && outcome.change.action === 'delete'
        ? [`${outcome.change.kind}#${outcome.change.id}`]
        : [],
    ),
  )
  return outcomes.map(outcome => {
    if (outcome.is !== 'change' || outcome.change.action !== 'create') return outcome
    const [first, ...others] = alike(outcome.change, candidates, input)
    if (!first) return outcome
    const isDeleted = deleted.has(`${first.kind}#${first.id}`)
    return {
      is: 'change',
      change: hinted(outcome.change, first, { others: others.length, isDeleted, placeOptions }),
    }
  })
}

/** Living objects that no declaration of this place names, be it by key or by id. */
function undeclared({ declarations, snapshot }: RenameInput): Live[] {
  const named = new Set(
    [...declarations.desired, ...(declarations.skipped ?? [])].flatMap(({ kind, identity, id }) => [
      `${kind}/${canonicalIdentity(declarableKind(kind), identity)}`,
      ...(id === undefined ? [] : [`${kind}#${id}`]),
    ]),
  )
  return [...snapshot.live, ...(snapshot.undeclared ?? [])].filter(
    live =>
      !live.isSoftDeleted &&
      isRecognizable(declarableKind(live.kind)) &&
      !isListedApart(declarableKind(live.kind), live) &&
      !named.has(`${live.kind}/${live.identity}`) &&
      !named.has(`${live.kind}#${live.id}`),
  )
}

/** Those that look like what is about to be created, the likeliest first. */
function alike(change: Change, candidates: readonly Live[], { policy, base = {} }: RenameInput): Live[] {
  const kind = declarableKind(change.kind)
  const field = targetingField(kind) ?? ''
  const filters = change.after[field] ?? null
  const described = managedFields(kind).filter(name => isDescription(kind, name))
  const { tag } = policy.ownership
  const rank = (live: Live) => {
    const wasOurs =
      base[objectAddress(live.kind, live.identity)]?.ensure === 'present' ||
      (tag !== undefined && hasOwnershipTag(kind, live.record, tag))
    const isDescribedAlike = described.some(name => {
      const words = change.after[name]
      const isSaid = typeof words === 'string' && words.trim() !== ''
      return isSaid && isSameField(kind, name, words, live.record[name] ?? null)
    })
    return (wasOurs ? 4 : 0) + (isDescribedAlike ? 2 : 0) + (isTelling(kind, field, filters) ? 1 : 0)
  }
  return candidates
    .filter(live => live.kind === change.kind)
    .filter(({ record }) =>
      [record[field] ?? null, withoutElsewhere(kind.fields[field], record[field] ?? null)].some(value =>
        isSameField(kind, field, filters, value),
      ),
    )
    .filter(live => rank(live) > 0)
    .sort((left, right) => rank(right) - rank(left) || compareTexts(left.identity, right.identity))
}

/** Whether filters say more than a share of everybody. */
function isTelling(kind: DeclarableKind, field: string, filters: Json): boolean {
  const canonical = canonicalField(kind, field, filters)
  if (!isJsonObject(canonical)) return false
  const { groups, ...others } = canonical
  if (Object.values(others).some(member => !isEmptyJson(member))) return true
  return isJsonArray(groups) && groups.some(group => isJsonObject(group) && !isEmptyJson(group.properties))
}

function hinted(
  change: Change,
  { kind, identity, id, record }: Live,
  {
    others,
    isDeleted,
    placeOptions,
  }: Pick<RenameInput, 'placeOptions'> & {
    readonly others: number
    readonly isDeleted: boolean
  },
): Change {
  const of = declarableKind(kind)
  const flag = {
    filters: record[targetingField(of) ?? ''] ?? null,
    active: record[switchField(of) ?? ''] !== false,
  }
  const loss = lossByRename(of, lostWith(of, record), areDrawn([flag]))
  const body = shellWord(JSON.stringify({ [identityField(of)]: change.identity }))
  const fate = isDeleted ? ' and deleted by this plan' : ''
  const more = others === 0 ? '' : `; so ${others === 1 ? 'has 1 other' : `have ${others} others`}`
  const way = commandAt(`vexil call ${kind}.update id=${id} --body ${body}`, placeOptions)
  const hint = [
    `has the same filters as ${visible(identity)} (id ${id}), which is declared nowhere${fate}${more}`,
    `if this is a rename, ${way} gives that one the new key and keeps its id and its grants; then plan again`,
    ...(loss === undefined ? [] : [loss]),
  ]
  return {
    ...change,
    summary: [...change.summary, ...hint],
    renameOf: { $ref: objectAddress(kind, identity), identity, id },
  }
}
