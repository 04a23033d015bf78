import type { Format } from './format.ts'

interface FormatEntry {
  /** What help says of the option that chooses it, which is called as the format is; without it nobody can choose it. */
  readonly option?: string
  /** A command loads the format that it writes and no other. */
  readonly load: () => Promise<Format>
}

/** Every format that a document can be written in. */
export const formats = {
  /** For people at a terminal. */
  text: { load: async () => (await import('./text/text.ts')).text },
  json: { option: 'print JSON', load: async () => (await import('./json-format.ts')).json },
  /** For GitHub Actions, which shows problems at their lines in a pull request. */
  annotations: { load: async () => (await import('./annotations.ts')).annotations },
} as const satisfies Readonly<Record<string, FormatEntry>>

export type FormatName = keyof typeof formats

/** The formats that an option chooses, with what help says of it. */
export function optionalFormats(): readonly (readonly [FormatName, string])[] {
  return Object.entries<FormatEntry>(formats).flatMap(([name, { option }]) =>
    // The keys of a literal are typed as texts.
    option === undefined ? [] : [[name as FormatName, option]],
  )
}
