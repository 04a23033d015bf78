import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox/index.ts'
import { providerName } from '../../../src/schema/terraform/terraform-names.ts'
import { built } from '../../support/built.ts'
import { type Service, startService } from '../../support/service.ts'
import { terraform } from './binary.ts'
import { openStack, type Stack } from './stack.ts'

const vexil = built('vexil.cjs')

export interface Attached extends Stack {
  readonly service: Service
}

/**
 * One provider, which Terraform attaches to, serves a whole file: it is what `vexil terraform serve --debug` starts.
 * What is opened gets a service and a folder of its own, and tells the provider with every run where that service is.
 */
export function useTerraform(
  serveOther?: () => Promise<OtherProvider>,
): (main: string, options?: Partial<SandboxOptions>) => Promise<Attached> {
  const opened: Attached[] = []
  let provider: Served | undefined
  let other: OtherProvider | undefined
  beforeAll(async () => {
    if (!terraform) return
    provider = await serveProvider()
    other = await serveOther?.()
  })
  afterEach(async () => {
    for (const { service, remove } of opened.splice(0)) {
      await remove()
      await service.close()
    }
  })
  afterAll(async () => {
    await provider?.close()
    await other?.close()
  })
  return async (main, options) => {
    const service = await startService(options)
    const files = { 'main.tf': main, 'provider.tf': providerBlock(service) }
    const stack = await openStack(files, {
      TF_REATTACH_PROVIDERS: withOther(provider?.reattach ?? '', other),
    })
    const attached = { ...stack, service }
    opened.push(attached)
    return attached
  }
}

/** A provider that runs beside ours, as Terraform is told of it. */
export interface OtherProvider {
  readonly running: Readonly<Record<string, unknown>>
  close(): Promise<void>
}

function withOther(reattach: string, other: OtherProvider | undefined): string {
  return other ? JSON.stringify({ ...JSON.parse(reattach), ...other.running }) : reattach
}

/** Where a service is, in Terraform's words. */
export function providerBlock({ env }: Pick<Service, 'env'>, more = ''): string {
  return `terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

provider "vexil" {
  base_url        = "${env.VEXIL_BASE_URL}"
  api_key         = "${env.VEXIL_API_KEY}"
  project_id      = "${env.VEXIL_PROJECT_ID}"
  organization_id = "${env.VEXIL_ORGANIZATION_ID}"
  ${more}
}
`
}

interface Served {
  readonly reattach: string
  close(): Promise<void>
}

async function serveProvider(): Promise<Served> {
  const { PATH, TMPDIR } = process.env
  const child = spawn(process.execPath, [vexil, 'terraform', 'serve', '--debug'], {
    env: { PATH, TMPDIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, reattach] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(line) ?? []
    if (reattach === undefined) continue
    return {
      reattach: withStandIn(reattach),
      async close() {
        child.kill('SIGINT')
        await ended
      },
    }
  }
  throw new Error('the provider ended without saying where it listens')
}

/** A state of another provider's wants that one to be there, though nothing is asked of it: ours stands in. */
function withStandIn(reattach: string): string {
  const own = JSON.parse(reattach) as Record<string, unknown>
  const standIns = Object.entries(own).map(([source, running]) => [
    source.replace(providerName, standIn),
    running,
  ])
  return JSON.stringify({ ...own, ...Object.fromEntries(standIns) })
}

const standIn = 'posthog/posthog'
