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

/**
 * A template in pieces: evaluated parts, `${...}` or `%{...}`, at the odd indexes, and plain text at the even
 * ones. In plain text those signs are doubled.
 */
export function templatePieces(template: string): readonly string[] {
  const pieces: string[] = []
  let from = 0
  for (const { index, 0: sign } of template.matchAll(signs)) {
    if (index < from || sign.length > 2) continue
    const end = endOfExpression(template, index + sign.length)
    pieces.push(template.slice(from, index), template.slice(index, end))
    from = end
  }
  return [...pieces, template.slice(from)]
}

/** Doubled signs first: they are plain text. */
const signs = /\$\$\{|%%\{|[$%]\{/g

/** The offset after the brace that closes an expression. */
function endOfExpression(template: string, start: number): number {
  let depth = 1
  let at = start
  while (at < template.length && depth > 0) {
    const sign = template[at]
    at += 1
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (sign === '"') at = endOfText(template, at)
  }
  return at
}

/** The offset after the quote that closes a text inside an expression; it may contain expressions itself. */
function endOfText(template: string, start: number): number {
  let at = start
  while (at < template.length) {
    const rest = /\\.|\$\$\{|%%\{|[$%]\{|"|./sy
    rest.lastIndex = at
    const [found = ''] = rest.exec(template) ?? []
    at += found.length
    if (found === '"') return at
    if (found === '${' || found === '%{') at = endOfExpression(template, at)
  }
  return at
}
