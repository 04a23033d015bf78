import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { terraformDocs } from '../../../src/generate/terraform-docs.ts'
import type { ObjectValue } from '../../../src/hcl/values/value.ts'
import { terraformSchema } from '../../../src/schema/terraform/terraform-schema.ts'
import type { Block } from '../../../src/terraform/provider.ts'
import { createVexilProvider, defineVexil } from '../../../src/terraform/vexil-provider.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { playTerraform } from '../../terraform/resources/play.ts'
import { type Served, served } from '../../terraform/support/served.ts'
import { unwire, wire } from '../../terraform/support/values.ts'
import { startWatchedService, type WatchedService } from '../support/service.ts'

const type_name = 'vexil_saved_view'
const views = '/api/projects/1/saved_views/'

let service: WatchedService
let provider: Served
let block: Block
let beginRun: () => Promise<void>

beforeAll(async () => {
  service = await startWatchedService()
  provider = await served(defineVexil, { env: service.env })
  const { resources, schema } = createVexilProvider({
    env: service.env,
    runtime: testRuntime(),
    directory: '.',
  })
  block = (resources[type_name] as (typeof resources)[string]).schema.block
  beginRun = async () => {
    const { diagnostics } = await provider.client.call('ConfigureProvider', {
      terraform_version: '1.11.4',
      config: wire(schema.block, {}),
    })
    expect(diagnostics).toEqual([])
  }
})
afterAll(async () => {
  await provider.close()
  await service.close()
})

interface Kept {
  readonly state: ObjectValue | null
  readonly private: Buffer
}

/** Plans and applies as Terraform does, through the protocol, in a run of its own. */
async function applied(config: ObjectValue | null, kept: Kept): Promise<Kept> {
  const { client } = provider
  await beginRun()
  const prior_state = wire(block, kept.state)
  const given = wire(block, config && { ...config })
  const proposed = wire(block, config && { ...kept.state, ...config })
  const plan = await client.call('PlanResourceChange', {
    type_name,
    prior_state,
    proposed_new_state: proposed,
    config: given,
    prior_private: kept.private,
  })
  expect(plan.diagnostics).toEqual([])
  const done = await client.call('ApplyResourceChange', {
    type_name,
    prior_state,
    planned_state: plan.planned_state,
    config: given,
    planned_private: plan.planned_private,
  })
  expect(done.diagnostics).toEqual([])
  // What was sent is a value of this block, and so is what comes back.
  return { state: unwire(block, done.new_state) as ObjectValue | null, private: Buffer.from(done.private) }
}

describe('a kind that is described and nothing else, in Terraform', () => {
  const config = { slug: 'monthly', payload: 'all', filters: '{"rows":5}', tags: ['ops'] }
  let kept: Kept = { state: null, private: Buffer.alloc(0) }

  it('is created through the protocol', async () => {
    kept = await applied(config, kept)
    expect(kept.state).toMatchObject({ id: '1', ...config, tags_all: ['ops'], project_id: '1' })
    expect(service.writes()).toEqual([
      `POST ${views} {"slug":"monthly","payload":"all","filters":{"rows":5},"tags":["ops"]}`,
    ])
  })

  it('is updated by what differs', async () => {
    kept = await applied({ ...config, filters: '{"rows":6}' }, kept)
    expect(kept.state).toMatchObject({ filters: '{"rows":6}' })
    expect(service.writes()).toEqual([`PATCH ${views}1/ {"filters":{"rows":6}}`])
  })

  it('is read by data sources that nobody listed', async () => {
    const terraform = await playTerraform(service)
    const { created_at } = kept.state ?? {}
    expect(await terraform.data('saved_view', { slug: 'monthly' })).toMatchObject({ id: '1', created_at })
    const found = await terraform.data('saved_views', { search: 'month', tags: ['ops'] })
    expect(found).toMatchObject({ saved_views: [{ slug: 'monthly' }] })
    expect(await terraform.data('saved_view_activity', {})).toMatchObject({
      body: expect.stringContaining('monthly'),
    })
  })

  it('is imported by its name, and is then as configured', async () => {
    const terraform = await playTerraform(service)
    const imported = await terraform.import('saved_view', 'monthly')
    const now = { ...config, filters: '{"rows":6}' }
    expect(await terraform.replan('saved_view', now, imported)).toEqual([])
  })

  it('is destroyed softly', async () => {
    kept = await applied(null, kept)
    expect(kept.state).toBe(null)
    expect(service.writes()).toEqual([`PATCH ${views}1/ {"deleted":true}`])
  })

  it('has attributes for its fields, its tags and its life, and none for who gets it', () => {
    const { attributes = {} } = terraformSchema().resources[type_name] ?? {}
    expect(Object.keys(attributes).sort()).toEqual(
      [
        ...['adopt', 'allow', 'columns', 'created_at', 'deleted', 'filters', 'id', 'payload', 'project_id'],
        ...['slug', 'tags', 'tags_all'],
      ].sort(),
    )
  })

  it('has pages with an example each', () => {
    const pages = new Map(terraformDocs().map(({ path, text }) => [path, text]))
    const resource = pages.get('resources/saved_view.md')
    expect(resource).toContain('resource "vexil_saved_view" "view" {\n  slug = "saved_view"\n}')
    expect(resource).not.toContain('Filters in Two Ways')
    expect(pages.get('data-sources/saved_view.md')).toContain('A saved view by its slug or its id.')
    expect(pages.get('data-sources/saved_views.md')).toContain(
      '[for view in data.vexil_saved_views.this.saved_views',
    )
    expect(pages.get('data-sources/saved_view_activity.md')).toContain('What happened to saved views.')
  })
})
