import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, textFrom } from '../model/files.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { anything, list, map, maybe, members } from '../model/text/json-shape.ts'
import { readJsonIfAny } from '../model/text/json-text.ts'
import { type Annotation, manifestFrom, manifestName, stackFileName } from '../stack/index.ts'

/** A synthesized stack, in its folder. */
export interface SynthesizedStack {
  readonly name: string
  readonly folder: string
  /** The annotations of the app's constructs; undefined if there is only the text of a stack. */
  readonly annotations: readonly Annotation[] | undefined
  /** The folder that the app itself synthesizes into: its constructs note their lines relative to it. */
  readonly appOutput: string
}

/** The stacks of a subject; their files exist until they are removed. */
export interface Synthesis {
  readonly stacks: readonly SynthesizedStack[]
  remove(): void
}

export interface SynthesisOptions {
  /** Continues if constructs have errors, unlike the engine: errors are among the annotations. */
  readonly despiteErrors?: boolean
}

/**
 * Lets the app of a subject synthesize into a new folder, with everything that `app.synth()` does: aspects,
 * validations, references between stacks. Only a provider may be missing. The app's own output folder is not
 * changed. Throws errors of the synthesis.
 */
export function synthesize(subject: Subject, options: SynthesisOptions = {}): Synthesis {
  if (typeof subject !== 'string') return synthesizeConstruct(subject, options)
  return subject.trimStart().startsWith('{') ? keepText(subject) : findFolder(subject)
}

/** All stacks, or the chosen one. Throws if no stack has that name. */
export function chooseStacks(
  stacks: readonly SynthesizedStack[],
  wanted: string | undefined,
): readonly SynthesizedStack[] {
  const chosen = wanted === undefined ? stacks : stacks.filter(({ name }) => name === wanted)
  if (chosen.length > 0 || wanted === undefined) return chosen
  if (stacks.length === 0) throw new Error('the app has no stacks')
  throw new Error(`the app has no stack "${wanted}"; there are ${stacks.map(({ name }) => name).join(', ')}`)
}

function synthesizeConstruct(subject: ConstructSubject, options: SynthesisOptions): Synthesis {
  const app = appOf(subject)
  const { outdir, remove } = makeFolder()
  try {
    const stacks = synthesizeInto(app, outdir, options)
    if (subject === app) return { stacks, remove }
    const { id } = subject.node
    return { stacks: stacks.filter(({ name }) => name === id), remove }
  } catch (error) {
    remove()
    throw error
  }
}

function appOf(subject: ConstructSubject): AppSubject {
  const what = isConstruct(subject) ? `"${subject.node.path}"` : String(subject)
  if (!isConstruct(subject) || !(isApp(subject) || isStack(subject))) {
    throw new Error(`${what} is not a stack: pass the stack or its app`)
  }
  const { root } = subject.node
  if (!isApp(root))
    throw new Error(`the stack ${what} has no app; create it with new MyStack(new App(), 'name')`)
  return root
}

/** The app's own `synth`, on a copy of the app that only differs in its output folder and validations. */
function synthesizeInto(
  app: AppSubject,
  outdir: string,
  { despiteErrors = false }: SynthesisOptions,
): readonly SynthesizedStack[] {
  // The class that made the app's manifest: each engine has its own.
  const Manifest = app.manifest.constructor as new (
    version: string,
    outdir: string,
    hclOutput: boolean,
  ) => object
  const manifest = new Manifest(app.manifest.version, outdir, false)
  const elsewhere: AppSubject = Object.create(app, {
    outdir: { value: outdir },
    manifest: { value: manifest },
    skipValidation: { value: true },
    ...(despiteErrors && { node: { value: nodeDespiteErrors(app) } }),
  })
  elsewhere.synth()
  if (!app.skipValidation) requireValid(app)
  return stacksIn(outdir, resolve(app.outdir))
}

/** The node of an app that synthesizes stacks even if their constructs have errors. */
function nodeDespiteErrors({ node }: AppSubject): object {
  const constructs = node.findAll().map(each => (isStack(each) ? despiteErrors(each) : each))
  return Object.create(node, { findAll: { value: () => constructs } })
}

