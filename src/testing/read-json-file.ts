import { readFileSync } from 'node:fs'
import { codeOf } from '../model/files/error-code.ts'
import { textFrom } from '../model/files/read-text-file.ts'
import type { Json } from '../model/json/json.ts'
import { readJsonIfAny } from '../model/json/json-text.ts'

/** The JSON in a file of a synthesized app. Throws an error that names the file: of what is no JSON, nothing would be found. */
export function readJsonFile(path: string): Json {
  const json = readJsonIfAny(readText(path))
  if (json === undefined) throw new Error(`"${path}" is not JSON; ${again}`)
  return json
}

/** What to do about a file that is not what an app synthesizes. */
export const again = 'synthesize the app again'

function readText(path: string): string {
  try {
    return textFrom(readFileSync(path))
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    const why = code === 'not_utf8' && error instanceof Error ? error.message : `cannot be read (${code})`
    throw new Error(`"${path}" ${why}`)
  }
}
