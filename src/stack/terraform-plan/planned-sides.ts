import { isSameField } from '../../core/diff.ts'
import { type ExactJson, isNumber } from '../../hcl/index.ts'
import type { Json } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { resourceSchemas } from '../evaluate/provider-schemas.ts'
import { membersOf } from '../read/stack-file.ts'
import { isMarked, type ObjectValues, objectValues } from './object-values.ts'
import type { PlannedChange } from './planned-change.ts'
import type { TerraformPlan } from './read-plan.ts'

/** What a resource is before and after a plan of Terraform. */
export interface PlannedSides {
  readonly planned: PlannedChange
  readonly kind: DeclarableKind
  /** The attributes that are not to be shown, with why. */
  readonly hidden: ReadonlyMap<string, string>
  readonly before: ObjectValues | null
  readonly after: ObjectValues | null
}

/** Both sides of what is planned for a resource; undefined of a kind that is not known here. */
export function readPlanned(planned: PlannedChange, plan: TerraformPlan): PlannedSides | undefined {
  const schema = resourceSchemas.get(planned.type)
  if (!schema) return undefined
  const looked = [...schema.attributes].flatMap(([name, { isSettable }]) =>
    isSettable || name === allTags ? [name] : [],
  )
  const hidden = hiddenIn(planned, looked)
  const valuesOf = (json: ExactJson) =>
    json === null ? null : objectValues(json, { planned, plan, schema, hidden })
  const [before, after] = [valuesOf(planned.before), valuesOf(planned.after)]
  return { kind: schema.kind, ...withDefaultTags(schema.kind, { planned, hidden, before, after }) }
}

type BothSides = Omit<PlannedSides, 'kind'>

/** Both sides with the tags that the service has: the default ones of the provider beside those of the resource. */
function withDefaultTags(kind: DeclarableKind, sides: BothSides): BothSides {
  const { planned, hidden, before, after } = sides
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined) return sides
  // What is told of some is not told once more of all.
  if (hidden.has(ownedBy))
    return { ...sides, hidden: new Map([...hidden].filter(([name]) => name !== allTags)) }
  if (hidden.has(allTags)) return sides
  const [were, will] = [tagsIn(planned.before), tagsIn(planned.after)]
  // Where `ignore_changes` keeps them as they were, those of the resource change all the same.
  if (were && will && isSameField(kind, ownedBy, were, will)) return sides
  const withTags = (values: ObjectValues | null, tags: Json | undefined) =>
    values && tags ? { ...values, fields: { ...values.fields, [ownedBy]: tags } } : values
  return { ...sides, before: withTags(before, were), after: withTags(after, will) }
}

const allTags = 'tags_all'

function tagsIn(side: ExactJson): Json[] | undefined {
  const { [allTags]: tags } = membersOf(side)
  return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : undefined
}

/** The attributes that are not to be shown, with why: the apply tells them, or they are sensitive. */
function hiddenIn(planned: PlannedChange, names: readonly string[]): ReadonlyMap<string, string> {
  const { before, after, unknown, sensitiveBefore, sensitiveAfter } = planned
  return new Map(
    names.flatMap((name): [string, string][] => {
      if (isMarked(membersOf(unknown)[name])) return [[name, laterOnly]]
      const isSensitive =
        isMarked(membersOf(sensitiveBefore)[name]) || isMarked(membersOf(sensitiveAfter)[name])
      if (!isSensitive) return []
      const isSame = exactText(membersOf(before)[name]) === exactText(membersOf(after)[name])
      return [[name, isSame ? 'sensitive, and stays as it is' : 'sensitive, and changes']]
    }),
  )
}

const laterOnly = 'known only after the apply'

/** A value of a plan as text, with each number as it is written. */
export function exactText(json: ExactJson | undefined): string {
  return JSON.stringify(json ?? null, (_, value) => (isNumber(value) ? value.text : value))
}
