import type { Store } from '../../fleet/index.ts'
import type { Runtime } from '../../model/runtime.ts'

/** The shared stores of a process: one connection to each, opened when it is needed. */
export class Stores {
  readonly #runtime: Runtime
  readonly #opened = new Map<string, Promise<Store>>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Throws a `StoreError`. The next call tries again. */
  async open(address: string): Promise<Store> {
    const known = this.#opened.get(address)
    if (known) return known
    const { openStore } = await import('../../fleet/index.ts')
    const opening = this.#opened.get(address) ?? openStore({ address, runtime: this.#runtime })
    this.#opened.set(address, opening)
    opening.catch(() => this.#opened.delete(address))
    return opening
  }

  async close(): Promise<void> {
    const opened = [...this.#opened.values()]
    this.#opened.clear()
    for (const store of opened) await (await store.catch(() => undefined))?.close()
  }
}
