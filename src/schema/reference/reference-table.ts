import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'

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

/** A file as people would write it. A test reads every file in the reference. */
export function example(file: string, text: string): string[] {
  return ['```yaml', `# ${file}`, text.trim(), '```', '']
}

/** A value as it is written in files and commands. */
export function code(value: string | number | boolean): string {
  return `\`${value}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
