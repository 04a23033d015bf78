/** The parts of objects that `redact` keeps out of all that is shown and recorded, each with what it is. */
export const redactedParts = {
  payloads: 'what code receives beside the answer',
  descriptions: 'what people say of an object, of its conditions and of its variants',
  values: 'what conditions compare with, the settings that plugins ask for, and source files',
} as const

export type RedactedPart = keyof typeof redactedParts

export function isRedactedPart(text: string): text is RedactedPart {
  return Object.hasOwn(redactedParts, text)
}

export function redactedPartNames(): readonly RedactedPart[] {
  return Object.keys(redactedParts).filter(isRedactedPart)
}

/**
 * What a declaration says of itself: `true` is every payload and every value of its conditions; a list names the payloads
 * by their variants.
 */
export type Sensitive = true | readonly string[]

/** What stands where a value is not shown; with the beginning of a digest, where that is known to tell nothing of it. */
export function standIn(digest?: string): string {
  return digest === undefined ? '(sensitive)' : `(sensitive ${digest})`
}

export function isStandIn(text: string): boolean {
  return /^\(sensitive(?: [0-9a-f]{8})?\)$/.test(text)
}
