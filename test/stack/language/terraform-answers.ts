import { parse, stringify } from 'lossless-json'
import { run } from '../../acceptance/support/binary.ts'
import { folderWith } from '../../support/cli.ts'

/** What Terraform makes of an expression: the JSON of its value and its type, or nothing where it refuses. */
export type Answer = { readonly type: unknown; readonly json: string } | 'refused'

/** Asks the real Terraform: every expression stands in one configuration, in a line of its own from the second on. */
export async function terraformAnswers(
  expressions: readonly string[],
  configuration = outputsOf,
): Promise<Readonly<Record<string, Answer>>> {
  const refused = new Set<string>()
  for (;;) {
    const left = expressions.filter(expression => !refused.has(expression))
    const { path: directory, remove } = await folderWith({ 'main.tf.json': configuration(left) })
    try {
      const { code, output } = await run('terraform', ['apply', '-json', '-auto-approve'], { directory })
      if (code === 0) {
        const shown = await run('terraform', ['output', '-json'], { directory })
        return answersIn(expressions, left, shown.output)
      }
      const before = refused.size
      for (const index of refusedIn(output)) refused.add(left[index] ?? '')
      if (refused.size === before)
        throw new Error(`nothing says which expression is refused: ${output.slice(-1000)}`)
    } finally {
      await remove()
    }
  }
}

/** Expressions as values of outputs. */
function outputsOf(expressions: readonly string[]): string {
  const outputs = expressions.map((expression, index) => {
    // Null is no output at all, so it is wrapped.
    return `"o${index}": ${JSON.stringify({ value: { is: `\${${expression}}` } })}`
  })
  return `{"output": {\n${outputs.join(',\n')}\n}}`
}

/** Variables, as the JSON of their blocks, each with an output that has its value. */
export function variablesOf(variables: readonly string[]): string {
  const outputs = variables.map((_, index) => `"o${index}": {"value": {"is": "\${var.v${index}}"}}`)
  const blocks = variables.map((variable, index) => `"v${index}": ${variable}`)
  return `{"output": {${outputs.join(', ')}}, "variable": {\n${blocks.join(',\n')}\n}}`
}

interface Event {
  readonly diagnostic?: {
    readonly detail?: string
    readonly range?: { readonly start: { readonly line: number } }
  }
}

function refusedIn(output: string): number[] {
  return output.split('\n').flatMap(line => {
    if (!line.startsWith('{"@level":"error"')) return []
    const { diagnostic } = JSON.parse(line) as Event
    if (diagnostic?.range) return [diagnostic.range.start.line - 2]
    // Infinity is only found when it is to be written.
    const [, index] = /output value "o(\d+)"/.exec(diagnostic?.detail ?? '') ?? []
    return index === undefined ? [] : [Number(index)]
  })
}

function answersIn(all: readonly string[], left: readonly string[], output: string): Record<string, Answer> {
  // Numbers stay as they are written.
  const outputs = parse(output) as Record<string, { type: [string, { is: unknown }]; value: { is: unknown } }>
  return Object.fromEntries(
    all.map(expression => {
      const found = outputs[`o${left.indexOf(expression)}`]
      return [
        expression,
        found ? { type: found.type[1].is, json: stringify(found.value.is) ?? 'null' } : 'refused',
      ]
    }),
  )
}
