import type { Host } from '../cli/host/host.ts'
import { escapeLines } from '../model/text/escape-text.ts'
import type { Document } from '../report/document.ts'
import { render } from '../report/render.ts'
import type { Told } from './program.ts'

export function told<Is extends Document>({ secrets }: Host, document: Is): Told<Is> {
  return {
    document,
    async render(format = 'text', view = {}) {
      const text = secrets.hide(await render(format, document, view))
      return view.isColourful || format !== 'text' ? text : escapeLines(text)
    },
  }
}
