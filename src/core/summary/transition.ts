import type { JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, hasTargeting, targetingField } from '../../model/kind.ts'
import type { RiskPolicy } from '../../model/risk.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { Widening } from '../../targeting/compare/exposure.ts'
import { type GroupTypeNumbers, withGroupTypesNamed } from '../../targeting/describe/describe.ts'
import type { Action, Change, ExposureChange, JudgedRisk } from '../change.ts'
import { isSameField } from '../diff.ts'
import { getsOwnershipTag, withoutOwnershipTag } from '../ownership.ts'
import type { ObjectRedaction } from '../redaction.ts'

/** The effect of a change on people: in words, as a risk and, for a flag, as a change of its reach. */
export interface ChangeSummary extends JudgedRisk {
  readonly summary: readonly string[]
  readonly exposure?: ExposureChange
  /** A widening that reviewers must notice: `everyone: 10% -> 100%`. */
  readonly alert?: string
  /** The condition that widens most, if one does. */
  readonly widest?: Widening
}

/** The whole object before and after: null if there is none. Only fields that matter for people are compared. */
export interface Transition {
  readonly action: Action
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** The fields that the change touches. */
  readonly fields: readonly string[]
  /** The losses in other parts of the product with its name, or with the object. */
  readonly lost?: readonly string[]
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** The level that the repository gives to each rule of risk. */
  readonly risk: RiskPolicy
  /** Source files as they will be written, and as they are if the service shows them. */
  readonly files?: NonNullable<Change['files']>
  readonly filesBefore?: Change['filesBefore']
  /** The hidden values; undefined if there are none. */
  readonly redaction?: ObjectRedaction | undefined
  /** The names of group types in texts. */
  readonly groupTypes?: GroupTypeNumbers | undefined
  /** The names of cohorts in texts. */
  readonly cohorts?: GroupTypeNumbers | undefined
  /** The renderer of the plan shows once which objects get it. */
  readonly ownershipTag?: string | undefined
}

/** The values for the text: with names instead of numbers, and without hidden ones. May be the same object. */
export function shownTransition(kind: DeclarableKind, transition: Transition): Transition {
  const { before, after, files, filesBefore, redaction, groupTypes, cohorts } = transition
  const isNamed = (groupTypes ?? cohorts) !== undefined && hasTargeting(kind)
  if (!redaction && !isNamed) return transition
  const visible = (fields: JsonObject) => {
    const shown = redaction?.fields(fields) ?? fields
    return isNamed ? withNamedGroupTypes(kind, shown, groupTypes, cohorts) : shown
  }
  return {
    ...transition,
    before: before && visible(before),
    after: after && visible(after),
    ...(files && redaction ? { files: redaction.files(files) } : {}),
    ...(filesBefore && redaction ? { filesBefore: redaction.files(filesBefore) } : {}),
  }
}

/** A change for display: without the ownership tag that it adds. */
export function withoutNewTag(kind: DeclarableKind, transition: Transition): Transition {
  const { before, after, fields, ownershipTag } = transition
  if (ownershipTag === undefined || !after || !getsOwnershipTag(kind, before ?? {}, after, ownershipTag))
    return transition
  const { ownedBy = '' } = kind.lifecycle
  const others = withoutOwnershipTag(kind, after, ownershipTag)
  const isSame = isSameField(kind, ownedBy, before?.[ownedBy] ?? null, others)
  return {
    ...transition,
    after: { ...after, [ownedBy]: others },
    fields: isSame ? fields.filter(name => name !== ownedBy) : fields,
  }
}

/** The fields of an object for display: with names for the group types and the cohorts that its filters number. */
export function withNamedGroupTypes(
  kind: DeclarableKind,
  fields: JsonObject,
  groupTypes: GroupTypeNumbers = {},
  cohorts: GroupTypeNumbers = {},
): JsonObject {
  const field = targetingField(kind)
  const filters = field === undefined ? undefined : fields[field]
  if (field === undefined || filters === undefined) return fields
  return { ...fields, [field]: withGroupTypesNamed(filters, groupTypes, cohorts) }
}
