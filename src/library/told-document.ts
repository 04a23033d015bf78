import { CommandError, exitCode } from '../cli/host/exit-code.ts'
import { escapeBetweenColours } from '../cli/host/guard-host.ts'
import type { Host } from '../cli/host/host.ts'
import { escapeLines } from '../model/text/escape-text.ts'
import type { Document } from '../report/document.ts'
import { formats } from '../report/formats.ts'
import { render } from '../report/render.ts'
import type { Told } from './public-interface.ts'

export function told<Is extends Document>({ secrets }: Host, document: Is): Told<Is> {
  return {
    document,
    async render(format = 'text', view = {}) {
      // Not every program is checked by a compiler.
      if (!Object.hasOwn(formats, format)) {
        const words = `"${format}" is not a format; there are: ${Object.keys(formats).join(', ')}`
        throw new CommandError(words, exitCode.usage)
      }
      const text = secrets.hide(await render(format, document, view))
      return view.isColourful ? escapeBetweenColours(text) : escapeLines(text)
    },
  }
}
