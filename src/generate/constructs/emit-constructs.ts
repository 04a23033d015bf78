import manifest from '../../../package.json' with { type: 'json' }
import { providerName } from '../../schema/terraform/terraform-names.ts'
import { providerSchemaJson } from '../../schema/terraform/terraform-schema.ts'
import type { EmittedFile } from '../emitted-file.ts'
import { adaptConstruct } from './adapt-construct.ts'
import { type GeneratedFor, generateConstructs } from './generate-constructs.ts'
import { narrowChoices, narrowProperties } from './narrow-choices.ts'
import { schemaTraps } from './schema-traps.ts'

/** Computes every file of `src/constructs/generated`, by its path in there. Runs where the house is built and never where it is used. */
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

/** The provider as configurations ask for it: any version that keeps what this one promises. */
export function generatedFor(version: string): GeneratedFor {
  const [major, minor] = version.split('.')
  return { source: providerName, version: `~> ${major}.${minor}` }
}

const banner = '// Emitted from src/kinds by `npm run generate`; never edited by hand.'

/** Where the page of a construct's resource or data source stands in the package. */
function docsOf(path: string): string {
  const folder = 'examples/terraform/docs'
  const name = path.split('/')[0]?.replaceAll('-', '_') ?? ''
  if (name === 'provider') return `${folder}/index.md`
  const source = /^data_vexil_(.+)$/.exec(name)?.[1]
  return source === undefined ? `${folder}/resources/${name}.md` : `${folder}/data-sources/${source}.md`
}

/** `featureFlag.FeatureFlag`, as the packages of other providers name theirs. */
function namespaces(constructs: readonly EmittedFile[]): string {
  const lines = constructs.map(({ path }) => {
    const name = (path.split('/')[0] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return `export * as ${name} from './${path}';`
  })
  return `${[banner, ...lines].join('\n')}\n`
}

/** The name of its class. */
function constructIn(path: string, text: string): string {
  const construct = /^export class (\w+) extends cdktf\.Terraform/m.exec(text)?.[1]
  if (construct === undefined) throw new Error(`${path}: no construct was generated`)
  return construct
}

/** The constructs and what goes into them by their own names. */
function names(constructs: readonly EmittedFile[]): string {
  const lines = constructs.map(({ path, text }) => {
    const construct = constructIn(path, text)
    const types = Array.from(text.matchAll(/^export interface (\w+)/gm), ([, name]) => `type ${name}`)
    return `export { ${[construct, ...types].join(', ')} } from './${path}';`
  })
  return `${[banner, ...lines].join('\n')}\n`
}
