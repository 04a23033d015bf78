/** A stream of the process. */
export interface Stream {
  write(text: string): void
  readonly isTerminal: boolean
  /** Whether it goes to a file, which no runner of pipelines reads as its log. */
  readonly isFile?: boolean
}

/**
 * What is written, which decides what is done to it on its way out.
 *
 * | kind | is                                              | a key in it | control characters                    | commands of a runner          |
 * |------|-------------------------------------------------|-------------|---------------------------------------|-------------------------------|
 * | text | words for people (when nothing else is said)    | taken out   | escaped, but for line ends and tabs   | escaped                       |
 * | data | what a program reads, such as exported YAML     | taken out   | escaped on a terminal, kept in a pipe | escaped in JSON, else refused |
 * | own  | made here alone: a spinner, a stand-in's own key | kept        | kept                                  | kept                          |
 */
export type WrittenKind = 'text' | 'data' | 'own'

/** A stream that a command writes to. */
export interface Output extends Stream {
  write(text: string, kind?: WrittenKind): void
  /** From now on the colours of this house pass; before that they are escaped like any control character. */
  allowColours(): void
}
