/** The indexes of the most frequent values, one for each: the last of its equals, the last ones first. */
export function mostCommon(texts: readonly string[]): number[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts]
    .flatMap(([text, count]) => (count === most ? [texts.lastIndexOf(text)] : []))
    .sort((left, right) => right - left)
}
