import { byteOrderMark } from './json.ts'

/** A text as Terraform's JSON has to have it, so that nothing in it is worked out and nothing is taken away. */
export function literalTemplate(text: string): string {
  return keptMark(withoutTemplates(text))
}

/** The text that a template is of in which nothing is worked out. */
export function textOfLiteral(template: string): string {
  return withoutGuard(template).replace(/([$%])\1\{/g, '$1{')
}

/** A template without what keeps a byte order mark in its text, or else without that mark. */
export function withoutGuard(template: string): string {
  return template.startsWith(guard + byteOrderMark) ? template.slice(guard.length) : withoutMark(template)
}

/** A text in which nothing is worked out. */
export function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{/g, '$1$1{')
}

/** Whether a text of Terraform's JSON may stand for something else than itself. */
export function isTemplate(text: string): boolean {
  return text.includes('${') || text.includes('%{') || text.startsWith(byteOrderMark)
}

/** A text of Terraform's JSON from which no byte order mark is taken away. */
export function keptMark(template: string): string {
  return template.startsWith(byteOrderMark) ? guard + template : template
}

/** Terraform takes a mark away only where nothing stands before it. */
const guard = `\${""}`

export function withoutMark(template: string): string {
  return template.startsWith(byteOrderMark) ? template.slice(byteOrderMark.length) : template
}
