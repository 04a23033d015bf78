import { declarableKinds } from '../../kinds/index.ts'
import { sourceField } from '../../model/field.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { defaultMember, existsField, liveEditFields, liveEditWays } from '../../model/live-edit-policy.ts'
import type { PolicyOption, SettingRow } from '../../policies/policy.ts'
import { levels, settingNames, settingRow } from '../../policies/written-policies.ts'
import { closed, described, list, name, oneOf, text, word } from '../shape.ts'

/** The schema of `policies` in the settings: each policy by name, as a level, an option alone, or a map. */
export function policySettings(): JsonObject {
  const properties = Object.fromEntries(settingNames.map(name => [name, policySchema(settingRow(name))]))
  return closed(
    properties,
    'What has to hold of all that is declared, and of plans: each policy by its name, with a level, with its options, or both. An environment lays its own over these.',
  )
}

/** The options of every policy besides its own. */
export const policyMembers = {
  level: word(
    levels,
    'What becomes of an object that is against it: `error`, the default, `warning` (or `warn`), or `off`.',
  ),
  except: list(
    name,
    'Keys of flags, with their grants, and names of events and plugins, that it leaves alone; globs too.',
  ),
} as const

function policySchema({ doc, options, alone }: SettingRow): JsonObject {
  const option = alone === undefined ? undefined : options[alone]
  return {
    ...valueSchema(option),
    description: doc,
    additionalProperties: false,
    properties: {
      ...policyMembers,
      ...Object.fromEntries(Object.entries(options).map(([name, { schema }]) => [name, schema])),
    },
  }
}

/** A level, a map, or a value of the main option. Each rule ignores the other two forms. */
function valueSchema(option: PolicyOption | undefined): JsonObject {
  const { type, description: _, ...asks } = option?.schema ?? {}
  if (type === 'string') {
    // A level is a text as well.
    const { pattern, ...others } = asks
    const texts =
      pattern === undefined ? others : { ...others, pattern: `^(${levels.join('|')})$|${pattern}` }
    return { type: ['string', 'object'], ...texts }
  }
  return {
    type: ['string', 'object', ...(typeof type === 'string' ? [type] : [])],
    if: text,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: oneOf(levels),
    ...asks,
  }
}

const way: JsonObject = word(liveEditWays)

/**
 * The schema of `live_edits` in a declaration of a kind or, without one, in defaults for declarations of any:
 * one mode for all fields, or modes by their names.
 */
export function declaredLiveEdits(kind?: DeclarableKind): JsonObject {
  return described(
    oneOrByField(kind ? [kind] : declarableKinds),
    'What becomes of fields that were changed in the product: `hold` leaves them as they are there, `revert` sets them to what is declared. For all fields, or a map of fields.',
  )
}

/** The same in the settings, with the users whose changes do not count. */
export function liveEditSettings(): JsonObject {
  const automation: JsonObject = list(
    { type: 'string', format: 'email' },
    'E-mail addresses of users that no person is behind, such as that of the key of a pipeline. Their changes are no live edits if only the activity trail has them.',
  )
  return described(
    oneOrByField(declarableKinds, { automation }),
    'What becomes of fields that were changed in the product, where declarations say nothing of it: `hold` leaves them as they are there, `revert` sets them to what is declared. For all fields, or a map of fields.',
  )
}

function oneOrByField(kinds: readonly DeclarableKind[], more: JsonObject = {}): JsonObject {
  const names = new Set(kinds.flatMap(liveEditFields))
  const about = (name: string) =>
    name === sourceField ? 'Source files, each by itself.' : `The field \`${name}\`.`
  const fields = [...names].map(name => [name, described(way, about(name))] as const)
  return {
    type: ['string', 'object'],
    // The members of the other form are beside it; a text has none.
    if: text,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: oneOf(liveEditWays),
    additionalProperties: false,
    properties: {
      [defaultMember]: described(way, 'Fields that are named neither here nor in the settings.'),
      [existsField]: described(
        way,
        'Whether the object is there: one that was deleted in the product is restored or not, and one that was restored there is deleted or not.',
      ),
      ...Object.fromEntries(fields),
      ...more,
    },
  }
}
