import { invalid } from '../../cty/invalid-value.ts'
import type { Json } from '../../model/json/json.ts'
import { JsonTextError, readStrictJson } from '../../model/json/strict-json.ts'

/** Reads JSON text as a person wrote it; throws a refusal where it cannot be sent as it is meant. */
export function readJsonText(text: string): Json {
  try {
    return readStrictJson(text)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw invalid(error.reason, error.remedy ?? 'write it with JSON.stringify(...)')
  }
}
