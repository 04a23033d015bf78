/** A text as it is written in an argument; offsets from the end of the call's name. */
interface Literal {
  readonly start: number
  readonly end: number
  /** Which argument it is, from 0 on. */
  readonly position: number
  /** How many brackets are around it; 1 for an argument itself. */
  readonly depth: number
  /** Its parameter: `key="checkout"`, `Key: "checkout"`. */
  readonly name?: string
}

/** The place of a call's key; offsets as they were given. */
export interface KeyInCall {
  readonly start: number
  readonly end: number
}

export interface CallReading {
  readonly isDeclared: (key: string) => boolean
  /** Whether the key may be the second argument: in the server SDK of Java and Kotlin the person comes first. */
  readonly mayBeSecond: boolean
}

/**
 * The key that a call gets as a plain text, from the code after its name; undefined if it is a variable, or
 * is built from several parts.
 *
 * | arguments                                     | the key is                                   |
 * |-----------------------------------------------|----------------------------------------------|
 * | `("checkout", "ada")`                         | the first                                    |
 * | `(distinct_id="ada", key="checkout")`         | the one of that name                         |
 * | `(FeatureFlagPayload{Key: "checkout"})`       | the one of that name, inside of the argument |
 * | `("ada", "checkout")`, the second is declared | the second                                   |
 * | `(key, "ada")`                                | undefined; in Java and Kotlin the second     |
 * | `("check" + name)`, `(f"check{name}")`        | undefined                                    |
 */
export function keyInCall(behind: string, { isDeclared, mayBeSecond }: CallReading): KeyInCall | undefined {
  const literals = literalsIn(behind)
  const named = literals.find(({ name }) => name !== undefined && keyNames.has(name.toLowerCase()))
  if (named) return named
  const plain = literals.filter(({ depth, name }) => depth === 1 && name === undefined)
  const [first, second] = [0, 1].map(position => plain.find(literal => literal.position === position))
  const isKnown = (literal: Literal | undefined) =>
    literal !== undefined && isDeclared(behind.slice(literal.start, literal.end))
  if (isKnown(second) && !isKnown(first)) return second
  return first ?? (mayBeSecond ? second : undefined)
}

const keyNames = new Set(['key', 'flag', 'flag_key', 'flagkey', 'featurekey', 'feature_key'])

