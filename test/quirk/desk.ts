import { onTestFinished } from 'vitest'
import type { Profile, Quirks } from '../../src/sandbox/index.ts'
import type { CliResult } from '../support/cli.ts'
import { relayTo } from '../support/relay.ts'
import { aWorkspace, isWrite } from '../support/workspace.ts'
import { filesOf, type QuirkService, startQuirkService } from './repository.ts'

/** A person at a terminal: a folder of declarations and a service, both gone after the test. */
export interface Desk {
  readonly service: QuirkService
  vexil(line: string): Promise<CliResult>
  /** Runs a command and tells which requests it sent that could write. */
  writesOf(line: string): Promise<readonly string[]>
  write(files: Readonly<Record<string, string>>): Promise<void>
}

export interface DeskOptions {
  readonly profile?: Profile
  readonly quirks?: Partial<Quirks>
  /** Those of the key; one without scopes may do everything. */
  readonly scopes?: readonly string[]
  /** Beside the settings; the whole repository when absent. */
  readonly declarations?: string
  readonly postToChat?: boolean
  /** What a colleague does just before a request goes in. */
  readonly before?: (requestLine: string, service: QuirkService) => Promise<void>
}

export async function sitDown(options: DeskOptions = {}): Promise<Desk> {
  const { profile = 'documented', quirks, scopes, declarations, postToChat, before } = options
  const service = await startQuirkService(profile, quirks, scopes)
  const files = filesOf({ postToChat })
  const relay =
    before &&
    (await relayTo(service.url, {
      async before({ method, url }) {
        await before(`${method} ${url}`, service)
        return undefined
      },
    }))
  const workspace = await aWorkspace(
    service,
    declarations === undefined ? files : { ...files, 'declarations.yaml': declarations },
    {
      env: relay ? { ...service.env, VEXIL_BASE_URL: relay.url } : service.env,
      host: { runtime: service.world },
    },
  )
  onTestFinished(async () => {
    relay?.close()
    await service.close()
    await workspace.remove()
  })
  const vexil = async (line: string) => {
    // A later command is a later one on the service's clock too.
    await service.world.sleep(1000)
    return workspace.vexil(`${line} --profile ${profile}`)
  }
  return {
    service,
    vexil,
    async writesOf(line) {
      const { requests } = await service.watch(() => vexil(line))
      return requests.filter(isWrite)
    },
    write: workspace.write,
  }
}
