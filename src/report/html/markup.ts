/** Text that is HTML already. Whatever else is put into HTML is escaped, by its type: nobody has to think of it. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = Markup | string | number | undefined | readonly Part[]

/** HTML with values in it: texts are escaped, for elements and for attributes in double quotes. */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(literals.map((literal, at) => `${literal}${written(values[at])}`).join(''))
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}
