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

/** A template in Terraform's own language: in quotes, for an argument of a function. */
export function quotedTemplate(template: string): string {
  const quoted = templatePieces(template).map((piece, index) =>
    index % 2 === 1 ? piece : escapedText(piece),
  )
  return `"${quoted.join('')}"`
}

/** The expression that is all of a template, without its braces; undefined for any other template. */
export function onlyExpression(template: string): string | undefined {
  const [before, expression = '', after, ...more] = templatePieces(template)
  const isAll = before === '' && after === '' && more.length === 0
  return isAll && expression.startsWith('$') ? expression.slice(2, -1) : undefined
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

/** Escaped as in JSON, except for two short forms that Terraform's language does not have. */
function escapedText(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\(.)/g, (whole, sign: string) => ({ b: '\\u0008', f: '\\u000c' })[sign] ?? whole)
}
