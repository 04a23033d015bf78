/** What was made for a key before, or is made now. What cannot be made is tried again. */
export function once<Key, Result>(made: Map<Key, Result>, key: Key, make: () => Result): Result {
  const before = made.get(key)
  if (before !== undefined) return before
  const result = make()
  made.set(key, result)
  return result
}
