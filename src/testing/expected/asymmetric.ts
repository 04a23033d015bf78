/** What decides by itself whether a value is as expected: `expect.any(String)` of either test framework, and ours. */
export interface Asymmetric {
  asymmetricMatch(actual: unknown): boolean
}

export function isAsymmetric(expected: unknown): expected is Asymmetric {
  return typeof expected === 'object' && expected !== null && 'asymmetricMatch' in expected
}

/**
 * What a matcher expects inside of an object or a list, where it is one that does: `expect.objectContaining`,
 * `expect.arrayContaining` and `expect.arrayOf`, also behind `expect.not`. Both frameworks keep it as `sample`.
 */
export function containerSample(matcher: Asymmetric): unknown {
  return /^(Not)?(Object|Array)(Not)?(Containing|Of)$/.test(String(matcher))
    ? Reflect.get(matcher, 'sample')
    : undefined
}

/** The same matcher over something else. */
export function withSample(matcher: Asymmetric, sample: unknown): Asymmetric {
  return Object.assign(Object.create(Object.getPrototypeOf(matcher)), matcher, { sample })
}

/** As a message shows it: with what it looks for, where it says that. */
export function asymmetricText(matcher: Asymmetric): string {
  const own: unknown = Reflect.get(matcher, 'toAsymmetricMatcher')
  if (typeof own === 'function') return String(own.call(matcher))
  const sample: unknown = Reflect.get(matcher, 'sample')
  const text = sample instanceof RegExp ? String(sample) : JSON.stringify(sample)
  return text === undefined ? String(matcher) : `${matcher} ${text}`
}
