import type { FileReferences, FoundReference, UnknownCall } from '../reference.ts'
import { keyInAttribute, keyInCall } from './key-in-call.ts'
import { Positions } from './read-positions.ts'
import { sdkCalls } from './sdk-calls.ts'
import { isText } from './standing-alone.ts'
import { WordTable } from './word-table.ts'

/** What a word means: a key that is declared, a call, or both. */
interface Meaning {
  readonly key?: string
  readonly call?: string
}

/** The code behind the name of a call in which its key is looked for, in bytes. */
const longestCall = 2000

/** Finds the keys of flags in files of code, all of them in one pass. */
export class CodeScanner {
  readonly #keys: ReadonlySet<string>
  readonly #words: WordTable<Meaning>

  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys)
    const words = new Map<string, Meaning>([...sdkCalls.keys()].map(call => [call, { call }]))
    for (const key of this.#keys) words.set(key, { ...words.get(key), key })
    this.#words = new WordTable(words)
  }

  /** `name`: the file's own, without folders. The bytes are those of the file and no others. */
  scan(name: string, bytes: Buffer): FileReferences {
    const positions = new Positions(bytes)
    const references: FoundReference[] = []
    const unknown: UnknownCall[] = []
    /** Calls by the offset of their key, which is still to come. */
    const calls = new Map<number, string>()
    this.#words.each(bytes, bytes.length, (meaning, start, end) => {
      const { key, call } = meaning
      const isArgument = calls.has(start)
      if (key !== undefined && (isArgument || isText(bytes, start, end, name))) {
        const named = calls.get(start)
        const said =
          named === undefined ? ({ kind: 'string' } as const) : ({ kind: 'call', call: named } as const)
        references.push({ key, ...said, ...positions.at(start) })
      } else if (call !== undefined) {
        const at = this.#keyBehind(call, name, bytes, end)
        if (!at) return
        const asked = bytes.toString('utf8', at.start, at.end)
        if (this.#keys.has(asked)) calls.set(at.start, call)
        else if (!sdkCalls.get(call)?.isCommon) unknown.push({ key: asked, call, ...positions.at(at.start) })
      }
    })
    return { references, unknown }
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
