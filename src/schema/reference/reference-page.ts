import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'

/** Lines of Markdown by the name of their place in a page. Each ends with an empty line. */
export type PageParts = Readonly<Record<string, readonly string[]>>

/**
 * A page with its computed parts filled in again. Each is between `<!-- computed: NAME -->` and
 * `<!-- end -->`; everything else in the page is written by hand. Every part has one place in the page.
 */
export function fillPage(page: string, parts: PageParts): string {
  const missing = new Set(Object.keys(parts))
  const filled = page.replace(/(<!-- computed: (\S+) -->\n\n)[\s\S]*?(?=<!-- end -->)/g, (_, head, name) => {
    if (!missing.delete(name)) throw new RangeError(`the page has "${name}" twice, or no part is called so`)
    return `${head}${(parts[name] ?? []).join('\n')}\n`
  })
  if (missing.size > 0) throw new RangeError(`the page has no place for ${[...missing].join(', ')}`)
  return filled
}

/** A table in Markdown, followed by an empty line; nothing if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), '']
}

/** The members that a schema describes, as a table. */
export function propertyTable(title: string, properties: JsonObject): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type, enum: choices, description } = isJsonObject(schema) ? schema : {}
    const types = [type ?? 'any'].flat().join(' or ')
    const words = isJsonArray(choices) ? choices.map(choice => `\`${choice}\``).join(', ') : types
    return [`\`${name}\``, words, String(description ?? '')]
  })
  return table([title, 'Type', 'Meaning'], rows)
}

export function propertiesOf(schema: Json | undefined): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
}

/** A value as it is written in files and commands. */
export function code(value: string | number | boolean): string {
  return `\`${value}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
