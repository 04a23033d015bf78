import { convert } from '../../cty/convert.ts'
import { invalid } from '../../cty/invalid-value.ts'
import { revealed } from '../../cty/marks.ts'
import { nothing, type Typed } from '../../cty/typed.ts'
import { Unknown } from '../../cty/unknown.ts'
import { unmarked } from '../../cty/unmarked.ts'
import { Sensitive } from '../../cty/value.ts'

/** What a condition comes to, and the mark of what must not be shown of it. */
export interface Condition {
  readonly holds: boolean | Unknown
  readonly mark: Sensitive | undefined
}

/** A value as a condition; what is wrong with one that is sensitive is told without it. */
export function conditionOf(value: Typed): Condition {
  const { plain } = unmarked([value], ([shown = nothing]) => convert(shown, 'bool'))
  const holds = revealed(plain)
  if (holds === null) throw invalid('a condition is null')
  return {
    holds: holds instanceof Unknown ? holds : holds === true,
    mark: plain instanceof Sensitive ? plain : undefined,
  }
}
