import type { TypedName } from './typed-languages.ts'

/** The meanings of a word: a declared key, a call, or generated names. */
interface Meaning {
  readonly key?: string
  readonly call?: string
  readonly typed?: readonly TypedName[]
}

/** How many bytes after the name of a call are searched for its key. */
const longestCall = 2000

/** Finds the keys of flags in code files, in one pass. */
export class CodeScanner {
  readonly #keys: ReadonlySet<string>
  readonly #words: WordTable<Meaning>

  /** `typed`: the names that `vexil keys` generates. */
  constructor(keys: Iterable<string>, typed: readonly TypedName[] = []) {
    this.#keys = new Set(keys)
    const words = new Map<string, Meaning>([...sdkCalls.keys()].map(call => [call, { call }]))
    for (const key of this.#keys) words.set(key, { ...words.get(key), key })
    for (const name of typed) {
      const known = words.get(name.word)
      words.set(name.word, { ...known, typed: [...(known?.typed ?? []), name] })
    }
    this.#words = new WordTable(words)
  }

  /** `name`: the file name without folders. */
  scan(name: string, file: Uint8Array): FileReferences {
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
    const positions = new Positions(bytes)
    const references: FoundReference[] = []
    /** Calls with undeclared keys. Their places are computed last, since offsets must grow. */
    const unknown: (Omit<UnknownCall, keyof Place> & { readonly start: number })[] = []
    /** Calls by the offset of their key. */
    const calls = new Map<number, string>()
    const owners = new Map<string, TypedOwner>()
    const isTyped = ({ owner, files }: TypedName, start: number, end: number) => {
      if (!files.test(name)) return false
      if (owner === undefined) return true
      const known = owners.get(owner) ?? new TypedOwner(bytes.toString('latin1'), owner)
      owners.set(owner, known)
      return known.has(start, end)
    }
    this.#words.each(bytes, bytes.length, ({ key, call, typed }, start, end) => {
      const asked = calls.get(start)
      if (key !== undefined && asked !== undefined)
        references.push({ key, kind: 'call', call: asked, ...positions.at(start) })
      else if (key !== undefined && isText(bytes, start, end, name))
        references.push({ key, kind: 'string', ...positions.at(start) })
      else {
        const named = typed?.find(each => isTyped(each, start, end))
        if (named) references.push({ key: named.key, kind: 'typed', ...positions.at(start) })
        else if (call !== undefined) {
          const at = this.#keyBehind(call, name, bytes, end)
          if (!at) return
          const given = bytes.toString('utf8', at.start, at.end)
          if (this.#keys.has(given)) calls.set(at.start, call)
          else if (!sdkCalls.get(call)?.isCommon) unknown.push({ key: given, call, start: at.start })
        }
      }
    })
    return { references, unknown: placed(unknown, new Positions(bytes)) }
  }

  #keyBehind(call: string, name: string, bytes: Buffer, end: number) {
    // One character for each byte, so that offsets stay the same.
    const behind = bytes.toString('latin1', end, end + longestCall)
    const mayBeSecond = /\.(?:java|kts?|groovy|scala)$/i.test(name)
    const isDeclared = (key: string) => this.#keys.has(key)
    const found =
      sdkCalls.get(call)?.takes === 'attribute'
        ? keyInAttribute(behind)
        : keyInCall(behind, { isDeclared, mayBeSecond })
    return found && { start: end + found.start, end: end + found.end }
  }
}

function placed(
  calls: readonly (Omit<UnknownCall, keyof Place> & { readonly start: number })[],
  positions: Positions,
): UnknownCall[] {
  return calls
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, ...call }) => ({ ...call, ...positions.at(start) }))
}

const quotes = new Set([0x22, 0x27, 0x60])
const backslash = 0x5c

