/**
 * The only access to the time, to waiting and to random numbers for everything below `main`. A test passes
 * its own, so no test sleeps and every run can be repeated.
 */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A number from 0 up to, but not including, 1. */
  random(): number
  /** A unique name for a run. */
  uniqueId(): string
  /** Records how long things take; absent if nobody needs it. */
  readonly tracer?: Tracer
}

/** The attributes of a span. Texts hold no values of people, and no key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Something that takes time, as a trace shows it. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks it as failed; `type` is a code, such as `ECONNRESET` or the status of an answer. */
  fail(type: string): void
}

/** Records how long things take. Each span is a child of the one in which it begins. */
export interface Tracer {
  within<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T>
}

export interface SpanOptions {
  /** Whether it waits for another system. */
  readonly isClient?: boolean
  readonly attributes?: SpanAttributes
}

const noSpan: Span = { set() {}, fail() {} }

/** Runs something as a span; without a trace, it just runs it. */
export function within<T>(
  { tracer }: { readonly tracer?: Tracer },
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? run(noSpan) : tracer.within(name, options, run)
}

/** A function that does its work at the first call, and returns the same result from then on. */
export function once<Made>(work: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: work() }
    return made.value
  }
}

/**
 * A function that computes its result once for each object, and returns the same from then on. For objects
 * that never change, such as descriptions and schemas. Nobody may change the result.
 */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>()
  return key => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}
