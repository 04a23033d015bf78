import { loadStack } from '../../src/stack/index.ts'
import { run } from '../acceptance/support/binary.ts'
import { installProvider } from '../acceptance/support/installed.ts'
import { folderWith, inFolder } from '../support/folder.ts'
import { referring } from './arbitrary-reference.ts'

/** Those of some references that a stack is refused for. */
export async function refusedByVexil(references: readonly string[]): Promise<readonly string[]> {
  return inFolder(referring(references), async folder => {
    const { problems } = await loadStack({ folder, directory: folder, variables: new Map(), env: {} })
    const told = problems.map(({ message }) => message)
    const numbers = told.map(message => Number(/^output\.o(\d+)\b/.exec(message)?.[1]))
    const stray = told.filter((_, index) => Number.isNaN(numbers[index]))
    if (stray.length > 0) throw new Error(`the stack itself is refused: ${stray.join('\n')}`)
    return references.filter((_, index) => numbers.includes(index))
  })
}

/** The same for the real Terraform, which has to find the built provider. */
export async function refusedByTerraform(
  references: readonly string[],
  command = 'terraform',
): Promise<readonly string[]> {
  const { path: directory, remove } = await folderWith(referring(references))
  try {
    await installProvider(directory)
    await run(command, ['init'], { directory })
    const { output } = await run(command, ['validate', '-json'], { directory })
    const { diagnostics } = JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] }
    // What is wrong with the parts of `path` and their kind is told a second time, of no file.
    const errors = diagnostics.filter(({ severity, range }) => severity === 'error' && range?.filename !== '')
    const lines = errors.map(({ range }) => (range?.filename === 'cdk.tf.json' ? range.start.line - 2 : -1))
    const stray = errors.filter((_, index) => references[lines[index] ?? -1] === undefined)
    if (stray.length > 0) throw new Error(`Terraform refuses the stack itself: ${JSON.stringify(stray[0])}`)
    return references.filter((_, index) => lines.includes(index))
  } finally {
    await remove()
  }
}

interface Diagnostic {
  readonly severity: string
  readonly range?: { readonly filename: string; readonly start: { readonly line: number } }
}
