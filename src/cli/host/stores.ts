import type { Store } from '../../fleet/index.ts'
import type { Runtime } from '../../model/runtime.ts'

/** The shared stores of a process: one connection to each, opened when it is needed. */
export class Stores {
  readonly #runtime: Runtime
  readonly #opened = new Map<string, Opened>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Throws a `StoreError`. After some seconds, a call tries again: many environments must not wait for each try. */
  async open(address: string): Promise<Store> {
    const { openStore } = await import('../../fleet/index.ts')
    const known = this.#opened.get(address)
    const isOver = known?.failedAt !== undefined && this.#runtime.now() - known.failedAt > pauseMs
    if (known && !isOver) return known.store
    const opened: Opened = { store: openStore({ address, runtime: this.#runtime }) }
    this.#opened.set(address, opened)
    opened.store.catch(() => {
      opened.failedAt = this.#runtime.now()
    })
    return opened.store
  }

  async close(): Promise<void> {
    const opened = [...this.#opened.values()]
    this.#opened.clear()
    for (const { store } of opened) await (await store.catch(() => undefined))?.close()
  }
}

interface Opened {
  readonly store: Promise<Store>
  /** Milliseconds since 1970. */
  failedAt?: number
}

const pauseMs = 10_000
