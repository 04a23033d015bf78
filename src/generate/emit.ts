import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import traverse from 'json-schema-traverse'
import type { JsonObject } from '../model/json/json.ts'
import { referenceText } from '../schema/reference/reference.ts'
import { bodySchemas, documentSchemas, publishedSchemas } from '../schema/schemas.ts'
import { providerSchemaJson } from '../schema/terraform/terraform-schema.ts'
import type { EmittedFile } from './emitted-file.ts'
import { terraformDocs } from './terraform-docs/terraform-docs.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Computes every file that is committed, by its path from the repository's root. Needs ajv and esbuild, so it runs where the house is built and never where it is
 * used: validators are compiled ahead, because compiling them takes longer than everything else at start.
 */
export async function emitFiles(): Promise<readonly EmittedFile[]> {
  // Not a JSON Schema but what Terraform says of the provider, for tools that read that.
  const published = { ...publishedSchemas(), 'provider.schema.json': providerSchemaJson() }
  const schemas = Object.entries(published).map(([name, schema]) => ({
    path: `schemas/${name}`,
    text: `${JSON.stringify(schema, null, 2)}\n`,
  }))
  const reference = { path: 'schemas/reference.md', text: referenceText() }
  const docs = terraformDocs().map(({ path, text }) => ({ path: `examples/terraform/docs/${path}`, text }))
  return [
    ...schemas,
    reference,
    ...docs,
    { path: 'src/schema/validators.generated.js', text: await validatorModule() },
    { path: 'src/report/html/page-script.generated.js', text: await pageScriptModule() },
  ]
}

/** The validators of all bodies and documents, compiled into the text of one module. */
export async function validatorModule(): Promise<string> {
  const all: Record<string, JsonObject> = { ...bodySchemas(), ...documentSchemas() }
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: false,
    strict: true,
    // `type: ["object", "null"]` is how a value that may be null is written.
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
    // Paths inside the bundle are relative to this folder, so that the text does not depend on where it is made.
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

/** A schema without what it says to people: no validator says it, and each would carry it into every start of the program. */
function withoutWords(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema)
  traverse(copy, (each: Record<string, unknown>) => {
    for (const keyword of ['description', 'title', 'examples']) delete each[keyword]
  })
  return copy
}

/** Standalone code exports one name per validator; one object of them can be typed without listing the names. */
function asOneObject(code: string, exported: Readonly<Record<string, string>>): string {
  const constants = code.replaceAll('export const ', 'const ')
  return `${constants}\nexport default { ${Object.keys(exported).join(', ')} }`
}

/** Validators are exported under names that are identifiers: `feature_flag.create` is `feature_flag$create`. */
function exportName(name: string): string {
  return name.replaceAll('.', '$')
}

/** Shorter ones take less code where they stand than by reference. */
const leastLength = 120

type Schema = Record<string, unknown>

/**
 * A schema that says the same with what it repeats said once, under `$defs`. A validator has code for each place of a
 * schema: the settings, where every environment takes what the file takes, were checked by 290 KB, which each command
 * loads and compiles.
 */
export function withRepeatedOnce(schema: JsonObject): JsonObject {
  // No two places of it are one object.
  const copy: Schema = JSON.parse(JSON.stringify(schema))
  const texts = new Map<Schema, string>()
  traverse(copy, (each: Schema) => void texts.set(each, JSON.stringify(each)))
  const repeated = repeatedAmong([...texts.values()])
  const definitions: Record<string, Schema> = {}
  // Inner ones first, so that what is said once says its own parts once.
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

/** A name for each text that is long enough and there more than once. */
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

/** The script of HTML reports as the text of one module: reports are written where there is no bundler. */
async function pageScriptModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/report/html/page-script.ts'],
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
  // It stands in an element that its own text must not end.
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of reports would end its element')
  return `// Bundled from src/report/html/page-script.ts by \`npm run generate\`; never edited by hand.\nexport const pageScript = ${JSON.stringify(script)}\n`
}
