import recorded from './recorded-answers.json' with { type: 'json' }
import variables from './recorded-variables.json' with { type: 'json' }
import type { Answer } from './terraform-answers.ts'

/** An answer as it is kept: its type and its JSON; null where Terraform refuses. */
type Kept = readonly [type: unknown, json: string] | null

/** What Terraform has answered, by expression: those that people wrote, and those that were generated. */
// The file holds what `recordText` writes.
export const recordedAnswers = answersIn(recorded as unknown as Readonly<Record<string, Kept>>)

/** The same for variables, by the JSON of their blocks. */
export const recordedVariables = answersIn(variables as unknown as Readonly<Record<string, Kept>>)

function answersIn(kept: Readonly<Record<string, Kept>>): Readonly<Record<string, Answer>> {
  return Object.fromEntries(
    Object.entries(kept).map(([expression, answer]) => [
      expression,
      answer === null ? 'refused' : { type: answer[0], json: answer[1] },
    ]),
  )
}

/** The file, an answer a line. */
export function recordText(answers: Readonly<Record<string, Answer>>): string {
  const lines = Object.entries(answers).map(([expression, answer]) => {
    const kept: Kept = answer === 'refused' ? null : [answer.type, answer.json]
    return `${JSON.stringify(expression)}: ${JSON.stringify(kept)}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}
