import type { Json } from '../model/json/json.ts'
import { getAt } from '../model/json/pointer.ts'
import type { ParsedYaml } from './parse/parse-yaml.ts'
import { quote } from './parse/quote.ts'

/** One file of declarations, with values of the environment filled in. */
export interface DeclarationFile {
  readonly parsed: ParsedYaml
  readonly value: Json
  /** What came out of the environment, and what stands for it in messages. */
  readonly secrets: ReadonlyMap<string, string>
  /** The pointers of texts whose values the environment does not have. */
  readonly unfilled: ReadonlySet<string>
}

/** A value as the file has it, for messages: what came out of the environment is never shown. */
export function quoteWritten({ parsed }: DeclarationFile, pointer: string): string {
  return quote(getAt(parsed.value ?? null, pointer))
}

/** Whether something at a pointer, or inside of it, comes out of the environment. */
export function isFilledIn({ parsed, secrets }: DeclarationFile, pointer: string): boolean {
  if (secrets.size === 0) return false
  return JSON.stringify(getAt(parsed.value ?? null, pointer) ?? null).includes(`$\{env:`)
}
