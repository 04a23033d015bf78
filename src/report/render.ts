import type { Document } from './document.ts'
import { textOf, type View } from './format.ts'
import { type FormatName, formats } from './formats.ts'

/** What a format says of a document, all of it in one text. */
export async function render(format: FormatName, document: Document, view: View = {}): Promise<string> {
  const { render: write } = await formats[format].load()
  return textOf(write(document, view))
}
