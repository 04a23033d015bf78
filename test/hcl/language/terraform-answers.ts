import { parse, stringify } from 'lossless-json'
import { run } from '../../acceptance/support/binary.ts'
import { folderWith } from '../../support/cli.ts'

/** What Terraform makes of an expression: the JSON of its value and its type, or nothing where it refuses. */
export type Answer = { readonly type: unknown; readonly json: string } | 'refused'

/** Asks the real Terraform: every expression stands in one configuration, in a line of its own from the second on. */
export async function terraformAnswers(
  expressions: readonly string[],
  configuration = outputsOf,
  beside: Beside = {},
): Promise<Readonly<Record<string, Answer>>> {
  const files = (left: readonly string[]) => ({ ...beside.files, 'main.tf.json': configuration(left) })
  const look = async (left: readonly string[], directory: string) => {
    const { output } = await run(beside.command ?? 'terraform', ['output', '-json'], { directory })
    // The folder has another name each time.
    return answersIn(expressions, left, output.replaceAll(directory, '/folder'))
  }
  return whereAccepted(expressions, files, look, beside)
}

/** What lies beside a configuration, and what has to be done in its folder first. */
export interface Beside {
  /** The engine that is asked; the Terraform on the PATH when left out. */
  readonly command?: string
  readonly files?: Readonly<Record<string, string>>
  readonly prepare?: (directory: string) => Promise<void>
}

/** Applies a configuration, without what Terraform refuses in it, and looks at what came of the rest. */
async function whereAccepted<Answers>(
  asked: readonly string[],
  files: (left: readonly string[]) => Readonly<Record<string, string>>,
  look: (left: readonly string[], directory: string) => Promise<Answers>,
  { command = 'terraform', prepare }: Beside,
): Promise<Answers> {
  const refused = new Set<string>()
  for (;;) {
    const left = asked.filter(each => !refused.has(each))
    const { path: directory, remove } = await folderWith(files(left))
    try {
      await prepare?.(directory)
      await run(command, ['init'], { directory })
      const { code, output } = await run(command, ['apply', '-json', '-auto-approve'], { directory })
      if (code === 0) return await look(left, directory)
      const before = refused.size
      for (const index of refusedIn(output)) refused.add(left[index] ?? '')
      if (refused.size === before)
        throw new Error(`nothing says which of them is refused: ${output.slice(-1000)}`)
    } finally {
      await remove()
    }
  }
}

/** Expressions as values of outputs. */
export function outputsOf(expressions: readonly string[]): string {
  const outputs = expressions.map((expression, index) => {
    // Null is no output at all, so it is wrapped.
    return `"o${index}": ${JSON.stringify({ value: { is: `\${${expression}}` } })}`
  })
  return `{"output": {\n${outputs.join(',\n')}\n}}`
}

/** Variables, as the JSON of their blocks, each with an output that has its value. `v` is there if all others are refused. */
export function variablesOf(variables: readonly string[]): string {
  const outputs = variables.map((_, index) => `"o${index}": {"value": {"is": "\${var.v${index}}"}}`)
  const blocks = variables.map((variable, index) => `,\n"v${index}": ${variable}`)
  return `{"output": {${['"v": {"value": 1}', ...outputs].join(', ')}}, "variable": {"v": {"default": 1}${blocks.join('')}\n}}`
}

/** What a variable of a module comes to, with the parts of it that are sensitive. */
export type InputAnswer =
  | { readonly type: unknown; readonly json: string; readonly sensitive: unknown }
  | 'refused'

/** Asks the real Terraform what it makes of what a module is called with; see `arbitraryInput`. */
export async function terraformInputs(
  inputs: readonly string[],
  command = 'terraform',
): Promise<Readonly<Record<string, InputAnswer>>> {
  const look = async (left: readonly string[], directory: string) => {
    const values = await run(command, ['output', '-json'], { directory })
    const state = await run(command, ['show', '-json'], { directory })
    const parts = sensitiveParts(state.output)
    return Object.fromEntries(
      Object.entries(answersIn(inputs, left, values.output)).map(([input, answer]) => [
        input,
        answer === 'refused'
          ? answer
          : { ...answer, sensitive: parts.get(`r${left.indexOf(input)}`) ?? false },
      ]),
    )
  }
  return whereAccepted(inputs, inputFiles, look, { command })
}

/** A module with a variable for each, and a call of it; what of the results is sensitive, only resources tell. */
function inputFiles(inputs: readonly string[]) {
  const all = inputs.map(
    input => JSON.parse(input) as { readonly variable: unknown; readonly given?: string },
  )
  const blocks = all.map(({ variable }, index) => `"v${index}": ${JSON.stringify(variable)}`)
  // What is left out has its line too.
  const given = all.map(({ given }, index) =>
    given === undefined ? '"//": ""' : `"v${index}": ${JSON.stringify(`\${${given}}`)}`,
  )
  const each = (member: (index: number) => string) => `{${all.map((_, index) => member(index)).join(', ')}}`
  const results = each(index => `"o${index}": {"value": "\${var.v${index}}"}`)
  const outputs = each(index => `"o${index}": {"sensitive": true, "value": {"is": "\${module.m.o${index}}"}}`)
  const resources = each(index => `"r${index}": {"input": {"is": "\${module.m.o${index}}"}}`)
  return {
    'm/main.tf.json': `{"output": ${results}, "variable": {\n${blocks.join(',\n')}\n}}`,
    'main.tf.json': `{"output": ${outputs}, "resource": {"terraform_data": ${resources}}, "module": {"m": {"source": "./m",\n${given.join(',\n')}\n}}}`,
  }
}

/** What of each resource's input is sensitive: `true` for the whole, else each part that is, and each element of a list. */
function sensitiveParts(state: string): ReadonlyMap<string, unknown> {
  const { values } = JSON.parse(state) as {
    values: { root_module: { resources: { name: string; sensitive_values: { input: { is?: unknown } } }[] } }
  }
  return new Map(
    values.root_module.resources.map(({ name, sensitive_values: { input } }) => [name, input.is]),
  )
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
