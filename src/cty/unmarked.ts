import { Refusal } from './invalid-value.ts'
import { findSensitive, revealed } from './marks.ts'
import { type Typed, typed } from './typed.ts'
import { Sensitive } from './value.ts'

/** Works with values that may be marked: what comes of marked ones is marked, and no failure tells what they are. */
export function unmarked(values: readonly Typed[], work: (values: readonly Typed[]) => Typed): Typed {
  const marked = values.map(({ plain }) => findSensitive(plain)).find(mark => mark !== undefined)
  if (!marked) return work(values)
  try {
    return concealed(work(values.map(withoutMarks)), marked.origin)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.is, misfit(marked))
  }
}

/** The message for a sensitive value that is wrong: it shows nothing of the value. */
export function misfit({ origin }: Sensitive): string {
  return `what ${origin} holds, which is sensitive, does not fit here`
}

/** The value, marked as a whole. */
export function concealed({ type, plain }: Typed, origin: string): Typed {
  return { type, plain: new Sensitive(revealed(plain), origin) }
}

export function withoutMarks({ type, plain }: Typed): Typed {
  return typed(type, revealed(plain))
}

/** Whether a value is null, also where it is marked. */
export function isNull({ plain }: Typed): boolean {
  return plain === null || (plain instanceof Sensitive && plain.value === null)
}
