import type { Json } from '../model/json.ts'
import type { ParsedYaml } from './parse.ts'

/** One file of declarations, with values of the environment filled in. */
export interface DeclarationFile {
  readonly parsed: ParsedYaml
  readonly value: Json
  /** What came out of the environment, and what stands for it in messages. */
  readonly secrets: ReadonlyMap<string, string>
}
