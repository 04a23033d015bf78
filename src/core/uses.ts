import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { type DeclarableKind, guardedFields, identityField, targetingField } from '../model/kind.ts'
import { lostWithKey } from '../targeting/filter-parts.ts'
import { valueText } from '../targeting/index.ts'

/** What other parts of the product hang from a flag, each with the guard of that name. */
export const uses = ['experiment', 'survey', 'feature'] as const

export type Use = (typeof uses)[number]

/**
 * What uses an object, by name or else by id; an empty text where it has neither. Of experiments those that run, where
 * the service shows which do: one that has ended loses nothing.
 */
export function usesOf(kind: DeclarableKind, use: Use, record: JsonObject): readonly string[] {
  const fields = guardedFields(kind, use)
  const telling = fields.find(name => kind.fields[name]?.runsBy !== undefined && isJsonArray(record[name]))
  const shown = telling === undefined ? fields : [telling]
  return shown.flatMap(name => {
    const value = record[name] ?? null
    if (!isJsonArray(value)) return isEmptyJson(value) ? [] : ['']
    const { runsBy } = kind.fields[name] ?? {}
    return value.filter(each => runsBy === undefined || isRunning(each, runsBy)).map(useName)
  })
}

/** One that does not show whether it runs may well do so. */
function isRunning(use: Json, member: string): boolean {
  return !isJsonObject(use) || use[member] !== false
}

function useName(use: Json): string {
  if (!isJsonObject(use)) return typeof use === 'object' ? '' : String(use)
  const { name = null, id = null } = use
  const shown = typeof name === 'string' && name !== '' ? name : id
  return typeof shown === 'object' ? '' : String(shown)
}

const useWords: Readonly<Record<Use, string>> = {
  experiment: 'experiment',
  survey: 'survey',
  feature: 'early access feature',
}

/** What is lost with the key of a live object, or with the object: enrolments, and what other parts of the product do with it. */
export function lostWith(kind: DeclarableKind, record: JsonObject): readonly string[] {
  return [
    ...lostWithKey(record[targetingField(kind) ?? ''] ?? null),
    ...uses.flatMap(use =>
      usesOf(kind, use, record).map(name => `${useWords[use]}${name === '' ? '' : ` ${nameWord(name)}`}`),
    ),
  ]
}

/** A number is an id. */
function nameWord(name: string): string {
  return /^\d+$/.test(name) ? name : valueText(name)
}

const drawnAnew =
  'places in percentages and among variants are drawn anew: people may lose the flag, get it, or get another value'

/** Who loses what by another name, in one line; undefined where nobody does. */
export function lossByRename(
  kind: DeclarableKind,
  lost: readonly string[],
  isDrawn: boolean,
): string | undefined {
  const name = identityField(kind)
  const drawn = isDrawn ? drawnAnew : undefined
  if (lost.length === 0) return drawn && `under another ${name} ${drawn}`
  return [`lost under another ${name}: ${lost.join(', ')}`, ...(drawn === undefined ? [] : [drawn])].join(
    '; ',
  )
}

/** The same of a deletion. */
export function lossByDeletion(lost: readonly string[]): string | undefined {
  return lost.length === 0 ? undefined : `lost with it: ${lost.join(', ')}`
}

/** What changes places by another value of a field. */
export function redrawnWords(field: string): string {
  return `${field} changed: ${drawnAnew}`
}
