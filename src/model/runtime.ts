/**
 * The only access to time, waiting and random numbers for everything below `main`. Tests pass their own, so
 * that no test sleeps and every run can be repeated.
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
  /** Measures durations; absent if nobody needs them. */
  readonly tracer?: Tracer
}

/** The attributes of a span. They contain no personal values and no key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** An operation in a trace. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks the operation as failed. `type` is a code, such as `ECONNRESET` or an HTTP status. */
  fail(type: string): void
}

/** Measures durations. Each span is a child of the span in which it begins. */
export interface Tracer {
  within<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T>
}

export interface SpanOptions {
  /** Whether the operation waits for another system. */
  readonly isClient?: boolean
  /** Whether it begins a trace of its own. */
  readonly isRoot?: boolean
  readonly attributes?: SpanAttributes
}

const noSpan: Span = { set() {}, fail() {} }

/** Runs an operation as a span. Without a tracer it only runs the operation. */
export function within<T>(
  { tracer }: { readonly tracer?: Tracer },
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? run(noSpan) : tracer.within(name, options, run)
}

/** Wraps a function so that it runs only at the first call. Later calls return the same result. */
export function once<Made>(work: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: work() }
    return made.value
  }
}

/**
 * Wraps a function so that it runs once for each object. Use it for objects that never change, such as
 * descriptions and schemas. Nobody may change the result.
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

/** The same for texts. Forgets all results when there are many. */
export function oncePerText<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, { readonly value: Made }>()
  return text => {
    const known = made.get(text)
    if (known) return known.value
    const value = make(text)
    if (made.size === 200) made.clear()
    made.set(text, { value })
    return value
  }
}
