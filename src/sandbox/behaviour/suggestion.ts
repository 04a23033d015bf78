import { meantHint } from '../../model/text/did-you-mean.ts'

/** `; did you mean "tags"?`, or nothing when no known name is near. */
export function suggestion(given: string, known: readonly string[]): string {
  const hint = meantHint(given, known, undefined)
  return hint === undefined ? '' : `; ${hint}`
}
