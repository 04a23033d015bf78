/** Bytes of the words that are looked for: those that keys and names in code consist of, and all of UTF-8 beyond ASCII. */
const isWordByte = new Uint8Array(256).map((_, byte) =>
  byte >= 0x80 || /[\w-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

const bits = 16
const mask = (1 << bits) - 1

/**
 * Some words, for finding where they stand as a whole in bytes, in one pass for all of them: `checkout` is not found in
 * `checkout_v2`. Each word of a text costs a hash; only what has the hash of one of the words is compared.
 */
export class WordTable<Meaning> {
  readonly #meanings: ReadonlyMap<string, Meaning>
  readonly #hashes = new Uint8Array(1 << bits)

  /** The words consist of letters, digits, `-` and `_`; others are never found. */
  constructor(meanings: ReadonlyMap<string, Meaning>) {
    this.#meanings = meanings
    for (const word of meanings.keys()) {
      let hash = 0
      for (const byte of Buffer.from(word)) hash = hashed(hash, byte)
      this.#hashes[hash & mask] = 1
    }
  }

  /** Calls back for each of the words among the first `length` bytes, in their order, with where it begins and ends. */
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
