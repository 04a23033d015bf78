import type { ObjectValue } from '../../cty/value.ts'

/**
 * The objects that were read last, by the bytes they came in. Terraform sends the configuration of a resource twice, to
 * have it checked and to have it planned, and its state twice or three times; between that come those of the resources
 * that it works on at the same time, ten unless it is told otherwise.
 */
export class RecentObjects {
  readonly #objects = new Map<string, ObjectValue | null>()

  /** The object that came in these bytes, read once. Nobody may change it. */
  get(bytes: Uint8Array, read: () => ObjectValue | null): ObjectValue | null {
    if (bytes.length > longest) return read()
    // As many characters as bytes, so that no two of them are the same text.
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const known = this.#objects.get(key)
    if (known !== undefined) return known
    const object = read()
    const [oldest] = this.#objects.size < most ? [] : this.#objects.keys()
    if (oldest !== undefined) this.#objects.delete(oldest)
    this.#objects.set(key, object)
    return object
  }
}

/** Twelve times what ten resources have under way; a few megabytes at the most. */
const most = 240
/** In bytes. A plugin's source may have megabytes, and is not kept for this. */
const longest = 16_384
