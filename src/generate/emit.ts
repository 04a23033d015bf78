import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import traverse from 'json-schema-traverse'
import type { JsonObject } from '../model/text/json.ts'
import { sandboxReference } from '../sandbox/http/sdk-routes.ts'
import {
  evaluatorsReference,
  fillPage,
  type PageParts,
  referenceParts,
  servicesReference,
} from '../schema/reference.ts'
import { bodySchemas, documentSchemas, publishedSchemas } from '../schema/schemas.ts'
import { providerSchemaJson } from '../schema/terraform/terraform-schema.ts'
import { type EmittedFile, terraformDocs } from './terraform-docs.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Computes every committed file, by its path from the root. It needs ajv and esbuild, so it runs only when
 * Vexil is built. Validators are compiled in advance, because compiling them takes most of the start time.
 */
export async function emitFiles(): Promise<readonly EmittedFile[]> {
  // This is not a JSON Schema but the provider's schema in Terraform's form, for other tools.
  const published = { ...publishedSchemas(), 'provider.schema.json': providerSchemaJson() }
  const schemas = Object.entries(published).map(([name, schema]) => ({
    path: `schemas/${name}`,
    text: `${JSON.stringify(schema, null, 2)}\n`,
  }))
  const docs = terraformDocs().map(({ path, text }) => ({ path: `examples/terraform/docs/${path}`, text }))
  return [
    ...schemas,
    await filled('schemas/reference.md', referenceParts()),
    { path: 'docs/services.md', text: servicesReference() },
    { path: 'docs/who-evaluates.md', text: evaluatorsReference() },
    { path: 'docs/sandbox.md', text: sandboxReference() },
    ...docs,
    { path: 'src/schema/validators.generated.js', text: await validatorModule() },
    {
      path: 'src/report/html/page-script.generated.js',
      text: await scriptModule('page-script', 'pageScript'),
    },
    {
      path: 'src/report/html/live-script.generated.js',
      text: await scriptModule('live-script', 'liveScript'),
    },
  ]
}

async function filled(path: string, parts: PageParts): Promise<EmittedFile> {
  return { path, text: fillPage(await readFile(join(root, path), 'utf8'), parts) }
}

/** The validators of all bodies and documents, compiled into one module. */
export async function validatorModule(): Promise<string> {
  const all: Record<string, JsonObject> = { ...bodySchemas(), ...documentSchemas() }
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: false,
    strict: true,
    // `type: ["object", "null"]` describes a value that may be null.
    allowUnionTypes: true,
    code: { source: true, esm: true },
    formats: { uri: true },
  })
  addFormats.default(ajv, ['date-time', 'uuid', 'email'])
  const exported: Record<string, string> = {}
  for (const [name, schema] of Object.entries(all)) {
    const id = `vexil:${name}`
    ajv.addSchema({ ...withRepeatedOnce(withoutWords(schema)), $id: id })
    exported[exportName(name)] = id
  }
  const { outputFiles } = await build({
    stdin: {
      contents: asOneObject(standaloneCode.default(ajv, exported), exported),
      resolveDir: root,
      loader: 'js',
    },
    // Paths in the bundle are relative to this folder, so that the text is equal on every machine.
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    minify: true,
    lineLimit: 4000,
    write: false,
  })
  return `// Emitted from src/kinds by \`npm run generate\`; never edited by hand.\n${outputFiles[0]?.text ?? ''}`
}

/** A schema without its texts for people, because validators do not use them but load them at every start. */
function withoutWords(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema)
  traverse(copy, (each: Record<string, unknown>) => {
    for (const keyword of ['description', 'title', 'examples']) delete each[keyword]
  })
  return copy
}

/** Standalone code exports each validator. One object can be typed without listing the names. */
function asOneObject(code: string, exported: Readonly<Record<string, string>>): string {
  const constants = code.replaceAll('export const ', 'const ')
  return `${constants}\nexport default { ${Object.keys(exported).join(', ')} }`
}

/** An identifier: `feature_flag.create` becomes `feature_flag$create`. */
function exportName(name: string): string {
  return name.replaceAll('.', '$')
}

/** A shorter schema takes less code if it is repeated. */
const leastLength = 120

type Schema = Record<string, unknown>

/**
 * An equal schema that contains each repeated part only once, under `$defs`. A validator has code for each
 * place in a schema. Without this, the settings had a validator of 290 KB that each command loads and
 * compiles, because each environment accepts the same members as the file.
 */
export function withRepeatedOnce(schema: JsonObject): JsonObject {
  // In the copy, no two places share an object.
  const copy: Schema = JSON.parse(JSON.stringify(schema))
  const texts = new Map<Schema, string>()
  traverse(copy, (each: Schema) => void texts.set(each, JSON.stringify(each)))
  const repeated = repeatedAmong([...texts.values()])
  const definitions: Record<string, Schema> = {}
  // Inner parts come first, so that a shared part refers to its own shared parts.
  const post = (each: Schema) => {
    const name = repeated.get(texts.get(each) ?? '')
    if (name === undefined || each === copy) return
    definitions[name] ??= { ...each }
    for (const keyword of Object.keys(each)) delete each[keyword]
    each.$ref = `#/$defs/${name}`
  }
  traverse(copy, { cb: { post } })
  const all = { ...(copy.$defs as Schema | undefined), ...definitions }
  return (Object.keys(all).length === 0 ? copy : { ...copy, $defs: all }) as JsonObject
}

/** A name for each text that is long enough and repeated. */
function repeatedAmong(texts: readonly string[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  for (const text of texts) {
    if (text.length < leastLength) continue
    if (seen.has(text) && !names.has(text)) names.set(text, `repeated${names.size}`)
    seen.add(text)
  }
  return names
}

/** The script of a page as one module, so that writing the page needs no bundler. */
async function scriptModule(file: string, name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`src/report/html/${file}.ts`],
    tsconfigRaw: '{}',
    absWorkingDir: root,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    write: false,
  })
  const script = (outputFiles[0]?.text ?? '').trimEnd()
  // The script is inside an element, and its text must not end that element.
  if (/<\/script|<!--/i.test(script)) throw new Error(`${file}.ts would end its element`)
  return `// Bundled from src/report/html/${file}.ts by \`npm run generate\`; never edited by hand.\nexport const ${name} = ${JSON.stringify(script)}\n`
}
