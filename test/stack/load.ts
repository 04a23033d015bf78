import { join } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { problemLine } from '../../src/report/line-text.ts'
import { type LoadedStack, loadStack, type StackOptions } from '../../src/stack/index.ts'
import { inFolder, writeFiles } from '../support/folder.ts'

/** What synthesizes a stack, or a stack as the JSON that it is. */
type Build = ((stack: TerraformStack, app: App) => void) | object

interface LoadOptions extends Partial<Pick<StackOptions, 'env' | 'provider' | 'roles' | 'policies'>> {
  readonly variables?: Readonly<Record<string, string>>
  /** Files beside the stack, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** False for a stack that brings its own provider, or none. */
  readonly hasProvider?: boolean
}

/** Reads a stack that is called `flags`; one with a `build` is really synthesized. */
export async function load(build: Build, options: LoadOptions = {}): Promise<LoadedStack> {
  const { variables = {}, files = {}, hasProvider = true, env = {}, ...others } = options
  return inFolder({}, async output => {
    const folder = join(output, 'stacks', 'flags')
    if (typeof build === 'function') {
      const app = new App({ outdir: output, skipValidation: true })
      const stack = new TerraformStack(app, 'flags')
      if (hasProvider) new VexilProvider(stack, 'vexil', { projectId: '1' })
      build(stack, app)
      app.synth()
    } else {
      const provider = hasProvider ? { provider: { vexil: [{ project_id: '1' }] } } : {}
      await writeFiles(folder, { 'cdk.tf.json': JSON.stringify({ ...provider, ...build }) })
    }
    await writeFiles(folder, files)
    return loadStack({
      folder,
      directory: output,
      variables: new Map(Object.entries(variables)),
      env,
      ...others,
    })
  })
}

/** What is declared; a stack with problems fails the test with them. */
export async function desiredOf(build: Build, options?: LoadOptions) {
  const { declarations, problems } = await load(build, options)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(problemLine).join('\n'))
  return declarations.desired.map(({ source: _source, ...desired }) => desired)
}

/** The fields of the one flag that is declared. */
export async function fieldsOf(build: Build, options?: LoadOptions) {
  const [first] = await desiredOf(build, options)
  return first?.fields
}

/** The problems of a stack, each in the line that a person sees, without the place in the file. */
export async function problemsOf(build: Build, options?: LoadOptions): Promise<string[]> {
  const { problems } = await load(build, options)
  return problems.map(({ source: _source, ...problem }) => problemLine(problem))
}
