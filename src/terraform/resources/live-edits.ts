import { fieldSummary } from '../../core/describe/describe-field.ts'
import { shortDigest } from '../../core/diff.ts'
import { type Verdict, verdictOf } from '../../core/live-edits/verdict.ts'
import { isObjectValue, isWhollyKnown, memberOf, type ObjectValue, type Value } from '../../hcl/values.ts'
import { tagSet } from '../../model/canonical.ts'
import {
  type DeclarableKind,
  isTargeting,
  managedFields,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import type { Json } from '../../model/text/json.ts'
import { timeLine } from '../../report/lines/place-words.ts'
import { givenTyped, targetingText } from '../../schema/terraform/terraform-attribute.ts'
import { exposureOf } from '../../targeting/index.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import type { CurrentState, Diagnostic, ProposedChange } from '../provider.ts'
import type { Session } from '../session.ts'
import { canonicalOf, configuredValue, jsonIn, jsonOf } from './field-value.ts'
import { defaultsIn, textsOf } from './propose.ts'
import { recall, type StateBase } from './remembered.ts'
import {
  isMarkedDeleted,
  nameIn,
  removalOf,
  type Wanted,
  withoutManagedElsewhere,
} from './resource-context.ts'

/**
 * Warns of live edits that a plan reverts, measured from the base in the state.
 *
 * | verdict          | warning                                                                  |
 * |------------------|--------------------------------------------------------------------------|
 * | `live_changed`   | applying reverts the edit                                                |
 * | `conflict`       | applying reverts the edit; none if the base was only read                |
 * | any other        | none                                                                     |
 *
 * An attribute under `ignore_changes` is configured with its live value, so none of these verdicts fits. If
 * only default tags are missing, the warning is that they are added, since no other tag changes.
 */
export function liveEditWarnings(
  kind: DeclarableKind,
  session: Session,
  { prior, config, priorPrivate }: ProposedChange,
  planned: ObjectValue,
): Diagnostic[] {
  if (!prior) return []
  // Usually nothing differs, and decoding the remembered data costs more than this check.
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
 * Warns of live edits that are lost because an object is removed or replaced. Values that were only read, and
 * tags that are not configured, do not count.
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
  const summary = `${nameIn(kind, state)} was changed in the product: ${what}; destroying it loses this change`
  return [{ severity: 'warning', summary, detail: sinceText(base) }]
}

/** A base that was only read may never have been configured, so it proves no edit. */
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
    summary: `${nameIn(kind, prior)} was changed ${where}: ${what}; applying reverts ${isConflict ? "the product's change" : 'it'}`,
    detail: `${sinceText(base)} To keep the live value, configure it; ${toIgnore([attribute, ...typedAttributes.filter(name => name !== attribute && changed.includes(name))])}`,
    attribute: [attribute],
  }
}

/** Several attributes that together define who gets a flag can only be ignored together. */
function toIgnore(names: readonly string[]): string {
  const all = names.map(name => `\`${name}\``).join(', ')
  return `to let people change ${all} in the product, add ${names.length > 1 ? 'them' : 'it'} to \`ignore_changes\`.`
}

/** If `ignore_changes` names `tags_all`, Terraform keeps its value, and the apply adds nothing. */
function defaultTagsWarning(kind: DeclarableKind, base: StateBase, prior: ObjectValue): Diagnostic {
  return {
    severity: 'warning',
    summary: `${nameIn(kind, prior)} was changed in the product: \`${defaultTagsField}\`; applying adds the provider's default tags`,
    detail: `${sinceText(base)} They are added unless \`ignore_changes\` contains \`${defaultTagsField}\`. To let people remove a tag in the product, remove it from \`default_tags\`.`,
    attribute: [defaultTagsField],
  }
}

/** The base may be old: Terraform calls no provider for an apply that changes nothing. */
export function sinceText({ at }: StateBase): string {
  return at === undefined
    ? 'The values equalled the configuration when they were read into the state.'
    : `It was last applied on ${timeLine(at)}.`
}

/**
 * The fields in a base of an object, each under its own name: its managed fields, and
 *
 * | name       | is                                                                          |
 * |------------|-----------------------------------------------------------------------------|
 * | `tags`     | the tags of the configuration with the default ones of the provider         |
 * | `tags_all` | the default ones alone, if the configuration does not set the tags          |
 * | `source`   | the source files that the configuration names                               |
 */
function baseFields(kind: DeclarableKind): readonly string[] {
  const { ownedBy, files } = kind.lifecycle
  return [
    ...managedFields(kind),
    ...(ownedBy === undefined ? [] : [allTagsName]),
    ...(files ? [filesName] : []),
  ]
}

const allTagsName = 'tags_all'
const filesName = 'source'

/** If the configuration does not set the tags, only the default tags are compared. */
const defaultTagsField = allTagsName

/** The attributes that set one field of a base. Attributes of the typed form come last. */
function attributesOf(kind: DeclarableKind, field: string): readonly string[] {
  if (field === targetingField(kind)) return [field, ...typedAttributes]
  return field === kind.lifecycle.ownedBy ? [field, allTagsName] : [field]
}

/** For a live object that equals its configuration, except for fields that the service did not store. */
export function appliedBase(
  { context: { kind, session }, config }: Pick<Wanted, 'context' | 'config'>,
  state: ObjectValue,
  notKept: readonly string[] = [],
): StateBase {
  const fields = baseFields(kind).flatMap(field => {
    const declared = notKept.includes(field) ? undefined : configuredForm(kind, session, field, state, config)
    return declared === undefined ? [] : [[field, shortDigest(declared)] as const]
  })
  return { at: session.runtime.now(), fields: Object.fromEntries(fields) }
}

