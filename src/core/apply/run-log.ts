import type { ApplyEvent } from './apply-event.ts'
import type { EventQueue } from './event-queue.ts'

/** Why a change is left out once the journal has failed. */
export const notOnRecord = 'the journal cannot be written'

/** Whether something was left undone because it could not be put on record first. */
export function isNotOnRecord(error: unknown): boolean {
  return error instanceof NotOnRecord
}

/** The events of a run, on record first and then with the reader; after a failure, with the reader alone. */
export class RunLog {
  readonly #record: (event: ApplyEvent) => Promise<void>
  readonly #queue: EventQueue<ApplyEvent>
  #failure: unknown

  constructor(record: (event: ApplyEvent) => Promise<void>, queue: EventQueue<ApplyEvent>) {
    this.#record = record
    this.#queue = queue
  }

  /** Why the record failed; undefined as long as it holds. */
  get failure(): unknown {
    return this.#failure
  }

  /** What is about to happen: it must not when it cannot be put on record. */
  async beginning(event: ApplyEvent): Promise<void> {
    await this.#write(event)
    if (this.#failure !== undefined) throw new NotOnRecord()
    this.#queue.push(event)
  }

  /** What has happened: whoever watches learns of it even when it cannot be put on record. */
  async ended(event: ApplyEvent): Promise<void> {
    await this.#write(event)
    this.#queue.push(event)
  }

  async #write(event: ApplyEvent): Promise<void> {
    if (this.#failure !== undefined) return
    try {
      await this.#record(event)
    } catch (error) {
      this.#failure ??= error ?? notOnRecord
    }
  }
}

/** Thrown in place of what must not happen without being on record first. */
class NotOnRecord extends Error {
  constructor() {
    super(notOnRecord)
  }
}

/** The journal of a run failed in the middle of it. What had left by then was waited for. */
export class JournalError extends Error {
  override readonly name = 'JournalError'

  constructor(cause: unknown) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    super(
      `the journal cannot be written (${why}): what was under way was finished and nothing more was begun; mend that, then run the same command again`,
      { cause },
    )
  }
}
