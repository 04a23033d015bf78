import { isJsonArray } from '../../../model/json/json.ts'
import type { Sensitive } from '../../../model/safety/redacted-part.ts'
import type { Declarations } from '../../desired.ts'

/** What undoes a run hides what the run hid, and what is declared to be sensitive since. */
export function hiddenToday(undoing: Declarations, { desired: today }: Declarations): Declarations {
  const declared = new Map(today.map(({ address, sensitive }) => [address, sensitive]))
  return {
    ...undoing,
    desired: undoing.desired.map(desired => {
      const sensitive = both(desired.sensitive, declared.get(desired.address))
      return sensitive === undefined ? desired : { ...desired, sensitive }
    }),
  }
}

function both(left: Sensitive | undefined, right: Sensitive | undefined): Sensitive | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return isJsonArray(left) && isJsonArray(right) ? [...new Set([...left, ...right])] : true
}
