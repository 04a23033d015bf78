import { didYouMean } from '../model/did-you-mean.ts'

/** `; did you mean "tags"?`, or nothing when no known name is near. */
export function suggestion(given: string, known: readonly string[]): string {
  const near = didYouMean(given, known)
  return near === undefined ? '' : `; did you mean "${near}"?`
}
