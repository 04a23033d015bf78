import { providerSource } from '../../../src/schema/terraform/terraform-names.ts'
import { answerCalls } from '../../../src/terraform/serve/answer-calls.ts'
import { addPluginServices, addProvider, createGrpcServer } from '../../../src/terraform/serve/grpc-server.ts'
import { createCallScope, handlersFor } from '../../../src/terraform/serve/handlers.ts'
import { createLogger, createOutlet } from '../../../src/terraform/serve/logger.ts'
import type { RpcName } from '../../../src/terraform/serve/messages.ts'
import { listen, removeSocket } from '../../../src/terraform/serve/serve.ts'
import { createVexilProvider } from '../../../src/terraform/vexil-provider.ts'
import { openStack } from '../../acceptance/support/stack.ts'
import { startService } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { aHost } from '../support/served.ts'

/** One request as it came over the wire. */
export interface Request {
  readonly rpc: RpcName
  readonly bytes: Uint8Array
}

/** What the real Terraform asks of the provider through the life of a few objects, byte for byte. */
export async function recordRequests(): Promise<readonly Request[]> {
  const service = await startService()
  const tapped = await serveTapped(service.env)
  const stack = await openStack({ 'main.tf': created }, { TF_REATTACH_PROVIDERS: tapped.reattach })
  try {
    await stack.apply()
    await stack.write({ 'main.tf': changed })
    await stack.apply()
    await stack.succeed('state', 'rm', 'vexil_feature_flag.checkout')
    await stack.write({ 'main.tf': `${changed}${imported}` })
    await stack.apply()
    await stack.destroy()
    return tapped.requests
  } finally {
    await stack.remove()
    await tapped.close()
    await service.close()
  }
}

const created = `terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

resource "vexil_feature_flag" "checkout" {
  key  = "checkout"
  tags = ["b", "a"]
  release = [{
    rollout_percentage = 12.5
    properties         = [{ key = "country", value = "DE", operator = "exact" }]
  }]
}

resource "vexil_feature_flag" "copy" {
  key     = "copy-of-\${vexil_feature_flag.checkout.id}"
  filters = vexil_feature_flag.checkout.filters
}

data "vexil_feature_flags" "all" {}

output "reach" {
  value = provider::vexil::rollout(jsonencode({ groups = [{ rollout_percentage = 50 }] }))
}
`

const changed = created.replace('12.5', '25').replace('["b", "a"]', '["a"]')

const imported = `
import {
  to = vexil_feature_flag.checkout
  id = "checkout"
}
`

async function serveTapped(env: Readonly<Record<string, string>>) {
  const { host } = aHost()
  const runtime = testRuntime()
  const provider = createVexilProvider({
    env,
    runtime,
    directory: '.',
    userAgent: 'tap',
    proxyEnvironment: {},
  })
  const { secrets } = provider
  if (!secrets) throw new Error('the provider keeps no secrets')
  const logger = createLogger({ env: {}, runtime, write: () => undefined })
  const calls = answerCalls(handlersFor(provider, createCallScope(provider)), { logger, runtime, secrets })
  const requests: Request[] = []
  const server = createGrpcServer(logger)
  const tapped = {
    ...calls,
    answer(rpc: RpcName, bytes: Uint8Array) {
      requests.push({ rpc, bytes: Uint8Array.from(bytes) })
      return calls.answer(rpc, bytes)
    },
  }
  addProvider(server, tapped, () => tapped)
  addPluginServices(server, createOutlet(), () => undefined)
  const address = await listen(server, host)
  const attached = {
    Protocol: 'grpc',
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: address.network, String: address.at },
  }
  return {
    requests,
    reattach: JSON.stringify({ [providerSource]: attached }),
    async close() {
      server.destroy()
      removeSocket(address)
      await provider.close()
    },
  }
}