/** Whether a word is a whole text: in (escaped) quotes, or an unquoted value in configuration files. */
function isText(bytes: Buffer, start: number, end: number, name: string): boolean {
  const before = bytes[start - 1] ?? 0
  if (quotes.has(before)) {
    const behind = bytes[end] ?? 0
    return behind === before || (behind === backslash && bytes[end + 1] === before)
  }
  if (!isConfiguration(name)) return false
  const left = bytes.toString('latin1', Math.max(0, start - 40), start)
  const right = bytes.toString('latin1', end, end + 40)
  return /[:=,[]\s*$|^\s*-\s+$|\n\s*-\s+$|>$/.test(left) && /^\s*(?:[,\]#\r\n<]|$)/.test(right)
}

function isConfiguration(name: string): boolean {
  return /(?:\.(?:ya?ml|properties|ini|conf|cfg|toml|xml|plist|env)|^\.env(?:\..+)?)$/i.test(name)
}

/**
 * How code names a flag.
 *
 * | kind     | is                                                                 |
 * |----------|--------------------------------------------------------------------|
 * | `call`   | the key as it is written in a call of an SDK                       |
 * | `typed`  | a name that `vexil keys` generates from the key                    |
 * | `string` | a whole text that is the key, as in a constant or in configuration |
 */
export type ReferenceKind = 'call' | 'typed' | 'string'

/** A place in a file; line and column count from 1, columns in UTF-16 code units. */
interface Place {
  readonly line: number
  readonly column: number
}

/** One place in one file that names a flag. */
export interface FoundReference extends Place {
  readonly key: string
  readonly kind: ReferenceKind
  /** The function, method or component of the call. */
  readonly call?: string
}

/** A call of an SDK with an undeclared key. */
export interface UnknownCall extends Place {
  readonly key: string
  readonly call: string
}

interface FileReferences {
  readonly references: readonly FoundReference[]
  readonly unknown: readonly UnknownCall[]
}

/**
 * Whether a word is used as a member of `owner`, which a file may rename: `flags.a`, `flags['a']`, `import {
 * flags as f }` and `f.a`, `keys.flags?.a`, `const { a } = flags`.
 */
class TypedOwner {
  readonly #text: string
  readonly #names: ReadonlySet<string>

  /** The text has one character for each byte. */
  constructor(text: string, owner: string) {
    this.#text = text
    const renamed = text.matchAll(new RegExp(`\\b${owner}(?:\\s+as\\s+|\\s*:\\s*)([\\w$]+)`, 'g'))
    this.#names = new Set(
      text.includes(owner) ? [owner, ...Array.from(renamed, ([, name = '']) => name)] : [],
    )
  }

  has(start: number, end: number): boolean {
    if (this.#names.size === 0) return false
    const before = this.#text.slice(Math.max(0, start - 80), start)
    const [, owner] = /([\w$]+)\s*(?:[?!]?\.\s*|(?:\?\.)?\[\s*["'`])$/.exec(before) ?? []
    if (owner !== undefined) return this.#names.has(owner)
    if (!/[{,]\s*$/.test(before)) return false
    const [, source] =
      /^[^{};=()]*\}\s*=\s*(?:[\w$]+\.)*([\w$]+)/.exec(this.#text.slice(end, end + 400)) ?? []
    return source !== undefined && this.#names.has(source)
  }
}

/** Bytes that belong to words: those of keys and names, and all of UTF-8 beyond ASCII. */
const isWordByte = new Uint8Array(256).map((_, byte) =>
  byte >= 0x80 || /[\w-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

const bits = 16
const mask = (1 << bits) - 1

/**
 * Finds whole words in bytes, in one pass for all words: `checkout` does not match in `checkout_v2`. Words
 * are compared only if their hashes are equal.
 */
class WordTable<Meaning> {
  readonly #meanings: ReadonlyMap<string, Meaning>
  readonly #hashes = new Uint8Array(1 << bits)

  /** Words consist of letters, digits, `-` and `_`; others are never found. */
  constructor(meanings: ReadonlyMap<string, Meaning>) {
    this.#meanings = meanings
    for (const word of meanings.keys()) {
      let hash = 0
      for (const byte of Buffer.from(word)) hash = hashed(hash, byte)
      this.#hashes[hash & mask] = 1
    }
  }

  /** Calls `found` for each word in the first `length` bytes, in order, with its start and end. */
  each(bytes: Buffer, length: number, found: (meaning: Meaning, start: number, end: number) => void): void {
    const hashes = this.#hashes
    let start = -1
    let hash = 0
    for (let at = 0; at <= length; at++) {
      const byte = at < length ? (bytes[at] ?? 0) : 0
      if (isWordByte[byte] === 1) {
        if (start === -1) {
          start = at
          hash = 0
        }
        hash = hashed(hash, byte)
      } else if (start !== -1) {
        if (hashes[hash & mask] === 1) {
          const meaning = this.#meanings.get(bytes.toString('latin1', start, at))
          if (meaning !== undefined) found(meaning, start, at)
        }
        start = -1
      }
    }
  }
}

function hashed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

const lineFeed = 0x0a

/** Computes lines and columns of growing byte offsets in UTF-8. Each byte is read once. */
class Positions {
  readonly #bytes: Buffer
  #offset: number
  #line = 1
  #column = 1
  /** The end of the line that the offset is in. */
  #lineEnd: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.#offset = hasMark ? 3 : 0
    this.#lineEnd = this.#endFrom(this.#offset)
  }

  at(offset: number): Place {
    while (this.#lineEnd < offset) {
      this.#line++
      this.#column = 1
      this.#offset = this.#lineEnd + 1
      this.#lineEnd = this.#endFrom(this.#offset)
    }
    this.#column += this.#bytes.toString('utf8', this.#offset, offset).length
    this.#offset = offset
    return { line: this.#line, column: this.#column }
  }

  #endFrom(offset: number): number {
    const found = this.#bytes.indexOf(lineFeed, offset)
    return found === -1 ? this.#bytes.length : found
  }
}

/** A text in an argument. Offsets count from the end of the call's name. */
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

/** The key of a call, and its place. */
export interface KeyInCall {
  readonly start: number
  readonly end: number
}

export interface CallReading {
  readonly isDeclared: (key: string) => boolean
  /** As in the server SDK for Java and Kotlin, where the person is the first. */
  readonly mayBeSecond: boolean
}

/**
 * The key of a call, from the code after its name; undefined if it is not a plain text.
 *
 * | arguments                                     | the key is                               |
 * |-----------------------------------------------|------------------------------------------|
 * | `("checkout", "ada")`                         | the first                                |
 * | `(distinct_id="ada", key="checkout")`         | the one named `key`                      |
 * | `(FeatureFlagPayload{Key: "checkout"})`       | the one named `Key`, inside the argument |
 * | `("ada", "checkout")`, the second is declared | the second                               |
 * | `(key, "ada")`                                | undefined; in Java and Kotlin the second |
 * | `("check" + name)`, `(f"check{name}")`        | undefined                                |
 */
function keyInCall(behind: string, { isDeclared, mayBeSecond }: CallReading): KeyInCall | undefined {
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
function keyInAttribute(behind: string): KeyInCall | undefined {
  const tag = /^[^>]*?\sflag\s*=\s*\{?\s*(["'`])([\w-]+)\1/.exec(behind)
  if (!tag) return undefined
  const end = tag[0].length - 1
  return { start: end - (tag[2]?.length ?? 0), end }
}

/** The plain texts among the arguments. Brackets may be missing before a text, as in Ruby. */
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

/** The end of a quoted text; undefined if it has no closing quote. */
function endOfText(code: string, at: number): number | undefined {
  const quote = code[at]
  for (let end = at + 1; end < code.length; end++) {
    if (code[end] === '\\') end++
    else if (code[end] === quote) return end
    else if (code[end] === '\n' && quote !== '`') return undefined
  }
  return undefined
}

/** Whether a text is a complete argument or member value, without interpolation. */
function isWhole(code: string, start: number, end: number): boolean {
  const inside = code.slice(start + 1, end)
  if (inside === '' || inside.includes('\\')) return false
  const isFilled = /[{]/.test(inside) && (code[start] === '`' || /[fF$]/.test(code[start - 1] ?? ''))
  if (isFilled) return false
  // These do not change a text: `.to_string()`, `.into()`, `as const` and `!`.
  if (
    !/^\s*(?:[,)}\]]|\.(?:to_string|into|to_owned|toString)\(\)|as\b|!|$)/.test(code.slice(end + 1, end + 40))
  )
    return false
  return /(?:[(,:={[]|=>)\s*[fFrRbBuU@$&]?$/.test(code.slice(Math.max(0, start - 60), start))
}

/** How a call names its flag. */
export interface SdkCall {
  /** `argument`: with or without brackets. `attribute`: in the attribute `flag` of a component. */
  readonly takes: 'argument' | 'attribute'
  /** Whether the name is common: then only a declared key shows that it is a call of an SDK. */
  readonly isCommon?: true
}

const argument: SdkCall = { takes: 'argument' }
const common: SdkCall = { takes: 'argument', isCommon: true }

/**
 * The names of calls in the public SDKs, for all languages: `isFeatureEnabled` has the same meaning in
 * JavaScript, Java, Kotlin, PHP, Swift and Dart.
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
  // Methods of the evaluated flags of a person, in any language.
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
