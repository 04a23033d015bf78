import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import manifest from '../../package.json' with { type: 'json' }
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import type { TerraformAttributes, TerraformBlock } from '../schema/terraform/terraform-attribute.ts'
import { providerName } from '../schema/terraform/terraform-names.ts'
import { providerSchemaJson, terraformSchema } from '../schema/terraform/terraform-schema.ts'
import type { EmittedFile } from './terraform-docs.ts'

/** Computes all files in `src/constructs/generated`, by path. It runs only when Vexil is built. */
export async function emitConstructs(): Promise<readonly EmittedFile[]> {
  const schema = providerSchemaJson()
  const traps = schemaTraps(schema)
  if (traps.length > 0) throw new Error(`no constructs for this schema: ${traps.join('; ')}`)
  const generated = await generateConstructs(schema, generatedFor(manifest.version))
  const narrow = narrowProperties()
  const constructs = [...generated]
    .filter(([path]) => path.includes('/'))
    .map(([path, text]) => {
      const adapted = adaptConstruct(text, { banner, docs: docsOf(path) })
      return { path, text: narrowChoices(adapted, narrow.get(constructIn(path, text)) ?? []) }
    })
  return [
    ...constructs,
    { path: 'index.ts', text: namespaces(constructs) },
    { path: 'names.ts', text: names(constructs) },
  ]
}

/** The provider requirement of configurations: any version that is compatible with this one. */
export function generatedFor(version: string): GeneratedFor {
  const [major, minor] = version.split('.')
  return { source: providerName, version: `~> ${major}.${minor}` }
}

const banner = '// Emitted from src/kinds by `npm run generate`; never edited by hand.'

/** The page of a construct's resource or data source in the package. */
function docsOf(path: string): string {
  const folder = 'examples/terraform/docs'
  const name = path.split('/')[0]?.replaceAll('-', '_') ?? ''
  if (name === 'provider') return `${folder}/index.md`
  const source = /^data_vexil_(.+)$/.exec(name)?.[1]
  return source === undefined ? `${folder}/resources/${name}.md` : `${folder}/data-sources/${source}.md`
}

