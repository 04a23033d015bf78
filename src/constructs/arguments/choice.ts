import type { IResolvable } from 'cdktf'
import type { DeclarableKind } from '../../model/kind.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { checkAllowed } from '../../rules/check-field.ts'
import { hasMark } from '../engine/engine-marks.ts'
import { type Reader, text, texts } from './argument.ts'

/** One of a few texts, or a reference to one. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
): Reader<Choice | IResolvable> {
  return (value, name) => {
    const read = text(value, name)
    const known = choices.find(each => each === read)
    if (known === undefined && !hasMark(read)) {
      const listed = `take one of ${choices.map(each => `"${each}"`).join(', ')}`
      throw new TypeError(
        `"${name}" is ${JSON.stringify(read)}, which it cannot be; ${meantHint(read, choices, listed)}`,
      )
    }
    // A reference is a text until the synthesis.
    return read as Choice
  }
}

/** The rules that are allowed for one object of a kind. */
export function allowed<Rule extends string>(kind: DeclarableKind): Reader<Rule[] | undefined> {
  return (value, name) => {
    const rules = texts(value, name)
    const known = rules.filter(rule => !hasMark(rule))
    const [problem] = checkAllowed(known, kind)
    if (problem) {
      const place = `${name}[${rules.findIndex(rule => checkAllowed([rule], kind).length > 0 && !hasMark(rule))}]`
      throw new TypeError(`"${place}": ${problem.message} (${problem.hint})`)
    }
    // The others are references.
    return rules as Rule[]
  }
}
