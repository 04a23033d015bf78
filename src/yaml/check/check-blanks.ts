import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import { elementsOf, hasNull } from '../../targeting/short/short-form.ts'
import type { Layer, ObjectDeclaration } from '../declaration.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { quote } from '../parse/quote.ts'
import { shortPlace } from '../resolve/expand-layer.ts'

interface Blank {
  readonly pointer: string
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** What says nothing releases to everybody: `rollout_percentage:` with the number forgotten would be 100%. */
export function checkBlanks({ kind, file }: ObjectDeclaration, layer: Layer): Blank[] {
  const name = targetingField(kind)
  if (name === undefined) return []
  const told = (pointers: readonly string[], hint: string) =>
    pointers
      .filter(pointer => isWrittenAsNothing(file.parsed, pointer))
      .map(pointer => ({
        pointer,
        code: 'empty-value',
        message: `${quote(segmentsOf(pointer).at(-1))} is empty, which would mean everybody`,
        hint,
      }))
  const inFilters = blanksInFilters(layer.members[name], layer.pointer + pointerOf(name))
  return [
    ...told(inFilters, 'fill it in, or write null to mean that'),
    ...told(blanksInShort(layer), 'fill it in; in an override, null removes what is shared'),
  ]
}

function blanksInFilters(filters: Json | undefined, at: string): string[] {
  if (!isJsonObject(filters)) return []
  const conditions = isJsonArray(filters.groups) ? filters.groups : []
  return [
    ...blanksIn(filters, ['groups'], at),
    ...conditions.flatMap((condition, index) =>
      isJsonObject(condition)
        ? blanksIn(condition, ['properties', 'rollout_percentage'], `${at}/groups/${index}`)
        : [],
    ),
  ]
}

/** Payloads may hold what they like. */
function blanksInShort(layer: Layer): string[] {
  const { short } = layer
  if (short === undefined || !hasNull(short)) return []
  const blanks = nullsIn(
    pickMembers(short, (_, name) => name !== 'payloads'),
    '',
  )
  return blanks.map(inside => shortPlace(layer, inside))
}

function nullsIn(value: Json, pointer: string): string[] {
  if (value === null) return [pointer]
  if (typeof value !== 'object') return []
  // An element of a list has no key that it could be left behind.
  return elementsOf(value)
    .filter(([step, element]) => typeof step === 'string' || element !== null)
    .flatMap(([step, element]) => nullsIn(element, pointer + pointerOf(step)))
}

function blanksIn(value: JsonObject, names: readonly string[], at: string): string[] {
  return names.filter(name => value[name] === null).map(name => `${at}/${name}`)
}

/** Whether nothing at all stands behind a key: it is then found where the key is. */
export function isWrittenAsNothing({ locate }: ParsedYaml, pointer: string): boolean {
  const [key, value] = [locate(pointer, 'key'), locate(pointer, 'value')]
  return key.line === value.line && key.column === value.column
}
