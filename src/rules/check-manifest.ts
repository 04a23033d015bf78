import { readStrictJson } from '../hcl/strict-json.ts'

import { isJsonObject, isSameJson, type Json, type JsonObject } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { ProblemOf } from './object-problem.ts'

/**
 * Compares the file that describes an object with its declared fields, `files` being all of its files by name. The
 * service takes what the file says over what was sent, so an object that is declared by one name and described by
 * another would be another one with each apply. [service-behaviour 4]
 */
export function checkManifest(
  kind: DeclarableKind,
  fields: JsonObject,
  files: Readonly<Record<string, unknown>> | undefined,
): ProblemOf<'manifest' | 'manifest-text'>[] {
  const manifest = kind.lifecycle.files?.manifest
  const text = manifest && files?.[manifest.file]
  if (!manifest || typeof text !== 'string') return []
  const { file, members } = manifest
  const said = { severity: 'error', code: 'manifest', requires: { is: 'file', name: file }, file } as const
  const described = readObject(text)
  if ('why' in described) {
    const { why } = described
    const at = { pointer: pointerOf('source', file), field: 'source' }
    return [{ ...said, ...at, rule: 'manifest-text', why, message: `${file} cannot be read: ${why}` }]
  }
  return Object.entries(members).flatMap(([field, member]) => {
    const [given, taken] = [fields[field] ?? null, described.members[member] ?? null]
    if (given === null || taken === null || isSameJson(given, taken)) return []
    const message = `its ${field} is not the "${member}" of ${file}, ${JSON.stringify(taken)}`
    const hint = 'the service takes that of the file: say the same in both'
    return [{ ...said, rule: 'manifest', pointer: pointerOf(field), field, member, taken, message, hint }]
  })
}

function readObject(text: string): { readonly members: JsonObject } | { readonly why: string } {
  let value: Json
  try {
    value = readStrictJson(text)
  } catch (error) {
    return { why: error instanceof Error ? error.message : 'it is not JSON' }
  }
  return isJsonObject(value) ? { members: value } : { why: 'it is not an object' }
}
