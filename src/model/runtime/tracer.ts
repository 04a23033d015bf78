/** What is said of a span. Texts hold no values of people, and no key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Something that takes a while, as a trace shows it. */
export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks it as failed; `type` is a code, such as `ECONNRESET` or the status of an answer. */
  fail(type: string): void
}

/** Takes note of what takes how long. Each span is a child of the one in which it begins. */
export interface Tracer {
  within<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T>
}

export interface SpanOptions {
  /** Whether it waits for another system. */
  readonly isClient?: boolean
  readonly attributes?: SpanAttributes
}

const noSpan: Span = { set() {}, fail() {} }

/** Runs something as a span; where nobody traces, it is just run. */
export function within<T>(
  { tracer }: { readonly tracer?: Tracer },
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? run(noSpan) : tracer.within(name, options, run)
}
