/** A text as Terraform's JSON has to have it, so that nothing in it is worked out and nothing is taken away. */
export function literalTemplate(text: string): string {
  return keptMark(withoutTemplates(text))
}

/** Whether something in a text is worked out. */
export function isTemplate(text: string): boolean {
  return text.includes('${') || text.includes('%{')
}

/** A text in which nothing is worked out. */
export function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{/g, '$1$1{')
}

/** Terraform takes a byte order mark away where a text of JSON begins with it. */
export function keptMark(template: string): string {
  return template.startsWith('\ufeff') ? `\${""}${template}` : template
}
