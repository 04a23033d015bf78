/** A text as Terraform's JSON has to have it, so that nothing in it is worked out and nothing is taken away. */
export function literalTemplate(text: string): string {
  return keptMark(withoutTemplates(text))
}

/** A text in which nothing is worked out. */
export function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{/g, '$1$1{')
}

/** Whether a text of Terraform's JSON may stand for something else than itself. */
export function isTemplate(text: string): boolean {
  return text.includes('${') || text.includes('%{') || text.startsWith(byteOrderMark)
}

/** What files of some editors begin with. Terraform takes it away where a text of JSON begins with it. */
export const byteOrderMark = '\ufeff'

/** A text of Terraform's JSON from which no byte order mark is taken away. */
export function keptMark(template: string): string {
  return template.startsWith(byteOrderMark) ? `\${""}${template}` : template
}

export function withoutMark(template: string): string {
  return template.startsWith(byteOrderMark) ? template.slice(byteOrderMark.length) : template
}
