import { checkedKey } from '../../model/connection/api-key.ts'
import { type Redact, redacted, searchFor } from './redact.ts'

/**
 * The secrets of one run, as they become known. Whatever leaves the program, to a stream, to a file or to Terraform,
 * goes by here at its edge, so that no command has to remember it.
 */
export class Secrets {
  readonly #known = new Set<string>()
  #search = searchFor([])

  /** Takes note of a key. What the gate refuses is no key, is sent nowhere, and might be a word that texts need. */
  add(key: string | undefined): void {
    const checked = checkedKey(key ?? '')
    if (!('key' in checked) || this.#known.has(checked.key)) return
    this.#known.add(checked.key)
    this.#search = searchFor([...this.#known])
  }

  /** The text without any of them, and without the beginning of one that was cut off with an ellipsis. */
  readonly hide: Redact = text => this.#withoutBeginnings(this.#search.replaceIn(text, () => redacted))

  /** Whether one of them is anywhere in a text. */
  isIn(text: string): boolean {
    return this.#search.isIn(text)
  }

  /** The same bytes with each of them overwritten: lengths, which binary formats count, stay. */
  overwrite(bytes: Uint8Array): Buffer {
    const text = Buffer.from(bytes).toString('latin1')
    const without = this.#search.replaceIn(text, found => '*'.repeat(found.length))
    return Buffer.from(without, 'latin1')
  }

  #withoutBeginnings(text: string): string {
    if (!text.includes('…')) return text
    const [last = '', ...cut] = text.split('…').reverse()
    return [...cut.reverse().map(part => this.#withoutBeginning(part)), last].join('…')
  }

  #withoutBeginning(text: string): string {
    for (const key of this.#known) {
      for (let length = Math.min(key.length, text.length); length >= shortestBeginning; length--) {
        if (text.endsWith(key.slice(0, length))) return `${text.slice(0, -length)}${redacted}`
      }
    }
    return text
  }
}

/** Fewer characters tell nobody anything: the service's own keys all begin alike. */
const shortestBeginning = 8
