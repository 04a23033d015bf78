import type { Json } from '../../model/json/json.ts'
import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import { conditionCount, testedVariants } from './read-test.ts'

/** What to do about a text that a test expects and that is no variant of the flag; undefined where it is one. */
export function variantHint(value: string, filters: Json): string | undefined {
  const keys = testedVariants(filters)
  if (keys.includes(value)) return undefined
  if (value === 'true' || value === 'false') return `write ${value} without quotes`
  const listed =
    keys.length === 0
      ? 'the flag has no variants; expect true or false'
      : `there are: ${listSome(keys, 'and')}`
  return new Suggestions(keys).hint(value, listed)
}

/** What to say of a number that a test gives and that no condition of the flag has. */
export function noCondition(
  number: number | string,
  filters: Json,
): { readonly message: string; readonly hint: string } {
  const count = conditionCount(filters)
  return {
    message: `the flag has no condition ${number}`,
    hint: count === 0 ? 'it has none' : `its conditions are 1 to ${count}`,
  }
}
