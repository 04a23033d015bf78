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
