import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The interface document as tables: heading above, then rows of cells. */
export interface DocumentTable {
  readonly heading: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export const documentText = readFileSync(join(import.meta.dirname, 'interface.md'), 'utf8')

/** Every table of the document, in order. */
export function documentTables(): DocumentTable[] {
  const tables: { heading: string; header: string[]; rows: string[][] }[] = []
  let heading = ''
  let isInside = false
  for (const line of documentText.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+\s*/, '')
    if (!line.startsWith('|')) {
      isInside = false
      continue
    }
    const cells = line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim())
    if (!isInside) {
      tables.push({ heading, header: cells, rows: [] })
      isInside = true
    } else if (!cells.every(cell => /^-+$/.test(cell))) {
      tables.at(-1)?.rows.push(cells)
    }
  }
  return tables
}

/** The first table below a heading that starts with `heading`. */
export function documentTable(heading: string): DocumentTable {
  const table = documentTables().find(candidate => candidate.heading.startsWith(heading))
  if (!table) throw new Error(`the document has no table under "${heading}"`)
  return table
}

/** The fields named in a sentence such as `Fields accepted in ...: name (string), key (string).`, with their types. */
export function fieldsInSentence(start: string): Record<string, string | undefined> {
  const line = documentText.split('\n').find(candidate => candidate.startsWith(start))
  if (!line) throw new Error(`the document has no sentence "${start}"`)
  const list = line.slice(line.indexOf(':') + 1).split('. ')[0] ?? ''
  const entries = list
    .replace(/\(types as in the table\).*$/, '')
    .split(',')
    .map(entry => /(\w+)(?: \(([^)]*)\))?/.exec(entry.trim()))
  return Object.fromEntries(entries.flatMap(match => (match?.[1] ? [[match[1], match[2]]] : [])))
}
