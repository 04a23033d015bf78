import recorded from './recorded-answers.json' with { type: 'json' }
import inputs from './recorded-inputs.json' with { type: 'json' }
import variables from './recorded-variables.json' with { type: 'json' }
import type { Answer, InputAnswer } from './terraform-answers.ts'

/** An answer as it is kept: its type and its JSON; null where Terraform refuses. */
export type Kept = readonly [type: unknown, json: string] | null

/** The same with the parts that are sensitive. */
type KeptInput = readonly [type: unknown, json: string, sensitive: unknown] | null

/**
 * What Terraform has answered, by expression: those that people wrote, and those that were generated. Each change of
 * `src/hcl` that some of 2,743 expressions noticed, two of these notice.
 */
// The file holds what `recordText` writes.
export const recordedAnswers = answersIn(recorded as unknown as Readonly<Record<string, Kept>>)

/** The same for variables, by the JSON of their blocks. */
export const recordedVariables = answersIn(variables as unknown as Readonly<Record<string, Kept>>)

/** What Terraform has made of what modules are called with, by the JSON of the variable and what it is given. */
export const recordedInputs: Readonly<Record<string, InputAnswer>> = Object.fromEntries(
  // The file holds what `inputsText` writes.
  Object.entries(inputs as unknown as Readonly<Record<string, KeptInput>>).map(([input, answer]) => [
    input,
    answer === null ? 'refused' : { type: answer[0], json: answer[1], sensitive: answer[2] },
  ]),
)

/** The answers of a file that `recordText` has written. */
export function answersIn(kept: Readonly<Record<string, Kept>>): Readonly<Record<string, Answer>> {
  return Object.fromEntries(
    Object.entries(kept).map(([expression, answer]) => [
      expression,
      answer === null ? 'refused' : { type: answer[0], json: answer[1] },
    ]),
  )
}

/** What Terraform gives, and how often it refuses, where a function is called somewhere in an expression. */
export function answersOf(
  name: string,
  answers: Readonly<Record<string, Answer>>,
): { readonly values: number; readonly refusals: number } {
  const called = new RegExp(`(?<!\\w)${name}\\(`)
  const all = Object.entries(answers).filter(([expression]) => called.test(expression))
  const refusals = all.filter(([, answer]) => answer === 'refused').length
  return { values: all.length - refusals, refusals }
}

/** The file, an answer a line. */
export function recordText(answers: Readonly<Record<string, Answer>>): string {
  return linesOf(answers, (answer): Kept => (answer === 'refused' ? null : [answer.type, answer.json]))
}

/** The same of what modules are called with. */
export function inputsText(answers: Readonly<Record<string, InputAnswer>>): string {
  return linesOf(
    answers,
    (answer): KeptInput => (answer === 'refused' ? null : [answer.type, answer.json, answer.sensitive]),
  )
}

function linesOf<Told>(answers: Readonly<Record<string, Told>>, kept: (answer: Told) => unknown): string {
  const lines = Object.entries(answers).map(
    ([asked, answer]) => `${JSON.stringify(asked)}: ${JSON.stringify(kept(answer))}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
