import { isJsonArray, isJsonObject, type JsonObject } from '../../model/json/json.ts'

/** What a document that hides values says of them. */
export interface RedactedMember {
  /** What is hidden of every object. */
  readonly parts: readonly string[]
  /** The digest of the file that holds the values. */
  readonly values: string
}

/** What a plan says of its values, and what the command line left out: the rest of what it was asked for is with them. */
export interface RedactedScope {
  readonly redacted?: RedactedMember
  readonly notTargeted?: readonly string[]
}

/** Reads both back from a document whose shape was checked against the plan schema. */
export function redactedFrom({ redacted, not_targeted: left }: JsonObject): RedactedScope {
  if (!isJsonObject(redacted)) return {}
  const { parts, values } = redacted
  return {
    redacted: { parts: isJsonArray(parts) ? parts.map(String) : [], values: String(values) },
    notTargeted: isJsonArray(left) ? left.map(String) : [],
  }
}
