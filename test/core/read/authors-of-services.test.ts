import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../src/api/index.ts'
import { authorOf } from '../../../src/core/live-edits/authors.ts'
import { readAuthors } from '../../../src/core/read/read-authors.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { profiles } from '../../../src/model/connection.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { flagsPath } from '../../support/workspace.ts'

const kind = kinds.feature_flag
const [pipeline, grace] = ['ada@example.com', 'grace@example.com']
const graceId = 2

const release = (percentage: number) => ({
  groups: [{ properties: [], rollout_percentage: percentage, variant: null }],
  multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
  payloads: { a: { amount: 2.5 } },
})

async function begin(profile: (typeof profiles)[number]) {
  const service = await startService({ profile })
  const client = createClient({
    baseUrl: service.url,
    apiKey: service.sandbox.summary.api_key,
    projectId: 1,
    organizationId: service.sandbox.summary.organization,
    profile,
    runtime: testRuntime(),
    readOnly: true,
  })
  onTestFinished(async () => {
    await client.close()
    await service.close()
  })
  const body = { key: 'checkout', name: 'Checkout', filters: release(10), tags: ['shop'] }
  const made = (await service.send('POST', `${flagsPath}/`, body)) as { id: number }
  const path = `${flagsPath}/${made.id}/`
  return {
    patch: (change: object, user?: number) => service.send('PATCH', path, change, user),
    /** The author of each of these fields of the flag. */
    async authorsOf(fields: readonly string[]) {
      const id = String(made.id)
      const wanted = fields.map(field => ({ kind: kind.name, id, field }))
      const { result, requests } = await service.watch(() => readAuthors(wanted, {}, { client }))
      const live = (await service.get(path)) as JsonObject
      const names = fields.map(field => {
        const value = field === 'exists' ? live.deleted !== true : (live[field] ?? null)
        return [field, authorOf(result, { kind, id, field, live: value })?.name]
      })
      expect([requests, result.notes]).toEqual([['GET /api/projects/1/feature_flags/activity'], []])
      return Object.fromEntries(names)
    },
  }
}

describe.each(profiles)('the trail of %s', profile => {
  // Today's service writes no row about tags.
  const ofTags = (name: string) => (profile === 'posthog-2026' ? undefined : name)

  it('tells who changed each field last', async () => {
    const { patch, authorsOf } = await begin(profile)
    const fields = ['name', 'active', 'filters', 'tags', 'exists']
    const byPipeline = { name: pipeline, active: pipeline, filters: pipeline, exists: pipeline }
    expect(await authorsOf(fields)).toEqual({ ...byPipeline, tags: undefined })
    await patch({ active: false, tags: ['shop', 'urgent'] }, graceId)
    await patch({ name: 'Theirs' })
    await patch({ filters: release(50) }, graceId)
    const byBoth = { name: pipeline, active: grace, filters: grace, tags: ofTags(grace), exists: pipeline }
    expect(await authorsOf(fields)).toEqual(byBoth)
    await patch({ deleted: true }, graceId)
    expect(await authorsOf(['exists'])).toEqual({ exists: grace })
    await patch({ deleted: false })
    expect(await authorsOf(fields)).toEqual(byBoth)
  })

  it('takes what was changed back and again for the last change', async () => {
    const { patch, authorsOf } = await begin(profile)
    await patch({ active: false }, graceId)
    await patch({ active: true }, graceId)
    await patch({ active: false })
    expect(await authorsOf(['active'])).toEqual({ active: pipeline })
  })
})
