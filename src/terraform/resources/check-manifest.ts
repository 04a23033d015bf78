import { compareManifest, manifestName } from '../../core/plugin-manifest.ts'
import { isWhollyKnown } from '../../cty/marks.ts'
import type { ObjectValue } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { type DeclarableKind, managedFields } from '../../model/kind.ts'
import { sentence } from '../../model/sentence.ts'
import { unlessLiveWords } from '../../model/unless-live.ts'
import { type Diagnostic, type Diagnostics, errorDiagnostic } from '../diagnostic.ts'
import { declaredJson } from './field-value.ts'

/** A configuration that says a plugin's name or settings beside its own file has to say the same. */
export function checkManifest(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const unless = sentence(unlessLiveWords)
  return manifestMistakes(kind, config).map(
    ({ detail, ...mistake }): Diagnostic => ({
      ...mistake,
      severity: 'warning',
      detail: detail === undefined ? unless : `${detail} ${unless}`,
    }),
  )
}

/** The same as mistakes, which they are where the file is to be written. */
export function manifestMistakes(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const text = memberOf(memberOf(config, 'source'), manifestName)
  if (!kind.lifecycle.files || typeof text !== 'string') return []
  const { unreadable, conflicts } = compareManifest(text, knownFields(kind, config))
  if (unreadable !== undefined)
    return [errorDiagnostic(`${manifestName} cannot be read`, sentence(unreadable), ['source'])]
  return conflicts.map(({ field, member, taken }) => {
    const detail = `The service takes that of the file, ${JSON.stringify(taken)}. Say the same in both.`
    return errorDiagnostic(`\`${field}\` is not the \`${member}\` of ${manifestName}`, detail, [field])
  })
}

function knownFields(kind: DeclarableKind, config: ObjectValue): JsonObject {
  return Object.fromEntries(
    managedFields(kind).flatMap((name): [string, Json][] => {
      const given = memberOf(config, name)
      if (given === null || !isWhollyKnown(given)) return []
      try {
        return [[name, declaredJson(kind, name, given)]]
      } catch {
        // Text that cannot be sent is told by itself.
        return []
      }
    }),
  )
}
