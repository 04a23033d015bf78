import { once } from 'node:events'
import { chmod, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { providerName, providerSources } from '../../src/schema/terraform/terraform-names.ts'
import { reattachSetting } from '../../src/terraform/serve/serve.ts'
import { run } from '../acceptance/support/binary.ts'
import { built } from '../support/built.ts'
import { inFolder, writeFiles } from '../support/folder.ts'
import { startService } from '../support/service.ts'
import { anOrganization } from '../support/workspace.ts'
import { startProvider } from '../terraform/support/start-provider.ts'

/** What `record-calls.cjs` writes: without `rpc`, that a process has started. */
export interface Note {
  readonly pid: number
  readonly connection: number
  readonly rpc?: string
  readonly request?: string
  readonly answer?: string
}

export interface Engine {
  /** Such as `terraform-1.13.3`. */
  readonly title: string
  readonly command: string
}

const settings = `terraform {
  required_providers { vexil = { source = "${providerName}" } }
}
variable "project" { default = "1" }
provider "vexil" { project_id = var.project }
`

/** One chain: each object refers to the one before, or depends on it. */
function chain(country = 'de', project = '1', third = '') {
  const last = third ? 'vexil_feature_flag.third' : 'data.vexil_feature_flag.one'
  const main = `${settings}
variable "country" { default = "${country}" }
data "vexil_feature_flags" "all" {}
resource "terraform_data" "later" {
  input      = var.country
  depends_on = [data.vexil_feature_flags.all]
}
resource "vexil_feature_flag" "first" {
  key  = "first"
  tags = ["known", terraform_data.later.output]
  release = [{
    properties         = [{ key = "country", values = ["at", terraform_data.later.output] }]
    rollout_percentage = 10
  }]
}
resource "vexil_feature_flag" "second" {
  key                = "second"
  name               = "after \${vexil_feature_flag.first.id}"
  rollout_percentage = 5
  project_id         = "${project}"
}
data "vexil_feature_flag" "one" {
  id         = vexil_feature_flag.second.id
  project_id = vexil_feature_flag.second.project_id
}
${third}
output "functions" {
  value = [
    provider::vexil::rollout(jsonencode({ groups = [{ rollout_percentage = 50 }] })),
    provider::vexil::filters(vexil_feature_flag.first),
  ]
  depends_on = [${last}]
}
`
  return { 'main.tf': main }
}

const apply = 'apply -parallelism=1 -auto-approve'
const third = `resource "vexil_feature_flag" "third" {
  key        = "third"
  depends_on = [data.vexil_feature_flag.one]
}
`
const importBlock = `import {
  to = vexil_feature_flag.third
  id = "third"
}
`
const query = 'list "vexil_feature_flag" "all" {\n  provider = vexil\n}\n'
const tests = `run "plans" { command = plan }
run "creates" {}
run "updates" {
  variables { country = "fr" }
}
`

/** The life of two flags and an imported third, by names: the command, and the files that it is the first to find. */
const life: Readonly<Record<string, readonly [command: string, files?: Readonly<Record<string, string>>]>> = {
  validate: ['validate', chain()],
  plan: ['plan -parallelism=1 -out=made.plan'],
  show: ['show -json made.plan'],
  apply: ['apply -parallelism=1 made.plan'],
  'plan again': ['plan -parallelism=1'],
  refresh: [`${apply} -refresh-only`],
  update: [apply, chain('fr')],
  replace: [apply, chain('fr', '2')],
  import: ['import -parallelism=1 vexil_feature_flag.third third', chain('fr', '2', third)],
  forget: ['state rm vexil_feature_flag.third'],
  'import block': [apply, chain('fr', '2', third + importBlock)],
  query: ['query', { 'main.tf': settings, 'all.tfquery.hcl': query }],
  destroy: ['destroy -parallelism=1 -auto-approve', chain('fr', '2', third)],
  test: ['test', { ...chain(), 'life.tftest.hcl': tests }],
}

/** By the name of a step: its command, and what the provider was asked while it ran. */
export type Recorded = ReadonlyMap<string, { readonly command: string; readonly notes: readonly Note[] }>

/**
 * Runs the life with an engine and a sandbox of its own, and records the provider that is built. `isAttached`: one process
 * of the provider runs before, and the engine attaches to it.
 */
export async function recordLife({ title, command: program }: Engine, isAttached = false): Promise<Recorded> {
  const projects = [1, 2].map(id => ({ id, name: `Project ${id}` }))
  const service = await startService({ seed: anOrganization({ projects }) })
  await service.send('POST', '/api/projects/1/feature_flags', { key: 'third', active: false })
  const recorder = join(import.meta.dirname, 'record-calls.cjs')
  const provider = [process.execPath, '--require', recorder, built('terraform/vexil-provider.cjs')]
  return inFolder({}, async directory => {
    const [calls, script, config] = ['calls', 'terraform-provider-vexil', 'cli.tfrc'].map(name =>
      join(directory, name),
    ) as [string, string, string]
    await writeFiles('/', {
      [script]: `#!/bin/sh\nexec ${provider.join(' ')}\n`,
      [config]: `provider_installation {\n  dev_overrides { "${providerName}" = "${directory}" }\n}\n`,
    })
    await chmod(script, 0o755)
    const env = { ...service.env, VEXIL_CALLS: calls, TF_CLI_CONFIG_FILE: config }
    const attached = isAttached ? await startProvider(provider, env) : undefined
    const address = { network: 'unix', at: attached?.socket ?? '' } as const
    const reattach = attached && reattachSetting(providerSources, address, attached.child.pid!)
    const recorded = new Map<string, Recorded extends ReadonlyMap<string, infer Step> ? Step : never>()
    for (const [name, [command, files = {}]] of Object.entries(life)) {
      if (name === 'query' && !/^terraform-1\.1[4-9]/.test(title)) continue
      await writeFiles(directory, files)
      await rm(calls, { force: true })
      const options = { directory, env: { ...env, ...(reattach && { TF_REATTACH_PROVIDERS: reattach }) } }
      const { code, output } = await run(program, command.split(' '), options)
      if (code !== 0) throw new Error(`${title} ${command} ended with ${code}:\n${output}`)
      const lines = (await readFile(calls, 'utf8').catch(() => '')).split('\n').filter(Boolean)
      recorded.set(name, { command, notes: lines.map(line => JSON.parse(line) as Note) })
    }
    if (attached?.child.kill()) await once(attached.child, 'exit')
    return recorded
  }).finally(() => service.close())
}
