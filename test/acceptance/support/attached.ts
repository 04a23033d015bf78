import { afterAll, afterEach, beforeAll } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox/index.ts'
import { providerName, providerSources } from '../../../src/schema/terraform/terraform-names.ts'
import { processHost, reattachSetting, startProvider } from '../../../src/terraform/serve/serve.ts'
import { defineVexil } from '../../../src/terraform/vexil-provider.ts'
import { type Service, startService } from '../../support/service.ts'
import { hurriedRuntime } from '../../support/test-runtime.ts'
import { terraform } from './binary.ts'
import { openStack, type Stack } from './stack.ts'

type Environment = Readonly<Record<string, string>>

export interface Attached extends Stack {
  readonly service: Service
}

/**
 * One provider, which Terraform attaches to, serves a whole file, as `vexil terraform serve --debug` serves it; this is
 * the environment by which Terraform finds it. The provider has the environment that it was given last.
 */
export function useProvider(
  serveOther?: () => Promise<OtherProvider>,
): (env?: Environment) => { readonly TF_REATTACH_PROVIDERS: string } {
  const own: Record<string, string> = {}
  let provider: Served | undefined
  let other: OtherProvider | undefined
  beforeAll(async () => {
    if (!terraform) return
    provider = await serveProvider(own)
    other = await serveOther?.()
  })
  afterAll(async () => {
    await provider?.close()
    await other?.close()
  })
  return (env = {}) => {
    Object.assign(own, env)
    return { TF_REATTACH_PROVIDERS: withOther(provider?.reattach ?? '', other) }
  }
}

/**
 * With such a provider, what is opened gets a service and a folder of its own, and names that service to the provider
 * with every run.
 */
export function useTerraform(
  serveOther?: () => Promise<OtherProvider>,
): (main: string, options?: Partial<SandboxOptions>) => Promise<Attached> {
  const opened: Attached[] = []
  const provider = useProvider(serveOther)
  afterEach(async () => {
    for (const { service, remove } of opened.splice(0)) {
      await remove()
      await service.close()
    }
  })
  return async (main, options) => {
    const service = await startService(options)
    const files = { 'main.tf': main, 'provider.tf': providerBlock(service) }
    const stack = await openStack(files, provider())
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

/** In this process, and without waiting: what the provider sleeps is added to its clock. */
async function serveProvider(env: Environment): Promise<Served> {
  const host = { ...processHost(process), env, runtime: hurriedRuntime() }
  const { address, close } = await startProvider(defineVexil, host, () => undefined)
  const reattach = reattachSetting(providerSources, address, process.pid)
  return { reattach: withStandIn(reattach), close }
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
