import { isSameJson, type JsonObject } from '../../model/json/json.ts'
import { largestFile } from '../../model/limits.ts'
import { parseYaml } from '../parse/parse-yaml.ts'
import { writeYaml } from './write-yaml.ts'

/** One declaration of a section, by its name. */
export interface Entry {
  readonly name: string
  readonly members: JsonObject
}

export interface WrittenSection {
  /** As many files as it takes. */
  readonly texts: readonly string[]
  /** What cannot be written so that it is read back, and why. */
  readonly unwritten: ReadonlyMap<string, string>
}

/** Writes a section, and reads what it wrote with the reader that a plan uses: nothing is left to chance. */
export function writeSection(section: string, entries: readonly Entry[], schema: string): WrittenSection {
  if (entries.length === 0) return { texts: [], unwritten: new Map() }
  const whole = tryWriting(section, entries, schema)
  if ('text' in whole) return { texts: [whole.text], unwritten: new Map() }
  const unwritten = new Map(
    entries.flatMap(entry => {
      const alone = tryWriting(section, [entry], schema)
      return 'text' in alone ? [] : [[entry.name, alone.reason] as const]
    }),
  )
  const rest = entries.filter(({ name }) => !unwritten.has(name))
  return { texts: inParts(section, rest, schema), unwritten }
}

/** What is in order one by one may be too much for one file. */
function inParts(section: string, entries: readonly Entry[], schema: string): string[] {
  if (entries.length === 0) return []
  const written = tryWriting(section, entries, schema)
  if ('text' in written) return [written.text]
  if (entries.length === 1) throw new Error(`a declaration was written before, and now: ${written.reason}`)
  const middle = Math.ceil(entries.length / 2)
  return [entries.slice(0, middle), entries.slice(middle)].flatMap(half => inParts(section, half, schema))
}

function tryWriting(
  section: string,
  entries: readonly Entry[],
  schema: string,
): { readonly text: string } | { readonly reason: string } {
  const value = { [section]: Object.fromEntries(entries.map(({ name, members }) => [name, members])) }
  const text = writeYaml(value, schema)
  if (Buffer.byteLength(text) > largestFile) return { reason: 'it takes more than a file may hold' }
  const read = parseYaml(text, section)
  const problem = read.problems.find(({ severity }) => severity === 'error')
  if (problem) return { reason: problem.message }
  return isSameJson(read.value ?? null, value) ? { text } : { reason: 'it would be read as something else' }
}
