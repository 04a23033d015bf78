/**
 * A function that works out what comes of an object once for each object, and answers with the same from then on: for
 * what is fixed, as descriptions and schemas are. Nobody may change the answer.
 */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>()
  return key => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}
