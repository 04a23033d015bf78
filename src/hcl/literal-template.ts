import { byteOrderMark } from './json.ts'

/** A text in the form for Terraform's JSON, so that nothing in it is evaluated or removed. */
export function literalTemplate(text: string): string {
  return keptMark(withoutTemplates(text))
}

/** The text of a template without anything to evaluate. */
export function textOfLiteral(template: string): string {
  return withoutGuard(template).replace(/([$%])\1\{/g, '$1{')
}

/** A template without the guard of its byte order mark or, if there is none, without that mark. */
export function withoutGuard(template: string): string {
  return template.startsWith(guard + byteOrderMark) ? template.slice(guard.length) : withoutMark(template)
}

/** A text with nothing to evaluate in it. */
export function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{/g, '$1$1{')
}

/** Whether a text of Terraform's JSON may have another value than itself. */
export function isTemplate(text: string): boolean {
  return text.includes('${') || text.includes('%{') || text.startsWith(byteOrderMark)
}

/** A text of Terraform's JSON whose byte order mark is kept. */
export function keptMark(template: string): string {
  return template.startsWith(byteOrderMark) ? guard + template : template
}

/** Terraform removes a mark only if nothing comes before it. */
const guard = `\${""}`

export function withoutMark(template: string): string {
  return template.startsWith(byteOrderMark) ? template.slice(byteOrderMark.length) : template
}
