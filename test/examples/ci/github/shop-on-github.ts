import { expect } from 'vitest'
import { type Shop, shopFiles } from '../../../support/pipelines/shop.ts'
import { aCompany, shownIn } from './a-company.ts'

/** The shop with `examples/ci/github`. */
export async function aShopOnGithub(): Promise<Shop> {
  let meanwhile: () => Promise<unknown> = async () => {}
  const { service, remote, host, keys, onMain } = await aCompany({
    approve: () => true,
    meanwhile: () => meanwhile(),
    filesFor: shopFiles,
  })
  return {
    service,
    remote,
    async deliver(given = async () => {}) {
      meanwhile = async () => {
        // What happens meanwhile may start a run of its own.
        meanwhile = async () => {}
        await given()
      }
      const run = await onMain('merge')
      expect(run.jobs.plan?.result, run.jobs.plan?.log).toBe('success')
      const shown = shownIn(host, run)
      for (const key of Object.values(keys)) expect(shown.includes(key)).toBe(false)
      return { isDone: run.jobs.apply?.result === 'success', shown }
    },
  }
}
