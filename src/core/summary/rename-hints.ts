import { declarableKind } from '../../kinds/index.ts'
import { withoutElsewhere } from '../../model/field.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import {
  type DeclarableKind,
  identityField,
  isDescription,
  managedFields,
  objectAddress,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { visible } from '../../targeting/index.ts'
import type { Change, Plan } from '../change.ts'
import { isSameField } from '../diff.ts'
import { lossByRename, lostWith } from '../flag-links.ts'
import { canonicalField, canonicalIdentity, isListedApart, isRecognizable, type Live } from '../live.ts'
import { hasOwnershipTag } from '../ownership.ts'
import type { PlanInput } from '../plan/plan.ts'
import { commandAt, type Policy } from '../policy.ts'
import { areDrawn } from './flag-summary.ts'

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
export function withRenameHints(plan: Plan, input: PlanInput): Plan {
  const { changes } = plan
  const isCreated = ({ kind, action }: Change) => action === 'create' && isRecognizable(declarableKind(kind))
  if (!changes.some(isCreated)) return plan
  const candidates = undeclared(input)
  const { placeOptions } = input.policy
  const deleted = new Set(
    changes.flatMap(({ kind, action, id }) => (action === 'delete' ? [`${kind}#${id}`] : [])),
  )
  const withHint = (change: Change): Change => {
    if (change.action !== 'create') return change
    const [first, ...others] = similar(change, candidates, input)
    if (!first) return change
    const isDeleted = deleted.has(`${first.kind}#${first.id}`)
    return hinted(change, first, { others: others.length, isDeleted, placeOptions })
  }
  return { ...plan, changes: changes.map(withHint) }
}

/** Living objects that no declaration of this place names, be it by key or by id. */
function undeclared({ declared: declarations, live: snapshot }: PlanInput): Live[] {
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
function similar(change: Change, candidates: readonly Live[], { policy, records }: PlanInput): Live[] {
  const { base = {} } = records ?? {}
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
      const isGiven = typeof words === 'string' && words.trim() !== ''
      return isGiven && isSameField(kind, name, words, live.record[name] ?? null)
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
  }: Pick<Policy, 'placeOptions'> & {
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
