import { App, TerraformStack } from 'cdktf'
import { onTestFinished } from 'vitest'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { Flag } from '../../src/constructs/index.ts'
import type { ProfileSetting } from '../../src/model/connection.ts'
import { DiagnosticError } from '../../src/terraform/provider.ts'
import type { Service } from '../support/service.ts'
import { aWorkspace, type Workspace } from '../support/workspace.ts'
import { type Config, type Planned, playTerraform, showDiagnostic } from '../terraform/resources/play.ts'

/** What one command, or one run of Terraform, came to. */
export interface Came {
  readonly isDone: boolean
  /** Everything that a person was shown. */
  readonly said: string
}

/** Somebody who declares flags by their keys, and plans and applies them in one way. */
export interface Person {
  plan(): Promise<Came>
  /** Applies what the last plan said, whatever it has become since. */
  applyPlanned(): Promise<Came>
}

export interface WayOptions {
  readonly service: Service
  readonly keys: readonly string[]
  readonly profile?: ProfileSetting
  /** Guards that are allowed once for everything. */
  readonly allow?: readonly string[]
}

type Way = (options: WayOptions) => Promise<Person>

/** The ways in which flags are declared and applied. All of them obey the same rule. */
export const ways = {
  YAML: async options => {
    const { keys } = options
    const flags = keys.map(key => `  ${key}: { active: true }\n`).join('')
    return atTheCommandLine(
      options,
      await workspace(options, { 'flags.yaml': `feature_flags:\n${flags}` }),
      '',
    )
  },
  'a stack': async options => {
    // What allows it is the stack's own provider, as for Terraform.
    const made = await workspace({ ...options, allow: [] }, {})
    const app = new App({ outdir: made.path, skipValidation: true })
    const stack = new TerraformStack(app, 'flags')
    const { keys, allow } = options
    new VexilProvider(stack, 'vexil', { projectId: '1', ...(allow ? { allow: [...allow] as never } : {}) })
    for (const key of keys) new Flag(stack, key, { key, active: true })
    app.synth()
    return atTheCommandLine(options, made, '--stack stacks/flags')
  },
  'the provider': ({ service, keys, profile = 'documented', allow }) =>
    asTerraform(service, keys, { profile, ...(allow ? { allow } : {}) }),
} as const satisfies Readonly<Record<string, Way>>

export type WayName = keyof typeof ways
export const wayNames = Object.keys(ways) as readonly WayName[]

async function workspace(
  { service, allow = [] }: WayOptions,
  files: Readonly<Record<string, string>>,
): Promise<Workspace> {
  const settings = `version: 1\nallow: [${allow.join(', ')}]\n`
  const made = await aWorkspace(service, { 'vexil.yaml': settings, ...files })
  onTestFinished(made.remove)
  return made
}

async function atTheCommandLine(
  { profile = 'documented' }: WayOptions,
  { vexil: run, write }: Workspace,
  flags: string,
): Promise<Person> {
  const vexil = async (line: string): Promise<Came> => {
    const { code, stdout, stderr } = await run(`${line} --profile ${profile}`)
    return { isDone: code === 0, said: stdout + stderr }
  }
  await write({ 'made.json': '' })
  return {
    plan: () => vexil(`plan ${flags} --out made.json`),
    applyPlanned: () => vexil(`apply made.json`),
  }
}

/** Every plan and every apply is a process of its own, as it is with Terraform. */
async function asTerraform(service: Service, keys: readonly string[], block: Config): Promise<Person> {
  let made: readonly (readonly [Config, Planned])[] = []
  const eachOf = async (run: (terraform: Awaited<ReturnType<typeof playTerraform>>) => Promise<string[]>) => {
    const terraform = await playTerraform(service, block)
    try {
      const said = await run(terraform)
      return { isDone: !said.some(line => line.startsWith('error')), said: said.join('\n') }
    } finally {
      await terraform.provider.close()
    }
  }
  return {
    plan: () =>
      eachOf(async terraform => {
        const said: string[] = []
        const planned: (readonly [Config, Planned])[] = []
        for (const key of keys) {
          const config = { key, active: true }
          try {
            const one = await terraform.plan('feature_flag', config, null)
            planned.push([config, one])
            said.push(...one.warnings.map(showDiagnostic))
          } catch (error) {
            if (!(error instanceof DiagnosticError)) throw error
            said.push(...error.diagnostics.map(showDiagnostic))
          }
        }
        // Terraform applies nothing of a plan that failed.
        made = planned.length === keys.length ? planned : []
        return said
      }),
    applyPlanned: () =>
      eachOf(async terraform => {
        const all = made.map(async ([config, planned]) => {
          const { diagnostics } = await terraform.carryOut('feature_flag', config, null, planned)
          return diagnostics.map(showDiagnostic)
        })
        return (await Promise.all(all)).flat()
      }),
  }
}
