import type { JsonArray } from '../model/json.ts'
import type { Call } from './call.ts'
import { invalid } from './refusal.ts'

/** Tags as they are kept: trimmed, in lower case, each once. A plan without tagging keeps none, and says nothing. */
export function keptTags(
  call: Call,
  { maxLength }: { readonly maxLength: number },
  tags: JsonArray,
  before: readonly string[],
): readonly string[] {
  const labels = tags.map((tag, index) => {
    if (typeof tag !== 'string') throw invalid(`tags__${index}`, 'Not a valid string.')
    const label = tag.trim().toLowerCase()
    if (label === '') throw invalid(`tags__${index}`, 'This field may not be blank.', 'blank')
    if ([...label].length > maxLength)
      throw invalid(
        `tags__${index}`,
        `Ensure this field has no more than ${maxLength} characters.`,
        'max_length',
      )
    return label
  })
  return call.quirks.tags === 'dropped' ? before : [...new Set(labels)].sort()
}

/** Tags as they are answered: in no order to rely on, and none on a plan without tagging. */
export function shownTags({ quirks, random }: Call, tags: readonly string[]): readonly string[] {
  if (quirks.tags === 'dropped') return []
  return quirks.tag_order === 'sorted' ? tags : shuffled(tags, random)
}

function shuffled(tags: readonly string[], random: () => number): readonly string[] {
  const result = [...tags]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}
