import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'

/** How many properties a name is made of. */
const mostParts = 2
/** The longest name, in characters. */
const longest = 40

/**
 * Names for conditions, as filters have them, from what they ask for: `country_de`, `plan_and_country`, `cohort_12`. The last one that
 * asks for nothing is the `rest`, a single one `everyone`. Percentages are no part of them, so that a name stays while a
 * release grows.
 */
export function conditionNames(conditions: readonly Json[]): string[] {
  const taken = new Set<string>()
  return conditions.map((condition, index) => {
    const name = nameOf(condition, index === conditions.length - 1 && index > 0)
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}

function nameOf(condition: Json, isLast: boolean): string {
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  const parts = isJsonArray(properties) ? properties.map(partOf) : []
  if (parts.length === 0) return isLast ? 'rest' : 'everyone'
  const [only] = parts
  const words =
    parts.length === 1 && only
      ? only.value === undefined
        ? only.key
        : `${only.key}_${only.value}`
      : parts
          .slice(0, mostParts)
          .map(({ key }) => key)
          .join('_and_')
  return asName(words)
}

interface Part {
  readonly key: string
  /** What it is compared with, where that is one short word. */
  readonly value?: string
}

function partOf(property: Json): Part {
  if (!isJsonObject(property)) return { key: '' }
  const { type, value = null, operator = 'exact' } = property
  const ofProperty = String(property.key ?? '')
  if (type === 'flag') return { key: `flag_${ofProperty}` }
  const key = type === 'cohort' ? 'cohort' : ofProperty
  const single = isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value
  const isWord =
    typeof single === 'number' ||
    (typeof single === 'string' && (type === 'cohort' ? single !== '' : /^[\w.-]{1,16}$/.test(single)))
  return isWord && (type === 'cohort' || operator === 'exact') ? { key, value: String(single) } : { key }
}

/** Small letters, digits and `_`, with a letter first. */
function asName(words: string): string {
  const name = words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
    .replace(/_+$/, '')
  return name === '' ? 'condition' : name
}
