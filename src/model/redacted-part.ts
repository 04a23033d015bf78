/** The parts of objects that `redact` removes from all output and records, each with a description. */
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
 * The `redact` of a declaration. `true` is every payload and every value of its conditions; a list names the
 * payloads by their variants.
 */
export type Sensitive = true | readonly string[]

/** The replacement for a hidden value; with the beginning of a digest, if that cannot reveal the value. */
export function standIn(digest?: string): string {
  return digest === undefined ? '(sensitive)' : `(sensitive ${digest})`
}

export function isStandIn(text: string): boolean {
  return /^\(sensitive(?: [0-9a-f]{8})?\)$/.test(text)
}
