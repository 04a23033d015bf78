import { type ExactJson, invalid } from '../../hcl/index.ts'

import { isJsonObject, type Json } from '../../model/json/json.ts'
import { type DeclarableKind, hidesOf } from '../../model/kind.ts'
import type { Sensitive } from '../../model/redacted-part.ts'
import { strangeNames } from '../../targeting/check/check-variants.ts'

/**
 * What a block hides of its values, in the comment that constructs write: `"//": { "vexil": { "sensitive": ... } }`. Throws
 * a refusal where it says something else: a slip would show what was to be hidden.
 */
export function sensitiveIn(
  said: ExactJson | undefined,
  kind: DeclarableKind,
  filters: Json,
): Sensitive | undefined {
  if (said === undefined || said === false) return undefined
  const hides = hidesOf(kind)
  if (hides === undefined) throw invalid(`a ${kind.title} has nothing that it could hide`)
  if (said === true) return true
  const names = Array.isArray(said) && hides === 'payloads' ? said.filter(isText) : undefined
  if (!names || !Array.isArray(said) || names.length < said.length)
    throw invalid(`it has to be true${hides === 'payloads' ? ', or a list of variants' : ' or false'}`)
  // As the keys of payloads are, once Terraform's language has read them.
  const normal = names.map(name => name.normalize('NFC'))
  if (isJsonObject(filters)) requirePayloads(normal, filters.payloads)
  return normal
}

function requirePayloads(names: readonly string[], payloads: Json | undefined): void {
  const [strange] = strangeNames(names, isJsonObject(payloads) ? payloads : {})
  if (strange) throw invalid(`it names ${JSON.stringify(strange.name)}, which has no payload`, strange.hint)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
