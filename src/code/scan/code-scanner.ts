import type { FileReferences, FoundReference, Place, UnknownCall } from '../reference.ts'
import type { TypedName } from '../typed/typed-names.ts'
import { keyInAttribute, keyInCall } from './key-in-call.ts'
import { Positions } from './read-positions.ts'
import { sdkCalls } from './sdk-calls.ts'
import { TypedOwner } from './typed-owner.ts'
import { WordTable } from './word-table.ts'

/** What a word means: a key that is declared, a call, names that were made of keys, or several of them. */
interface Meaning {
  readonly key?: string
  readonly call?: string
  readonly typed?: readonly TypedName[]
}

/** The code behind the name of a call in which its key is looked for, in bytes. */
const longestCall = 2000

/** Finds the keys of flags in files of code, all of them in one pass. */
export class CodeScanner {
  readonly #keys: ReadonlySet<string>
  readonly #words: WordTable<Meaning>

  /** `typed`: the names that typed keys have. */
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

  /** `name`: the file's own, without folders. The bytes are those of the file and no others. */
  scan(name: string, bytes: Buffer): FileReferences {
    const positions = new Positions(bytes)
    const references: FoundReference[] = []
    /** What asks for a key that is still to come: its place is found last, since places only grow. */
    const unknown: (Omit<UnknownCall, keyof Place> & { readonly start: number })[] = []
    /** Calls by the offset of their key, which is still to come. */
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
    // One byte is one sign, so that offsets stay what they are.
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

/**
 * Whether a word is a text of its own: in quotes, also escaped ones as in JSON within a text; in configuration, which
 * needs no quotes, as a value or an element of a list.
 */
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
