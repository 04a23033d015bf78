import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import type { FunctionDefinition } from '@actions/expressions/funcs/info'
import { truthy } from '@actions/expressions/result'

/** The contexts that an expression may read: `github`, `steps`, `inputs`. */
export type Contexts = Readonly<Record<string, unknown>>

/** How a job stands when a step is about to run. */
export type Status = 'success' | 'failure'

/** Puts the values of all `${{ }}` into a text. */
export function filledIn(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, contexts, 'success').coerceString(),
  )
}

/** The same for each value of a table. */
export function allFilledIn(
  table: Readonly<Record<string, string | number | boolean>> | undefined,
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table ?? {}).map(([name, value]) => [name, filledIn(String(value), contexts)]),
  )
}

/** Whether something runs: without a word about how the job stands, only while nothing has failed. */
export function isMet(
  condition: string | boolean | undefined,
  contexts: Contexts,
  status: Status = 'success',
): boolean {
  const text = String(condition ?? 'success()')
  const expression = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1] ?? text
  const asksStatus = /\b(success|failure|always|cancelled)\s*\(/.test(expression)
  if (!asksStatus && status !== 'success') return false
  return truthy(evaluate(expression, contexts, status))
}

function evaluate(expression: string, contexts: Contexts, status: Status): data.ExpressionData {
  const functions = [
    told('success', status === 'success'),
    told('failure', status === 'failure'),
    told('always', true),
    told('cancelled', false),
  ]
  const { tokens } = new Lexer(expression).lex()
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse()
  const read: data.Dictionary = JSON.parse(JSON.stringify(contexts), data.reviver)
  return new Evaluator(parsed, read, new Map(functions.map(each => [each.name, each]))).evaluate()
}

function told(name: string, value: boolean): FunctionDefinition {
  return { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }
}