/** A configured field in canonical form; undefined if it is not configured or unknown. */
function configuredForm(
  kind: DeclarableKind,
  session: Session,
  field: string,
  values: ObjectValue,
  config: ObjectValue,
): Json | undefined {
  const { ownedBy } = kind.lifecycle
  const tags = ownedBy === undefined ? null : memberOf(config, ownedBy)
  const all = memberOf(values, allTagsName)
  switch (field) {
    case allTagsName: {
      const defaults = defaultsIn(session.defaultTags)
      return tags === null && defaults.length > 0 ? tagSet([...defaults]) : undefined
    }
    case ownedBy:
      return tags !== null && isWhollyKnown(all) ? tagSet(textsOf(all)) : undefined
    case filesName:
      return isObjectValue(memberOf(config, filesName)) ? filesForm(memberOf(values, filesName)) : undefined
    default: {
      const json = jsonOf(kind, field, configuredValue(kind, field, values, config) ?? null)
      return json === undefined || json === null ? undefined : canonicalOf(kind, field, json)
    }
  }
}

/**
 * The live value of a field in a state, in two forms: for the comparison with the configuration, and for a
 * base. A base may name other members that are managed elsewhere.
 */
function heldForms(
  kind: DeclarableKind,
  session: Session,
  field: string,
  state: ObjectValue,
  declared: Json = null,
): readonly Json[] {
  const all = textsOf(memberOf(state, allTagsName))
  switch (field) {
    case allTagsName: {
      const defaults = textsOf(tagSet([...defaultsIn(session.defaultTags)]))
      return [tagSet(all.filter(tag => defaults.includes(tag)))]
    }
    case kind.lifecycle.ownedBy:
      return [tagSet(all)]
    case filesName:
      return [filesForm(memberOf(state, filesName)) ?? null]
    default: {
      const held = heldJson(kind, field, state)
      const forms = [
        withoutManagedElsewhere(kind, field, held, declared),
        held,
        withoutManagedElsewhere(kind, field, held),
      ]
      return forms.map(form => canonicalOf(kind, field, form))
    }
  }
}

/** The live value in a state. With typed attributes, `filters` contains only what they cannot express. */
function heldJson(kind: DeclarableKind, field: string, state: ObjectValue): Json {
  if (field !== targetingField(kind)) return jsonOf(kind, field, memberOf(state, field)) ?? null
  const held = jsonOf(kind, field, targetingText(field, state)) ?? null
  const rest = memberOf(state, field)
  return givenTyped(state).length > 0 && rest !== null
    ? { declared: held, rest: jsonOf(kind, field, rest) ?? null }
    : held
}

function filesForm(files: Value): Json | undefined {
  if (!isObjectValue(files) || !isWhollyKnown(files)) return undefined
  const texts = Object.entries(files).filter((file): file is [string, string] => typeof file[1] === 'string')
  return Object.fromEntries(texts)
}

/**
 * Describes how a field was edited in the product, from the configured to the live value. Texts are not
 * shown, because any of them may be sensitive, and Terraform does not report to a provider which ones are.
 *
 * | field           | shown                                       |
 * |-----------------|---------------------------------------------|
 * | yes or no       | both values, as in a plan of the reconciler |
 * | who gets a flag | the shares of its conditions                |
 * | any other       | which attribute it is                       |
 */
function editSummary(
  kind: DeclarableKind,
  field: string,
  attribute: string,
  configured: ObjectValue,
  live: ObjectValue,
): string {
  const [was, is] = [memberOf(configured, field), memberOf(live, field)]
  if (field === switchField(kind)) return switchStep(field, is)
  if (typeof was === 'boolean' && typeof is === 'boolean')
    return fieldSummary(kind, [field], { [field]: was }, { [field]: is }).join(', ')
  const shares = isTargeting(kind, field) ? sharesStep(field, configured, live) : ''
  return `\`${attribute}\`${shares}`
}

/** The edit of an object that is no longer configured. Its earlier values are unknown. */
function removedSummary(kind: DeclarableKind, field: string, live: ObjectValue): string {
  if (field === switchField(kind)) return switchStep(field, memberOf(live, field))
  const [typed] = isTargeting(kind, field) ? givenTyped(live) : []
  return `\`${typed ?? field}\``
}

function switchStep(field: string, is: Value): string {
  return is === true ? `${field} off -> on` : `${field} on -> off`
}

/** ` 10% -> 100%`; empty if the shares are equal, or too many to show. */
function sharesStep(field: string, configured: ObjectValue, live: ObjectValue): string {
  // If typed attributes cannot express the live value, they contain only a part of the filters.
  if (memberOf(live, field) !== null && memberOf(configured, field) === null) return ''
  const [was, is] = [sharesOf(targetingText(field, configured)), sharesOf(targetingText(field, live))]
  return was === is || was.length + is.length > longestShares ? '' : ` ${was} -> ${is}`
}

function sharesOf(filters: Value): string {
  const shares = exposureOf({ filters: jsonIn(filters), active: true }).conditions
  return shares.map(({ percent }) => `${percent}%`).join(', ') || 'nobody'
}

const longestShares = 60
