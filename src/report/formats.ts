import type { Document } from './document.ts'
import { type Format, joinPieces, type View } from './format.ts'

interface FormatEntry {
  /** The help text of the option with the format's name; without help text there is no option. */
  readonly option?: string
  /** The file extension for `--report`. A format without an extension is not available there. */
  readonly extension?: string
  /** Whether a file with this extension may be an earlier report, which a new one may replace. */
  readonly isEarlier?: (text: string) => boolean
  /** A command loads only the format that it writes. */
  readonly load: () => Promise<Format>
}

/** Every format that a document can be written in. */
export const formats = {
  /** For people at a terminal. */
  text: { extension: '.txt', isEarlier: () => true, load: async () => (await import('./text.ts')).text },
  json: {
    option: 'print JSON',
    extension: '.json',
    // Package files, declarations and similar files do not begin like this.
    isEarlier: text => /^\s*\{\s*"(?:format_version|type)"/.test(text),
    load: async () => (await import('./json.ts')).json,
  },
  /** For comments on pull requests, and for issues. */
  markdown: {
    extension: '.md',
    isEarlier: text => text.startsWith('<!-- vexil:'),
    load: async () => (await import('./markdown.ts')).markdown,
  },
  /** For reviewers: one HTML file that loads nothing else. */
  html: {
    extension: '.html',
    isEarlier: text => text.slice(0, 2000).includes('<meta name="generator" content="vexil">'),
    load: async () => (await import('./html/html.ts')).htmlFormat,
  },
  /** For the test results of a pipeline. */
  junit: {
    extension: '.junit.xml',
    isEarlier: text => text.includes('<testsuites name="vexil'),
    load: async () => (await import('./pipeline-formats.ts')).junit,
  },
  /** For code hosts that show findings at their lines. */
  sarif: {
    extension: '.sarif',
    isEarlier: text => /"driver": \{\s*"name": "vexil"/.test(text),
    load: async () => (await import('./pipeline-formats.ts')).sarif,
  },
  /** For GitHub Actions, which shows problems at their lines in a pull request. */
  annotations: { load: async () => (await import('./pipeline-formats.ts')).annotations },
} as const satisfies Readonly<Record<string, FormatEntry>>

export type FormatName = keyof typeof formats

/** The formats with an option, and the help of that option. */
export function optionalFormats(): readonly (readonly [FormatName, string])[] {
  return Object.entries<FormatEntry>(formats).flatMap(([name, { option }]) =>
    // TypeScript types the keys of a literal only as strings.
    option === undefined ? [] : [[name as FormatName, option]],
  )
}

/** The formats that `--report` can write. A longer extension comes before a shorter one. */
export function reportFormats(): readonly (Required<Pick<FormatEntry, 'extension' | 'isEarlier'>> & {
  readonly name: FormatName
})[] {
  return Object.entries<FormatEntry>(formats)
    .flatMap(([name, { extension, isEarlier = () => false }]) =>
      extension === undefined ? [] : [{ name: name as FormatName, extension, isEarlier }],
    )
    .sort((left, right) => right.extension.length - left.extension.length)
}

/** Renders a document in a format, as one text. */
export async function render(format: FormatName, document: Document, view: View = {}): Promise<string> {
  const { render: write } = await formats[format].load()
  return joinPieces(write(document, view))
}
