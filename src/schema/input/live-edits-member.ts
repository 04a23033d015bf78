import { declarableKinds } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import {
  defaultMember,
  existsField,
  liveEditFields,
  liveEditWays,
} from '../../model/safety/live-edit-policy.ts'
import { sourceField } from '../../model/source-field.ts'

const way: JsonObject = { type: 'string', enum: [...liveEditWays] }

/**
 * The schema of `live_edits` in a declaration of a kind or, without one, in defaults for declarations of any: one way for
 * all fields, or ways by their names.
 */
export function declaredLiveEdits(kind?: DeclarableKind): JsonObject {
  return {
    ...oneOrByField(kind ? [kind] : declarableKinds),
    description:
      'What becomes of fields that were changed in the product: `hold` leaves them as they are there, `revert` sets them to what is declared. For all fields, or a map of fields.',
  }
}

/** The same in the settings, where it is said whose changes are none. */
export function liveEditSettings(): JsonObject {
  const automation: JsonObject = {
    type: 'array',
    items: { type: 'string', format: 'email' },
    description:
      'E-mail addresses of users that no person is behind, such as that of the key of a pipeline. What they change is no live edit where only the activity trail tells of it.',
  }
  return {
    ...oneOrByField(declarableKinds, { automation }),
    description:
      'What becomes of fields that were changed in the product, where declarations say nothing of it: `hold` leaves them as they are there, `revert` sets them to what is declared. For all fields, or a map of fields.',
  }
}

function oneOrByField(kinds: readonly DeclarableKind[], more: JsonObject = {}): JsonObject {
  const names = new Set(kinds.flatMap(liveEditFields))
  const about = (name: string) =>
    name === sourceField ? 'Source files, each by itself.' : `The field \`${name}\`.`
  const fields = [...names].map(name => [name, { ...way, description: about(name) }] as const)
  return {
    type: ['string', 'object'],
    // Beside it stand the members of the other form, of which a text has none.
    if: { type: 'string' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { enum: [...liveEditWays] },
    additionalProperties: false,
    properties: {
      [defaultMember]: { ...way, description: 'Fields that are named neither here nor in the settings.' },
      [existsField]: {
        ...way,
        description:
          'Whether the object is there: one that was deleted in the product is restored or not, and one that was restored there is deleted or not.',
      },
      ...Object.fromEntries(fields),
      ...more,
    },
  }
}
