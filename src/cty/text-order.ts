/** The order of texts: by code points, which is that of their bytes. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  if (!surrogate.test(left) && !surrogate.test(right)) return left < right ? -1 : 1
  const [one, other] = [left[Symbol.iterator](), right[Symbol.iterator]()]
  for (;;) {
    const [a, b] = [one.next(), other.next()]
    if (a.done || b.done) return a.done ? (b.done ? 0 : -1) : 1
    const difference = (a.value.codePointAt(0) ?? 0) - (b.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
}

/** Only characters of two code units are in another order by those than by code points. */
const surrogate = /[\ud800-\udfff]/
