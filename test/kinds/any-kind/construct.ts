import { createRequire } from 'node:module'
import { join } from 'node:path'
import { App, type TerraformResource, TerraformStack } from 'cdktf'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { MaxRollout, ProtectActive, RequireOwnerTag } from '../../../src/constructs/own-constructs.ts'
import { emitConstructs } from '../../../src/generate/emit-constructs.ts'
import { propertiesOf, referenceParts } from '../../../src/schema/reference.ts'
import { publishedSchemas } from '../../../src/schema/schemas.ts'
import { useWatchedWorkspace } from '../support/service.ts'

/** From here a generated construct finds what it imports. */
const neighbour = join(import.meta.dirname, '../../../src/constructs/generated/plugin')
const views = '/api/projects/1/saved_views/'

const { service, workspace } = useWatchedWorkspace()

/** The exports of a generated construct, which no file holds. */
async function load(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const emitted = (await emitConstructs()).find(each => each.path === `${folder}/index.ts`)
  const { outputFiles } = await build({
    stdin: { contents: emitted?.text ?? '', resolveDir: neighbour, loader: 'ts' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['cdktf', 'constructs'],
    write: false,
  })
  const module = { exports: {} }
  new Function('require', 'module', 'exports', outputFiles[0]?.text ?? '')(
    createRequire(import.meta.url),
    module,
    module.exports,
  )
  return module.exports
}

async function viewIn(stack: TerraformStack): Promise<TerraformResource> {
  const { SavedView } = await load('saved-view')
  new VexilProvider(stack, 'vexil')
  const props = { slug: 'weekly', columns: ['event'], payload: 'all', filters: '{"rows":10}', tags: ['ops'] }
  // The class is what was just generated for this test.
  return Reflect.construct(SavedView as new () => TerraformResource, [stack, 'weekly', props])
}

describe('a kind that is described and nothing else, as a construct', () => {
  it('is generated, synthesized, planned from the stack and applied', async () => {
    const app = new App({ outdir: join(workspace().path, 'cdktf.out') })
    await viewIn(new TerraformStack(app, 'shop'))
    app.synth()
    const applied = await workspace().vexil('apply --auto-approve --stack cdktf.out/stacks/shop')
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expect(service().writes()).toEqual([
      `POST ${views} {"slug":"weekly","columns":["event"],"payload":"all","filters":{"rows":10},"tags":["ops"]}`,
    ])
  })

  it('is held to policies by its traits', async () => {
    const view = await viewIn(new TerraformStack(new App({ outdir: workspace().path }), 'held'))
    new MaxRollout(0).visit(view)
    new ProtectActive().visit(view)
    new RequireOwnerTag({ pattern: /^ops$/ }).visit(view)
    const said = () => view.node.metadata.flatMap(({ type, data }) => (type === 'stacktrace' ? [] : [data]))
    expect(said()).toEqual([])
    expect(view.lifecycle).toBe(undefined)
    new RequireOwnerTag().visit(view)
    expect(said()).toEqual([expect.stringMatching(/^view "weekly": no tag names an owner/)])
  })
})

describe('a kind that is described and nothing else, in what is published', () => {
  it('has a schema of its records and a section of declarations', () => {
    const schemas = publishedSchemas()
    expect(schemas['saved_view.schema.json']).toMatchObject({
      title: 'saved_view',
      properties: { slug: { type: ['string', 'null'] }, filters: { type: ['object', 'null'] } },
    })
    const declared = propertiesOf(schemas['declarations.schema.json']).saved_views
    expect(JSON.stringify(declared)).toContain('"Which rows are shown."')
    // What is known of filters of flags is not said of these.
    expect(JSON.stringify(declared)).not.toContain('$ref')
    expect(JSON.stringify(schemas['plan.schema.json'])).toContain('"saved_view"')
  })

  it('has its fields and its operations in the reference', () => {
    const text = Object.values(referenceParts()).flat().join('\n')
    expect(text).toContain('### `saved_views`')
    expect(text).toContain('| `columns` | list | What is shown of a row. |')
    expect(text).toContain('`saved_view.activity`')
  })
})
