import { isJsonObject, isSameJson, type Json } from '../../model/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { sentence } from '../../model/sentence.ts'
import { readStrictJson } from '../../model/strict-json.ts'
import { type Diagnostics, errorDiagnostic } from '../diagnostic.ts'
import { isWhollyKnown, type ObjectValue } from '../values/value.ts'
import { memberOf } from '../values/walk-type.ts'
import { declaredJson } from './field-value.ts'

/** The source file that describes a plugin, and the members of it that the service takes for fields. */
const manifest = 'plugin.json'
const describedFields = { name: 'name', config_schema: 'config' } as const

/**
 * The service takes what a plugin's own file says over what was sent in the fields, so a configuration that says both
 * has to say the same. [service-behaviour 4]
 */
export function checkManifest(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const text = memberOf(memberOf(config, 'source'), manifest)
  if (!kind.lifecycle.files || typeof text !== 'string') return []
  let described: Json
  try {
    described = readStrictJson(text)
  } catch (error) {
    return [unreadable(error instanceof Error ? error.message : 'it is not JSON')]
  }
  if (!isJsonObject(described)) return [unreadable('it is not an object')]
  const members = described
  return Object.entries(describedFields).flatMap(([name, member]) => {
    const [given, taken] = [memberOf(config, name), members[member] ?? null]
    if (given === null || taken === null || !isWhollyKnown(given) || isSaid(kind, name, given, taken))
      return []
    const detail = `The service takes that of the file, ${JSON.stringify(taken)}. Say the same in both.`
    return [errorDiagnostic(`\`${name}\` is not the \`${member}\` of ${manifest}`, detail, [name])]
  })
}

function isSaid(kind: DeclarableKind, name: string, given: ObjectValue[string], taken: Json): boolean {
  try {
    return isSameJson(declaredJson(kind, name, given), taken)
  } catch {
    // Text that cannot be sent is told by itself.
    return true
  }
}

function unreadable(why: string) {
  return errorDiagnostic(`${manifest} cannot be read`, sentence(why), ['source'])
}
