import { afterAll, beforeAll } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { aWorkspace, type Workspace } from '../../support/workspace.ts'

/** The sandbox as the kinds of a test make it, empty, on a port. */
export interface WatchedService extends Service {
  /** What was written since the last look: `METHOD path body`. */
  writes(): string[]
}

export async function startWatchedService(): Promise<WatchedService> {
  const written: string[] = []
  const service = await startService(
    { runtime: testRuntime(), quirks: { tag_order: 'sorted' } },
    handle => async (request, connection) => {
      if (request.method !== 'GET') {
        const { pathname } = new URL(request.url)
        written.push(`${request.method} ${pathname} ${await request.clone().text()}`)
      }
      return handle(request, connection)
    },
  )
  return { ...service, writes: () => written.splice(0) }
}

/** One service and one folder with settings for all tests of a file, which go on from each other. */
export function useWatchedWorkspace() {
  let service: WatchedService | undefined
  let workspace: Workspace | undefined
  beforeAll(async () => {
    service = await startWatchedService()
    workspace = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
  })
  afterAll(async () => {
    await workspace?.remove()
    await service?.close()
  })
  return { service: () => service as WatchedService, workspace: () => workspace as Workspace }
}
