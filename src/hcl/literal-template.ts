import { byteOrderMark } from './json.ts'

/** Escapes a text for Terraform's JSON, so that Terraform neither evaluates nor removes any part. */
export function literalTemplate(text: string): string {
  return keptMark(withoutTemplates(text))
}

/** The text of a template that contains nothing to evaluate. */
export function textOfLiteral(template: string): string {
  return withoutGuard(template).replace(/([$%])\1\{/g, '$1{')
}

/** Removes the guard before a byte order mark or, without a guard, the mark. */
export function withoutGuard(template: string): string {
  return template.startsWith(guard + byteOrderMark) ? template.slice(guard.length) : withoutMark(template)
}

/** Escapes a text so that it contains nothing to evaluate. */
export function withoutTemplates(text: string): string {
  return text.replace(/([$%])\{/g, '$1$1{')
}

/** Whether a text in Terraform's JSON may have another value than itself. */
export function isTemplate(text: string): boolean {
  return text.includes('${') || text.includes('%{') || text.startsWith(byteOrderMark)
}

/** Guards the byte order mark of a text in Terraform's JSON, so that Terraform keeps the mark. */
export function keptMark(template: string): string {
  return template.startsWith(byteOrderMark) ? guard + template : template
}

/** Terraform removes a mark only at the very start, so an empty expression protects it. */
const guard = `\${""}`

export function withoutMark(template: string): string {
  return template.startsWith(byteOrderMark) ? template.slice(byteOrderMark.length) : template
}
