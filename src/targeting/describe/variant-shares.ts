import type { Json } from '../../model/json/json.ts'
import { canonicalFilters } from '../filters.ts'
import { isReaching, readRelease } from '../release.ts'
import { word } from './describe-property.ts'

const mostVariants = 4

/**
 * What those get who get a flag, as the object of a sentence: `it`, `variant edge`, or
 * `one of its variants` with the shares where nothing but their weights decides.
 */
export function whatIsGot(filters: Json): { readonly what: string; readonly shares?: string } {
  const { conditions, variants } = readRelease(canonicalFilters(filters))
  const forced = conditions.filter(isReaching).map(({ variant }) => variant)
  const [first] = forced
  if (first !== undefined && forced.every(variant => variant === first))
    return { what: `variant ${word(first)}` }
  if (variants.length === 0) return { what: 'it' }
  if (forced.some(variant => variant !== undefined)) return { what: 'one of its variants' }
  const shown = variants.slice(0, mostVariants).map(({ key, percent }) => `${word(key)} ${percent}%`)
  const more = variants.length - shown.length
  const shares = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
  return { what: 'one of its variants', shares }
}