/** A stack as its app sees it while it synthesizes. Its own methods still see the stack: constructs know it by identity. */
function despiteErrors(stack: ConstructSubject): ConstructSubject {
  return new Proxy(stack, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === 'synthesizer' && typeof value === 'object')
        return Object.create(value, { continueOnErrorAnnotations: { value: true } })
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function stacksIn(outdir: string, appOutput: string): readonly SynthesizedStack[] {
  const { stacks } = manifestFrom(readJsonFile(join(outdir, manifestName)), outdir)
  return stacks.map(stack => ({ ...stack, appOutput }))
}

/** A part of a stack can be tested without a provider; what else the constructs find wrong is wrong here too. */
function requireValid({ node }: AppSubject): void {
  const problems = node.findAll().flatMap(construct => {
    const found = construct.node
      .validate()
      .filter(problem => !problem.includes('without a matching provider'))
    return found.map(problem => `[${construct.node.path}] ${problem}`)
  })
  if (problems.length > 0) throw new Error(['the app is not valid', ...problems].join('\n  '))
}

function keepText(text: string): Synthesis {
  const { outdir, remove } = makeFolder()
  const folder = join(outdir, 'stack')
  mkdirSync(folder)
  writeFileSync(join(folder, stackFileName), text)
  return { stacks: [{ name: 'stack', folder, annotations: undefined, appOutput: outdir }], remove }
}

/** A folder that was synthesized before is used in place: all stacks of an app, or one of them. */
function findFolder(path: string): Synthesis {
  const isFile = basename(path) === stackFileName || basename(path) === manifestName
  const folder = resolve(isFile ? dirname(path) : path)
  const remove = () => undefined
  if (existsSync(join(folder, manifestName))) return { stacks: stacksIn(folder, folder), remove }
  if (!existsSync(join(folder, stackFileName))) {
    throw new Error(
      `there is no ${stackFileName} or ${manifestName} in "${path}"; use the folder of an app or of one stack, such as cdktf.out or cdktf.out/stacks/NAME`,
    )
  }
  const app = dirname(dirname(folder))
  const known = existsSync(join(app, manifestName))
    ? stacksIn(app, app).filter(each => each.folder === folder)
    : []
  return {
    stacks:
      known.length > 0 ? known : [{ name: basename(folder), folder, annotations: undefined, appOutput: app }],
    remove,
  }
}

function makeFolder(): { readonly outdir: string; remove(): void } {
  const outdir = mkdtempSync(join(tmpdir(), 'vexil-testing-'))
  return { outdir, remove: () => rmSync(outdir, { recursive: true, force: true }) }
}

/** A construct of either engine: an app or a stack. Only what is needed of it here, so that no engine is loaded. */
interface ConstructSubject {
  readonly node: { readonly path: string; readonly id: string; readonly root: unknown }
}

/**
 * What is tested: an app or a stack of cdktf or cdktn, the JSON text that the engine's `Testing.synth`
 * returns, or the folder of a stack that was synthesized before.
 */
export type Subject = ConstructSubject | string

/** Classes of both engines mark what they make with these, whichever copy of them is loaded. */
const marks = { app: Symbol.for('cdktf/App'), stack: Symbol.for('cdktf/TerraformStack') } as const

/** What is needed of an app of either engine to let it synthesize somewhere else. */
interface AppSubject extends ConstructSubject {
  readonly node: ConstructSubject['node'] & { findAll(): readonly ValidatedConstruct[] }
  readonly skipValidation: boolean
  /** The output folder, as the app was given it. */
  readonly outdir: string
  readonly manifest: { readonly version: string; readonly constructor: unknown }
  synth(): void
}

/** A construct with validations. */
interface ValidatedConstruct {
  readonly node: ConstructSubject['node'] & { validate(): readonly string[] }
}

function isStack(subject: ConstructSubject): boolean {
  return marks.stack in subject
}

/** Every app has the mark, and with it what the interface names. */
function isApp(subject: unknown): subject is AppSubject {
  return typeof subject === 'object' && subject !== null && marks.app in subject
}

function isConstruct(subject: unknown): subject is ConstructSubject {
  return typeof subject === 'object' && subject !== null && 'node' in subject
}

/** The JSON in a file of a synthesized app. If it is not JSON, the error names the file. */
function readJsonFile(path: string): Json {
  const json = readJsonIfAny(readText(path))
  if (json === undefined) throw new Error(`"${path}" is not JSON; ${again}`)
  return json
}

/** The hint for a file that no app has synthesized. */
const again = 'synthesize the app again'

function readText(path: string): string {
  try {
    return textFrom(readFileSync(path))
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    const why = code === 'not_utf8' && error instanceof Error ? error.message : `cannot be read (${code})`
    throw new Error(`"${path}" ${why}`)
  }
}

/** A class of constructs that become resources, our own or a generated one, or the type as in Terraform. */
export type ResourceType = { readonly tfResourceType: string } | string

/** A resource, a data source, a provider's configuration or an output as it was synthesized. */
export interface StackBlock {
  /** `vexil_feature_flag`, `data.vexil_feature_flag`, `provider.vexil`, `output`. */
  readonly type: string
  /** The name of its stack. */
  readonly stack: string
  /** `vexil_feature_flag.checkout_v2`. */
  readonly path: string
  /** The path, after the stack's name if there are several. */
  readonly address: string
  readonly attributes: JsonObject
}

/** The type's name as addresses spell it: data sources begin with `data.`. */
export function resourceTypeName(type: ResourceType): string {
  if (typeof type === 'string') return type
  return isDataSource(type) ? `data.${type.tfResourceType}` : type.tfResourceType
}

/** All blocks of a subject, or of one stack in it. */
export function blocksOf(subject: Subject, stack: string | undefined): readonly StackBlock[] {
  const { stacks, remove } = synthesize(subject)
  try {
    const isAlone = stacks.length === 1
    return chooseStacks(stacks, stack).flatMap(({ name, folder }) =>
      blocksIn(readStack(folder)).map(({ type, path, attributes }) => ({
        type,
        stack: name,
        path,
        address: isAlone ? path : `${name}: ${path}`,
        attributes,
      })),
    )
  } finally {
    remove()
  }
}

/** Each class of the engines has its kind, and ours extend those classes. */
function isDataSource(type: object): boolean {
  for (let each: object | null = type; each !== null; each = Object.getPrototypeOf(each)) {
    const fqn: unknown = Reflect.get(each, Symbol.for('jsii.rtti'))?.fqn
    if (/^cdkt[fn]\.TerraformDataSource$/.test(String(fqn))) return true
  }
  return false
}

/** Throws if it has anything but an object in place of a block: the block would be found to be missing. */
function readStack(folder: string): JsonObject {
  const path = join(folder, stackFileName)
  const json = readJsonFile(path)
  const wrong = stackShape(json, '')
  if (wrong === undefined && isJsonObject(json)) return json
  throw new Error(`"${path}" is not a synthesized stack: ${wrong}; ${again}`)
}

const body = map(anything)
const blocks = maybe(map(map(body)))
const stackShape = members({
  resource: blocks,
  data: blocks,
  provider: maybe(map((json, at) => (Array.isArray(json) ? list(body)(json, at) : body(json, at)))),
  output: maybe(map(body)),
})

type Block = Pick<StackBlock, 'type' | 'path' | 'attributes'>

function blocksIn(stack: JsonObject): readonly Block[] {
  return [
    ...blocksUnder(stack.resource, ''),
    ...blocksUnder(stack.data, 'data.'),
    ...providersIn(stack.provider),
    ...objectsIn(stack.output).map(([name, attributes]) => ({
      type: 'output',
      path: `output.${name}`,
      attributes,
    })),
  ]
}

function blocksUnder(types: Json | undefined, prefix: string): readonly Block[] {
  return membersOf(types).flatMap(([name, named]) => {
    const type = `${prefix}${name}`
    return objectsIn(named).map(([id, attributes]) => ({ type, path: `${type}.${id}`, attributes }))
  })
}

function providersIn(providers: Json | undefined): readonly Block[] {
  return membersOf(providers).flatMap(([name, configured]) => {
    const type = `provider.${name}`
    return (isJsonArray(configured) ? configured : [configured]).flatMap(attributes => {
      if (!isJsonObject(attributes)) return []
      const { alias } = attributes
      return [{ type, path: typeof alias === 'string' ? `${type}.${alias}` : type, attributes }]
    })
  })
}

function objectsIn(json: Json | undefined): [string, JsonObject][] {
  return membersOf(json).flatMap(([name, value]) => (isJsonObject(value) ? [[name, value]] : []))
}

function membersOf(json: Json | undefined): [string, Json][] {
  return json !== undefined && isJsonObject(json) ? Object.entries(json) : []
}