/** Namespaces like those in the packages of other providers: `featureFlag.FeatureFlag`. */
function namespaces(constructs: readonly EmittedFile[]): string {
  const lines = constructs.map(({ path }) => {
    const name = (path.split('/')[0] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return `export * as ${name} from './${path}';`
  })
  return `${[banner, ...lines].join('\n')}\n`
}

/** The class name of a construct. */
function constructIn(path: string, text: string): string {
  const construct = /^export class (\w+) extends cdktf\.Terraform/m.exec(text)?.[1]
  if (construct === undefined) throw new Error(`${path}: no construct was generated`)
  return construct
}

/** The constructs and their types, exported by their own names. */
function names(constructs: readonly EmittedFile[]): string {
  const lines = constructs.map(({ path, text }) => {
    const construct = constructIn(path, text)
    const types = Array.from(text.matchAll(/^export interface (\w+)/gm), ([, name]) => `type ${name}`)
    return `export { ${[construct, ...types].join(', ')} } from './${path}';`
  })
  return `${[banner, ...lines].join('\n')}\n`
}

/** The input of the generator: a provider's source, and the supported versions. */
interface GeneratedFor {
  readonly source: string
  readonly version: string
}

/** By path, one folder for each resource. It needs neither Terraform nor a network. */
async function generateConstructs(
  schema: JsonObject,
  { source, version }: GeneratedFor,
): Promise<ReadonlyMap<string, string>> {
  const { TerraformProviderGenerator, CodeMaker, commons } = await loadGenerator()
  const constraint = new commons.TerraformProviderConstraint(`${source}@${version}`)
  // The generator has its own type for the same schema.
  const generator = new TerraformProviderGenerator(new CodeMaker(), schema as never)
  generator.generate(new commons.ConstructsMakerProviderTarget(constraint, commons.Language.TYPESCRIPT))
  const folder = await mkdtemp(join(tmpdir(), 'vexil-constructs-'))
  try {
    await generator.save(folder)
    return await readTexts(join(folder, 'providers', source.split('/').at(-1) ?? source))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function loadGenerator() {
  // While loading, it asks Terraform for its version, and sends its makers a report if that fails.
  env.CHECKPOINT_DISABLE = '1'
  env.TERRAFORM_BINARY_NAME = 'no-terraform-needed'
  const commons = await import('@cdktf/commons')
  const { CodeMaker } = await import('codemaker')
  // The main entry of the package needs jsii, which is for other languages.
  const { TerraformProviderGenerator } = await import(
    '@cdktf/provider-generator/lib/get/generator/provider-generator.js'
  )
  return { TerraformProviderGenerator, CodeMaker, commons }
}

async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const paths = await readdir(folder, { recursive: true })
  const sources = paths.filter(path => path.endsWith('.ts')).sort()
  const texts = sources.map(async path => [path, await readFile(join(folder, path), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/**
 * Adapts the output of the generator. The steps, in this order:
 *
 * | the generator writes | we keep |
 * | --- | --- |
 * | two lines about its origin | our own line, as in every emitted file |
 * | a link to a registry below each property | the property's description |
 * | a link to a registry above each class | a link to its description in this repository |
 * | `super(scope, id` | a check of the engine around the scope first, before anything can fail |
 * | the call of that constructor | a note of where the construct was made behind it, for a resource and a data source |
 * | a method of the base class again | the same with `override`, which our compiler requires |
 * | constructor parameters that are properties | plain ones; the base class has the same properties |
 * | a struct that is written member by member | a check whether it is one; a reference is written as it is |
 */
function adaptConstruct(text: string, { banner, docs }: { banner: string; docs: string }): string {
  const ruled = [...rules(text, docs)].reduce((before, [from, to]) => before.replaceAll(from, to), text)
  const adapted = withStructs(ruled)
  if (/registry\.terraform\.io/.test(adapted))
    throw new Error('the text still has a link to a registry; see adapt-construct.ts')
  return `${banner}\n${adapted.trimEnd()}\n`
}

function* rules(text: string, docs: string): Generator<readonly [RegExp, string]> {
  yield [/^(?:\/\/ .*\n)+/g, '']
  yield [/^( *)\*\n *\* Docs at Terraform Registry: .*\n/gm, '']
  yield [/^ *\/\*\*\n *\* Docs at Terraform Registry: .*\n *\*\/\n/gm, '']
  yield [/^ *\* Docs at Terraform Registry: .*\n/gm, '']
  yield [/Represents a \{@link \S+ (\S+)\}/g, `\`$1\`, described in ${docs}`]
  yield [/Create a new \{@link \S+ (\S+)\} (Resource|Data Source)/g, 'Create a new `$1`']
  yield [/Refer to the \{@link \S+ (import section)\} in the documentation of this resource/g, `See ${docs}`]
  yield [
    /^import \* as cdktf from .*$/gm,
    `$&\nimport { inThisEngine${isProvider(text) ? '' : ', registerConstruct'} } from '${engine}';`,
  ]
  yield [/super\(scope, id,/g, 'super(inThisEngine(scope, id), id,']
  if (!isProvider(text))
    yield [/^ {4}super\(inThisEngine[\s\S]*?\n {4}\}\);\n/gm, '$&    registerConstruct(this);\n']
  yield [
    /ImportableResource\(scope, importToId,/g,
    'ImportableResource(inThisEngine(scope, importToId), importToId,',
  ]
  yield [/protected (synthesize(?:Hcl)?Attributes\()/g, 'protected override $1']
  yield [/public ([gs]et alias\()/g, 'public override $1']
  yield [/constructor\(protected (\w+: [\w.]+, )protected (\w+: \w+, )protected /g, 'constructor($1$2']
  yield [/[ \t]+$/gm, '']
}

/** The provider is not synthesized as a resource, and has no metadata there. */
function isProvider(text: string): boolean {
  return text.includes('extends cdktf.TerraformProvider')
}

/** The function that writes a struct: its name, its type, its first line and the rest. */
const structWriter =
  /(export function \w+To(?:Hcl)?Terraform\(struct\?: (\w+) \| cdktf\.IResolvable\): any \{\n.*\n)([\s\S]*?\n\})/g

function withStructs(text: string): string {
  const guarded = text.replaceAll(structWriter, (_, head: string, type: string, body: string) => {
    const members = [...new Set([...body.matchAll(/struct!\.(\w+)/g)].map(([, name]) => `'${name}'`))]
    return `${head}  if (!isStruct(struct, '${type}', [${members.join(', ')}])) { return struct; }\n${body}`
  })
  return guarded === text ? text : guarded.replace(/^import \{ inThisEngine\b/m, '$&, isStruct')
}

/** The path from the folder of a construct. */
const engine = '../../engine/engine.ts'

/** A property of a generated interface that accepts one of a few values. */
export interface NarrowProperty {
  /** The interface with the property: `FeatureFlagReleaseProperties`. */
  readonly owner: string
  readonly property: string
  readonly isList: boolean
  readonly choices: readonly (string | number)[]
}

/** All such properties in the generated text, by the name of the construct's class. */
export function narrowProperties(): ReadonlyMap<string, readonly NarrowProperty[]> {
  const { provider, resources, dataSources } = terraformSchema()
  const classes: (readonly [string, TerraformBlock])[] = [
    ['VexilProvider', provider],
    ...Object.entries(resources).map(
      ([name, block]) => [pascal(name.replace(/^vexil_/, '')), block] as const,
    ),
    ...Object.entries(dataSources).map(([name, block]) => [`Data${pascal(name)}`, block] as const),
  ]
  return new Map(classes.map(([name, { attributes }]) => [name, propertiesIn(name, attributes, 'Config')]))
}

function propertiesIn(prefix: string, attributes: TerraformAttributes, suffix = ''): NarrowProperty[] {
  return Object.entries(attributes).flatMap(([name, attribute]): NarrowProperty[] => {
    if ('list' in attribute) return propertiesIn(`${prefix}${pascal(name)}`, attribute.list)
    const { choices = [], type, optional, required } = attribute
    if (choices.length === 0 || !(optional || required)) return []
    const property = pascal(name).replace(/^./, first => first.toLowerCase())
    return [{ owner: `${prefix}${suffix}`, property, isList: typeof type !== 'string', choices }]
  })
}

/**
 * Gives some generated properties types that list their values, for completion in editors and checks by the
 * compiler. A reference is an `IResolvable`, as `variable.value` is, or the same attribute of another
 * resource. A plain string type would allow anything.
 *
 * | the generator writes | we keep |
 * | --- | --- |
 * | `readonly allow?: string[];` | `readonly allow?: ('survey' \| 'experiment')[];` |
 * | `readonly type?: string;` in the interface | `readonly type?: 'person' \| 'group' \| cdktf.IResolvable;` |
 * | `private _type?: string;`, `set type(value: string)` | the same with `cdktf.IResolvable` |
 * | `get type() { return this.getStringAttribute('type'); }` | the same as one of the values |
 */
function narrowChoices(text: string, properties: readonly NarrowProperty[]): string {
  return properties.reduce(narrowed, text)
}

function narrowed(text: string, { owner, property, isList, choices }: NarrowProperty): string {
  const union = choices
    .map(choice => (typeof choice === 'string' ? `'${choice}'` : String(choice)))
    .join(' | ')
  const given = isList ? `(${union})[]` : `${union} | cdktf.IResolvable`
  // A comment in the interface may contain braces.
  const inside = '(?:(?!\\n}).)*?'
  const declared = new RegExp(
    `(export interface ${owner} ${inside}\\n  readonly ${property}\\??: )[^;]+;`,
    's',
  )
  if (!declared.test(text)) throw new Error(`${owner} has no ${property}; see narrow-choices.ts`)
  const inInterface = text.replace(declared, `$1${given};`)
  return isList ? inInterface : withMembers(inInterface, owner.replace(/Config$/, ''), property, union)
}

/** Changes the class members for the property. A list property is a list of strings there. */
function withMembers(text: string, owner: string, property: string, union: string): string {
  const [before, after] = splitAt(text, new RegExp(`^export class ${owner}(?:OutputReference)? `, 'm'))
  return `${before}${after
    .replace(new RegExp(`(private _${property}\\??: )(string|number)(?=[;])`), '$1$2 | cdktf.IResolvable')
    .replace(
      new RegExp(`(public set ${property}\\(value: (?:string|number))(?=[ )])`),
      '$1 | cdktf.IResolvable',
    )
    .replace(
      new RegExp(`(public get ${property}\\(\\))( \\{\\n +return this\\.get\\w+Attribute\\('\\w+'\\))`),
      `$1: ${union}$2 as ${union}`,
    )}`
}

function splitAt(text: string, start: RegExp): readonly [string, string] {
  const at = text.search(start)
  if (at < 0) throw new Error(`there is no ${start.source}; see narrow-choices.ts`)
  return [text.slice(0, at), text.slice(at)]
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Parts of a provider's schema that the generator cannot handle, each with place and reason. The generator
 * fails on some. For the rest it silently writes constructs that cannot be compiled, set or trusted.
 *
 * | in the schema | the generator |
 * | --- | --- |
 * | a block or nested attribute in a `group` | fails |
 * | the same in a `map` | has no method to set it |
 * | `tuple` | fails |
 * | `dynamic` | accepts only maps, no text and no list |
 * | an attribute named like a meta-argument or a member of every construct | writes what does not compile |
 */
export function schemaTraps(schema: JsonObject): readonly string[] {
  return providersOf(schema).flatMap(provider => [
    ...trapsOfBlock('provider', member(member(provider, 'provider'), 'block')),
    ...trapsOfAll('resource', member(provider, 'resource_schemas')),
    ...trapsOfAll('data source', member(provider, 'data_source_schemas')),
  ])
}

const forbidden = new Set([
  ...[
    'connection',
    'count',
    'depends_on',
    'for_each',
    'lifecycle',
    'provider',
    'provisioner',
    'provisioners',
  ],
  ...['cdktf_stack', 'constructor', 'to_string'],
])

function providersOf(schema: JsonObject): readonly Json[] {
  return Object.values(member(schema, 'provider_schemas'))
}

function trapsOfAll(what: string, blocks: JsonObject): string[] {
  return Object.entries(blocks).flatMap(([name, each]) =>
    trapsOfBlock(`${what} ${name}`, member(each, 'block')),
  )
}

/** A block, or the nested type of an attribute. Both have attributes, but only a block has blocks. */
function trapsOfBlock(place: string, block: JsonObject): string[] {
  const attributes = Object.entries(member(block, 'attributes')).flatMap(([name, attribute]) => {
    const here = `${place}.${name}`
    const nested = member(attribute, 'nested_type')
    return [
      ...(forbidden.has(name) ? [`${here}: the name is taken`] : []),
      ...trapsOfType(here, isJsonObject(attribute) ? attribute.type : undefined),
      ...trapsOfNesting(here, nested),
      ...trapsOfBlock(here, nested),
    ]
  })
  const blocks = Object.entries(member(block, 'block_types')).flatMap(([name, each]) => [
    ...trapsOfNesting(`${place}.${name}`, member(each)),
    ...trapsOfBlock(`${place}.${name}`, member(each, 'block')),
  ])
  return [...attributes, ...blocks]
}

function trapsOfNesting(place: string, { nesting_mode: nesting }: JsonObject): string[] {
  return nesting === 'group' || nesting === 'map' ? [`${place}: nested in a ${nesting}`] : []
}

function trapsOfType(place: string, type: Json | undefined): string[] {
  if (type === 'dynamic') return [`${place}: a dynamic type`]
  if (!isJsonArray(type)) return []
  const [name, of] = type
  if (name === 'tuple') return [`${place}: a tuple`]
  return name === 'object'
    ? Object.entries(member(of)).flatMap(([key, each]) => trapsOfType(`${place}.${key}`, each))
    : trapsOfType(place, of)
}

/** A member, or the value itself, as an object; an empty object if it is not one. */
function member(value: Json | undefined, name?: string): JsonObject {
  const found = name === undefined ? value : isJsonObject(value) ? value[name] : undefined
  return isJsonObject(found) ? found : {}
}
