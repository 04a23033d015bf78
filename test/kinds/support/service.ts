import { createSandbox, serveSandbox } from '../../../src/sandbox/index.ts'
import { testRuntime } from '../../support/test-runtime.ts'

/** The sandbox as the kinds of a test make it, empty, on a port. */
export interface WatchedService {
  readonly env: Readonly<Record<string, string>>
  /** What was written since the last look: `METHOD path body`. */
  writes(): string[]
  close(): Promise<void>
}

export async function startWatchedService(): Promise<WatchedService> {
  const sandbox = await createSandbox({
    runtime: testRuntime(),
    empty: true,
    quirks: { tag_order: 'sorted' },
  })
  const written: string[] = []
  const service = await serveSandbox({
    ...sandbox,
    async fetch(request, connection) {
      if (request.method !== 'GET') {
        const { pathname } = new URL(request.url)
        written.push(`${request.method} ${pathname} ${await request.clone().text()}`)
      }
      return sandbox.fetch(request, connection)
    },
  })
  const { base_url, api_key, organization, project } = service.summary
  return {
    env: {
      VEXIL_BASE_URL: base_url,
      VEXIL_API_KEY: api_key,
      VEXIL_PROJECT_ID: String(project),
      VEXIL_ORGANIZATION_ID: organization,
    },
    writes: () => written.splice(0),
    async close() {
      await service.close()
      await sandbox.close()
    },
  }
}
