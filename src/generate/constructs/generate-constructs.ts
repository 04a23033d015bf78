import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import type { JsonObject } from '../../model/json/json.ts'

/** What the generator is asked for: a provider's source and the versions that the constructs are for. */
export interface GeneratedFor {
  readonly source: string
  readonly version: string
}

/** The generator's own text by path, one folder for each resource; needs neither Terraform nor a network. */
export async function generateConstructs(
  schema: JsonObject,
  { source, version }: GeneratedFor,
): Promise<ReadonlyMap<string, string>> {
  const { TerraformProviderGenerator, CodeMaker, commons } = await loadGenerator()
  const constraint = new commons.TerraformProviderConstraint(`${source}@${version}`)
  // The generator's own type of a schema says the same in more words.
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
  // While it loads, the generator asks Terraform for its version, and reports to its makers when that fails.
  env.CHECKPOINT_DISABLE = '1'
  env.TERRAFORM_BINARY_NAME = 'no-terraform-needed'
  const commons = await import('@cdktf/commons')
  const { CodeMaker } = await import('codemaker')
  // The package's front door wants jsii, which is for other languages.
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
