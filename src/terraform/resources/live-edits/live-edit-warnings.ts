import { shortDigest } from '../../../core/diff.ts'
import { type Verdict, verdictOf } from '../../../core/live-edits/verdict.ts'
import { memberOf, type ObjectValue } from '../../../hcl/values.ts'
import type { DeclarableKind } from '../../../model/kind.ts'
import { timeLine } from '../../../report/lines/place-words.ts'
import { typedAttributes } from '../../../targeting/typed-form.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import type { CurrentState, ProposedChange } from '../../provider.ts'
import type { Session } from '../../session/session.ts'
import { recall, type StateBase } from '../apply/remembered.ts'
import { nameIn, removalOf } from '../resource-context.ts'
import { isMarkedDeleted } from '../soft-deleted.ts'
import { editSummary, removedSummary } from './edit-summary.ts'
import { attributesOf, baseFields, configuredForm, defaultTagsField, heldForms } from './state-base.ts'

/**
 * What a plan takes back of what somebody has changed in the product, by the base that a state remembers.
 *
 * | verdict          | told                                                                     |
 * |------------------|--------------------------------------------------------------------------|
 * | `live_changed`   | that applying takes it back                                              |
 * | `conflict`       | that applying takes it back; nothing where the base was only read        |
 * | any other        | nothing                                                                  |
 *
 * An attribute that Terraform ignores changes of is configured as it is live, so it is none of these. Where tags alone
 * lack default ones, it is told that those are added, since nothing else of the tags changes.
 */
export function liveEditWarnings(
  kind: DeclarableKind,
  session: Session,
  { prior, config, priorPrivate }: ProposedChange,
  planned: ObjectValue,
): Diagnostic[] {
  if (!prior) return []
  // Mostly nothing differs, and reading what is remembered costs more than this.
  const changed = baseFields(kind).filter(field =>
    attributesOf(kind, field).some(name => memberOf(prior, name) !== memberOf(planned, name)),
  )
  const base = changed.length > 0 ? recall(priorPrivate).base : undefined
  if (!base) return []
  return changed.flatMap(field => {
    const declared = configuredForm(kind, session, field, planned, config)
    if (declared === undefined) return []
    const [live = null, ...asInBase] = heldForms(kind, session, field, prior, declared)
    const digest = base.fields[field]
    const is = asInBase.some(form => shortDigest(form) === digest) ? digest : undefined
    const verdict = verdictOf({
      base: digest,
      declared: shortDigest(declared),
      live: is ?? shortDigest(live),
    })
    if (!isLiveEdit(verdict, base)) return []
    return [warning(kind, field, verdict, base, { prior, planned, config })]
  })
}

/**
 * What goes with an object that is removed, or made anew somewhere else: what somebody has changed in the product since it
 * was applied. What was only read, and tags beside those of the configuration, tell nothing of that.
 */
export function lostEditsWarning(
  kind: DeclarableKind,
  session: Session,
  { state, private: kept }: CurrentState,
): Diagnostic[] {
  const { base } = recall(kept)
  if (base?.at === undefined || isMarkedDeleted(kind, state) || removalOf(kind, state) === 'forget') return []
  const edited = baseFields(kind).filter(field => {
    const digest = base.fields[field]
    if (digest === undefined || field === defaultTagsField) return false
    return !heldForms(kind, session, field, state).some(form => shortDigest(form) === digest)
  })
  if (edited.length === 0) return []
  const what = edited.map(field => removedSummary(kind, field, state)).join(', ')
  const summary = `${nameIn(kind, state)} was changed in the product: ${what}; destroying it loses that`
  return [{ severity: 'warning', summary, detail: sinceText(base) }]
}

/** What was only read may never have been configured as it was, so nobody knows whether that has changed. */
function isLiveEdit(verdict: Verdict, { at }: StateBase): boolean {
  return verdict === 'live_changed' || (verdict === 'conflict' && at !== undefined)
}

interface Values {
  readonly prior: ObjectValue
  readonly planned: ObjectValue
  readonly config: ObjectValue
}

function warning(
  kind: DeclarableKind,
  field: string,
  verdict: Verdict,
  base: StateBase,
  values: Values,
): Diagnostic {
  const { prior, planned, config } = values
  const changed = attributesOf(kind, field).filter(name => memberOf(prior, name) !== memberOf(planned, name))
  const [attribute = field] = [...changed.filter(name => memberOf(config, name) !== null), ...changed]
  if (attribute === defaultTagsField) return defaultTagsWarning(kind, base, prior)
  const isConflict = verdict === 'conflict'
  const what = isConflict ? `\`${attribute}\`` : editSummary(kind, field, attribute, planned, prior)
  const where = isConflict ? 'in the product and in the configuration' : 'in the product'
  return {
    severity: 'warning',
    summary: `${nameIn(kind, prior)} was changed ${where}: ${what}; applying takes ${isConflict ? "the product's change" : 'it'} back`,
    detail: `${sinceText(base)} To keep what is live, configure it; ${toIgnore([attribute, ...typedAttributes.filter(name => name !== attribute && changed.includes(name))])}`,
    attribute: [attribute],
  }
}

/** Of several that say together who gets a flag, one is of no use there without the others. */
function toIgnore(names: readonly string[]): string {
  const all = names.map(name => `\`${name}\``).join(', ')
  return `to leave ${all} to the product from now on, name ${names.length > 1 ? 'them' : 'it'} in \`ignore_changes\`.`
}

/** Where `ignore_changes` names `tags_all`, Terraform keeps of it what the state has, and the apply adds nothing. */
function defaultTagsWarning(kind: DeclarableKind, base: StateBase, prior: ObjectValue): Diagnostic {
  return {
    severity: 'warning',
    summary: `${nameIn(kind, prior)} was changed in the product: \`${defaultTagsField}\`; applying adds the default tags of the provider`,
    detail: `${sinceText(base)} They are added unless \`ignore_changes\` names \`${defaultTagsField}\`; to leave a tag to the product, take it out of \`default_tags\`.`,
    attribute: [defaultTagsField],
  }
}

/** Since when: an apply that has nothing to change is none to a provider. */
export function sinceText({ at }: StateBase): string {
  return at === undefined
    ? 'It was as configured when it was read into the state.'
    : `It was last applied on ${timeLine(at)}.`
}
