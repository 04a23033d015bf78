import type { Runtime } from '../../src/model/runtime.ts'
import { seeded } from '../support/seeded.ts'

/**
 * A clock whose time passes only when all tasks sleep. Then it goes to the earliest sleeper, so nobody really
 * waits, and the same seed gives the same run. Tasks may wait only for this clock and for each other: all that
 * they can do at one moment is done before the next `setImmediate`, since promises go first.
 */
export class VirtualClock {
  readonly #sleepers = new EarliestFirst<Sleeper>()
  #nowMs: number
  /** How many sleeps have ended. */
  events = 0

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  runtime(seed: number): Runtime {
    const below = seeded(seed)
    // The first numbers of small seeds are all small.
    for (let count = 0; count < 5; count++) below(1)
    let made = 0
    return {
      now: () => this.#nowMs,
      sleep: (ms, signal) => this.sleep(ms, signal),
      random: () => below(1_000_000) / 1_000_000,
      uniqueId: () => `${seed}-${made++}`,
    }
  }

  /** In whole milliseconds, as times of the database are. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const stop = () => {
        sleeper.wake = undefined
        reject(signal?.reason)
      }
      const sleeper: Sleeper = {
        wake() {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
      }
      signal?.addEventListener('abort', stop, { once: true })
      this.#sleepers.add(this.#nowMs + Math.max(0, Math.ceil(ms)), sleeper)
    })
  }

  /** Lets time pass until the task has ended. Throws if all sleep forever. */
  async until(task: Promise<unknown>): Promise<void> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    task.then(end, end)
    await quiet()
    while (!isOver) {
      const next = this.#sleepers.take()
      if (!next) throw new Error('all tasks wait, and no time passes')
      const { wake } = next.value
      if (!wake) continue
      this.#nowMs = next.at
      this.events += 1
      wake()
      await quiet()
    }
    await task
  }
}

interface Sleeper {
  wake: (() => void) | undefined
}

/** All promises that can go on have done so. */
const quiet = () => new Promise<void>(resolve => setImmediate(resolve))

/** Values by a number; those with the same number in the order in which they came. */
export class EarliestFirst<Value> {
  readonly #heap: { readonly at: number; readonly order: number; readonly value: Value }[] = []
  #added = 0

  get first(): { readonly at: number; readonly value: Value } | undefined {
    return this.#heap[0]
  }

  add(at: number, value: Value, order = this.#added++): void {
    const heap = this.#heap
    const entry = { at, order, value }
    let place = heap.push(entry) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (isBefore(heap[parent]!, entry)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = entry
  }

  take(): { readonly at: number; readonly value: Value } | undefined {
    const heap = this.#heap
    const taken = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || !last) return taken
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
      if (isBefore(last, heap[child]!)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = last
    return taken
  }
}

function isBefore(left: { at: number; order: number }, right: { at: number; order: number }): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order)
}
