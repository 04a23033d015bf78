import { isObjectValue, isWhollyKnown, memberOf, type ObjectValue } from '../../../hcl/values.ts'

import type { Json, JsonObject } from '../../../model/json/json.ts'
import { type DeclarableKind, managedFields } from '../../../model/kind.ts'
import { unlessLiveText } from '../../../model/problem.ts'
import { sentence } from '../../../model/text/sentence.ts'
import { checkManifest } from '../../../rules/check-object.ts'
import { type Diagnostic, type Diagnostics, errorDiagnostic } from '../../diagnostic.ts'
import { declaredJson } from '../field-value.ts'

/** A configuration that says a plugin's name or settings beside its own file has to say the same. */
export function manifestWarnings(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const unless = sentence(unlessLiveText)
  return manifestProblems(kind, config).map(
    ({ detail, ...problem }): Diagnostic => ({
      ...problem,
      severity: 'warning',
      detail: detail === undefined ? unless : `${detail} ${unless}`,
    }),
  )
}

/** The same as problems, which they are where the file is to be written. */
export function manifestProblems(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  if (kind.lifecycle.files?.manifest === undefined) return []
  const files = memberOf(config, 'source')
  return checkManifest(kind, knownFields(kind, config), isObjectValue(files) ? files : undefined).map(
    problem => {
      const { field, file } = problem
      if (problem.rule === 'manifest-text')
        return errorDiagnostic(`${file} cannot be read`, sentence(problem.why), [field])
      const taken = JSON.stringify(problem.taken)
      const detail = `The service takes that of the file, ${taken}. Say the same in both.`
      return errorDiagnostic(`\`${field}\` is not the \`${problem.member}\` of ${file}`, detail, [field])
    },
  )
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
