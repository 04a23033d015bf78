import fc from 'fast-check'
import { problemLine } from '../../src/report/line-text.ts'
import { type LoadedStack, loadStack } from '../../src/stack/index.ts'
import { inFolder, writeFiles } from '../support/folder.ts'

/** A stack or a module, which calls the provider by a name of its own. */
export interface Naming {
  readonly name: string
  /** What its caller gives it: the configuration that it has itself, or that of `eu`, or nothing. */
  readonly given: 'own' | 'eu' | 'nothing'
  readonly calls: readonly Naming[]
}

const names = ['vexil', 'flags', 'my-vexil', 'eu']

/** Trees of modules, three deep, the stack at the top. Only the stack has a configuration `eu`. */
export const stackNaming: fc.Arbitrary<Naming> = tree(
  ['nothing'],
  tree(['own', 'eu', 'nothing'], inner(inner())),
)

function inner(below?: fc.Arbitrary<Naming>): fc.Arbitrary<Naming> {
  return tree(['own', 'nothing'], below)
}

function tree(given: readonly Naming['given'][], below?: fc.Arbitrary<Naming>): fc.Arbitrary<Naming> {
  return fc.record({
    name: fc.constantFrom(...names),
    given: fc.constantFrom(...given),
    calls: below ? fc.array(below, { maxLength: 2 }) : fc.constant([]),
  })
}

/** The projects of the two configurations of the stack. */
export const projects = { own: '1', eu: '2' } as const

/**
 * The files of a stack in which each module declares one flag, called by the way to the module. Its configurations of
 * the provider say where the service is too, if that is given.
 */
export function namedFiles(stack: Naming, service: object = {}): Readonly<Record<string, string>> {
  const provider = {
    [stack.name]: [
      { ...service, project_id: projects.own },
      { ...service, alias: 'eu', project_id: projects.eu },
    ],
  }
  return filesOf(stack, 'flag', 'cdk.tf.json', { provider })
}

function filesOf(naming: Naming, key: string, file: string, more: object): Record<string, string> {
  const { name, calls } = naming
  const module = Object.fromEntries(
    calls.map((called, index) => [`m${index}`, callOf(naming, called, `${key}-${index}`)]),
  )
  const named = name === 'vexil' ? {} : { provider: name }
  const json = {
    terraform: { required_providers: { [name]: { source: 'vexil/vexil' } } },
    resource: { vexil_feature_flag: { it: { key, active: false, ...named } } },
    ...(calls.length > 0 ? { module } : {}),
    ...more,
  }
  const below = calls.map((called, index) => {
    const inner = `${key}-${index}`
    return filesOf(called, inner, `modules/${inner}/main.tf.json`, {})
  })
  return Object.assign({ [file]: JSON.stringify(json, null, 2) }, ...below)
}

function callOf(caller: Naming, { name, given }: Naming, key: string): object {
  const source = key.split('-').length === 2 ? `./modules/${key}` : `../${key}`
  if (given === 'nothing') return { source }
  return { source, providers: { [name]: given === 'eu' ? `${caller.name}.eu` : caller.name } }
}

/** The keys of the flags that belong to the configuration without an alias, and to `eu`. */
export function expectedKeys({ calls }: Naming, key = 'flag', project: 'own' | 'eu' = 'own'): Keys {
  const below = calls.map((called, index) =>
    expectedKeys(called, `${key}-${index}`, called.given === 'eu' ? 'eu' : project),
  )
  const all = (each: 'own' | 'eu') =>
    [...(project === each ? [key] : []), ...below.flatMap(keys => keys[each])].sort()
  return { own: all('own'), eu: all('eu') }
}

export interface Keys {
  readonly own: readonly string[]
  readonly eu: readonly string[]
}

/** The keys of the flags that Vexil reads from the stack for each of the two. */
export async function keysRead(stack: Naming): Promise<Keys> {
  return inFolder({}, async folder => {
    await writeFiles(folder, namedFiles(stack))
    return keysLoaded(stack, provider =>
      loadStack({ folder, directory: folder, variables: new Map(), env: {}, provider }),
    )
  })
}

/** The same of what a front end loads for one of the configurations. */
export async function keysLoaded(
  { name }: Naming,
  load: (provider: string) => Promise<LoadedStack>,
): Promise<Keys> {
  const read = async (provider: string, project: string) => {
    const { declarations, problems, connection } = await load(provider)
    if (problems.length > 0) throw new Error(problems.map(problemLine).join('\n'))
    if (connection.project !== project) throw new Error(`${provider} is for project ${connection.project}`)
    return declarations.desired.map(({ identity }) => String(identity)).sort()
  }
  return { own: await read(name, projects.own), eu: await read(`${name}.eu`, projects.eu) }
}
