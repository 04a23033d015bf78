/** The order of names in everything that is shown, written or digested: by code units, so that no locale changes it. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