/** The key in the attribute `flag` of a component, from the code after its name. */
export function keyInAttribute(behind: string): KeyInCall | undefined {
  const tag = /^[^>]*?\sflag\s*=\s*\{?\s*(["'`])([\w-]+)\1/.exec(behind)
  if (!tag) return undefined
  const end = tag[0].length - 1
  return { start: end - (tag[2]?.length ?? 0), end }
}

/** The plain texts among the arguments that begin here; brackets may be missing before a text, as in Ruby. */
function literalsIn(behind: string): Literal[] {
  // `name?.(`, `name<Type>(`, `name!(`
  const open = /^\s*(?:\?\.)?(?:!)?(?:<[\w\s.,|{}:;[\]'"<>?]{0,200}>)?\s*\(/.exec(behind)
  if (!open) {
    const bare = /^[ \t]+(["'])([\w-]+)\1/.exec(behind)
    const end = (bare?.[0].length ?? 0) - 1
    return bare ? [{ start: end - (bare[2]?.length ?? 0), end, position: 0, depth: 1 }] : []
  }
  const found: Literal[] = []
  let depth = 1
  let position = 0
  for (let at = open[0].length; at < behind.length && depth > 0; ) {
    const sign = behind[at] ?? ''
    if (sign === '"' || sign === "'" || sign === '`') {
      const end = endOfText(behind, at)
      if (end === undefined) return found
      if (isWhole(behind, at, end)) {
        const before = /([A-Za-z_]\w*)\s*[:=]\s*$/.exec(behind.slice(Math.max(0, at - 60), at))
        const name = before?.[1]
        found.push({ start: at + 1, end, position, depth, ...(name === undefined ? {} : { name }) })
      }
      at = end + 1
      continue
    }
    if (sign === '(' || sign === '[' || sign === '{') depth++
    else if (sign === ')' || sign === ']' || sign === '}') depth--
    else if (sign === ',' && depth === 1) position++
    at++
  }
  return found
}

/** The end of the text that begins with a quote; undefined if it does not end. */
function endOfText(code: string, at: number): number | undefined {
  const quote = code[at]
  for (let end = at + 1; end < code.length; end++) {
    if (code[end] === '\\') end++
    else if (code[end] === quote) return end
    else if (code[end] === '\n' && quote !== '`') return undefined
  }
  return undefined
}

/** Whether a text is a whole argument, or the whole value of a member, without interpolation. */
function isWhole(code: string, start: number, end: number): boolean {
  const inside = code.slice(start + 1, end)
  if (inside === '' || inside.includes('\\')) return false
  const isFilled = /[{]/.test(inside) && (code[start] === '`' || /[fF$]/.test(code[start - 1] ?? ''))
  if (isFilled) return false
  // Later calls: `.to_string()` and `.into()` do not change it, nor do `as const` and `!`.
  if (
    !/^\s*(?:[,)}\]]|\.(?:to_string|into|to_owned|toString)\(\)|as\b|!|$)/.test(code.slice(end + 1, end + 40))
  )
    return false
  return /(?:[(,:={[]|=>)\s*[fFrRbBuU@$&]?$/.test(code.slice(Math.max(0, start - 60), start))
}

/** How a call names its flag. */
export interface SdkCall {
  /**
   * `argument`: among its arguments, with brackets or, as in Ruby, without. `attribute`: as a component's `flag`.
   */
  readonly takes: 'argument' | 'attribute'
  /** Whether others use the name too: then only a declared key makes it a call of an SDK. */
  readonly isCommon?: true
}

const argument: SdkCall = { takes: 'argument' }
const common: SdkCall = { takes: 'argument', isCommon: true }

/**
 * The names of calls for one flag in the public SDKs. One table for all languages, since a name has one
 * meaning in each of them: `isFeatureEnabled` is JavaScript, Java, Kotlin, PHP, Swift and Dart.
 */
export const sdkCalls: ReadonlyMap<string, SdkCall> = new Map([
  // JavaScript, React Native, Node.js, Android, iOS, Flutter, Java, PHP
  ['isFeatureEnabled', argument],
  ['getFeatureFlag', argument],
  ['getFeatureFlagPayload', argument],
  ['getFeatureFlagResult', argument],
  ['getRemoteConfigPayload', argument],
  // React, React Native
  ['useFeatureFlagEnabled', argument],
  ['useFeatureFlagPayload', argument],
  ['useFeatureFlagVariantKey', argument],
  ['useFeatureFlagResult', argument],
  ['useFeatureFlagWithPayload', argument],
  ['useFeatureFlag', argument],
  ['PostHogFeature', { takes: 'attribute' }],
  // Python
  ['feature_enabled', argument],
  ['get_feature_flag', argument],
  ['get_feature_flag_payload', argument],
  ['get_feature_flag_result', argument],
  ['get_remote_config_payload', argument],
  // Ruby, Rust
  ['is_feature_enabled', argument],
  // Go, .NET
  ['IsFeatureEnabled', argument],
  ['GetFeatureFlag', argument],
  ['GetFeatureFlagPayload', argument],
  ['GetFeatureFlagResult', argument],
  ['GetRemoteConfigPayload', argument],
  ['IsFeatureEnabledAsync', argument],
  ['GetFeatureFlagAsync', argument],
  ['GetRemoteConfigPayloadAsync', argument],
  // Queries about all flags of a person at once, in any language.
  ['isEnabled', common],
  ['getFlag', common],
  ['getFlagPayload', common],
  ['is_enabled', common],
  ['get_flag', common],
  ['get_flag_payload', common],
  ['IsEnabled', common],
  ['GetFlag', common],
  ['GetFlagPayload', common],
])
