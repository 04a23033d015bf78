import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** A program of Terraform's family, as a Go module of a version. */
export interface Engine {
  readonly name: string
  readonly version: string
  readonly module: string
  /** Its main package, below the module. */
  readonly folder?: string
}

/** What the provider is tried with, beside the Terraform on the PATH: the oldest, the newest, and the other family. */
export const engines: readonly Engine[] = [
  { name: 'terraform', version: '1.5.7', module: 'github.com/hashicorp/terraform' },
  { name: 'terraform', version: '1.13.3', module: 'github.com/hashicorp/terraform' },
  { name: 'terraform', version: '1.14.0', module: 'github.com/hashicorp/terraform' },
  {
    name: 'opentofu',
    version: '1.10.10',
    module: 'github.com/opentofu/opentofu',
    folder: 'cmd/tofu',
  },
  {
    name: 'opentofu',
    version: '1.12.6',
    module: 'github.com/opentofu/opentofu',
    folder: 'cmd/tofu',
  },
]

/** Names the folder of built engines. */
export const enginesVariable = 'VEXIL_ENGINES'

/** Where they are built and found: outside the repository, so that a clean clone finds them as well. */
export function enginesFolder(): string {
  return env[enginesVariable] ?? join(homedir(), '.cache/vexil-engines')
}

export function titleOf({ name, version }: Engine): string {
  return `${name}-${version}`
}

/** Alone in its folder and called terraform, whichever it is: the folder goes first on the PATH. */
export function binaryOf(engine: Engine, folder = enginesFolder()): string {
  return join(folder, titleOf(engine), 'terraform')
}

/** Those that are built here. */
export function builtEngines(): readonly Engine[] {
  return engines.filter(engine => existsSync(binaryOf(engine)))
}
