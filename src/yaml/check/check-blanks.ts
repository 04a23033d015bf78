import { isJsonArray, isJsonObject, type Json, pickMembers } from '../../model/json/json.ts'
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
  const inFilters = blanksInFilters(layer.members[name], layer.pointer, name)
  const inShort = blanksInShort(layer)
  if (inFilters.length + inShort.length === 0) return []
  const told = (pointers: readonly string[], hint: string) =>
    pointers
      .filter(pointer => isWrittenAsNothing(file.parsed, pointer))
      .map(pointer => ({
        pointer,
        code: 'empty-value',
        message: `${quote(segmentsOf(pointer).at(-1))} is empty, which would mean everybody`,
        hint,
      }))
  return [
    ...told(inFilters, 'fill it in, or write null to mean that'),
    ...told(inShort, 'fill it in; in an override, null removes what is shared'),
  ]
}

function blanksInFilters(filters: Json | undefined, layer: string, field: string): string[] {
  const groups = isJsonObject(filters) ? filters.groups : undefined
  if (groups === null) return [`${layer}${pointerOf(field)}/groups`]
  if (groups === undefined || !isJsonArray(groups) || !groups.some(hasBlank)) return []
  const at = `${layer}${pointerOf(field)}/groups`
  return groups.flatMap((condition, index) => blankIn(condition).map(name => `${at}/${index}/${name}`))
}

function hasBlank(condition: Json): boolean {
  return isJsonObject(condition) && (condition.properties === null || condition.rollout_percentage === null)
}

function blankIn(condition: Json): string[] {
  if (!isJsonObject(condition)) return []
  return ['properties', 'rollout_percentage'].filter(name => condition[name] === null)
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

/** Whether nothing at all stands behind a key: it is then found where the key is. */
export function isWrittenAsNothing({ locate }: ParsedYaml, pointer: string): boolean {
  const [key, value] = [locate(pointer, 'key'), locate(pointer, 'value')]
  return key.line === value.line && key.column === value.column
}
