/**
 * Whether a word is a member of `owner` where it stands, which a file may have given another name:
 * `flags.a`, `flags['a']`, `import { flags as f }` and `f.a`, `keys.flags?.a`, `const { a } = flags`.
 */
export class TypedOwner {
  readonly #text: string
  readonly #names: ReadonlySet<string>

  /** The text has one sign for each byte. */
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
