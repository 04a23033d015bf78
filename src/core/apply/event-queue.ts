/** Hands values from several writers to one reader, in the order in which they were written. */
export class EventQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = []
  #isClosed = false
  #wake: () => void = () => {}

  push(value: T): void {
    this.#waiting.push(value)
    this.#wake()
  }

  /** Ends the reading once everything that was written has been read. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const values = this.#waiting
      this.#waiting = []
      yield* values
      if (this.#waiting.length > 0) continue
      if (this.#isClosed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
