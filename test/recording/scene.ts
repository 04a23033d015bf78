import type { SandboxOptions, WorldFile } from '../../src/sandbox/index.ts'

export type Files = Readonly<Record<string, string>>

/** A world and what is done in it. */
export interface Scene {
  /** Also the name of its file. */
  readonly name: string
  readonly shows: string
  /** What is live at first. */
  readonly world: WorldFile
  readonly service?: Pick<SandboxOptions, 'profile' | 'quirks'>
  /** The folder that the commands run in. `SERVICE` stands for the address of the service. */
  readonly files: Files
  /** Beside the key and the place of the service; undefined takes one of those away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly steps: readonly Step[]
}

/** One thing that happens. Of a command the requests, the exit code and the texts are recorded. */
export type Step =
  | { readonly vexil: string }
  /** What somebody does in the product, past Vexil. */
  | { readonly colleague: string; readonly body: object }
  /** Replaces the faults of the service, as `vexil sandbox --fault` takes them. */
  | { readonly faults: readonly string[] }
  | { readonly write: Files }

export interface Doing {
  /** Options of every command, such as `--env staging`. */
  readonly at?: string
  /** Options of those that plan, such as `--prune owned`. */
  readonly planning?: string
  /** What happens before everything is applied. */
  readonly before?: readonly Step[]
  /** What happens between applying and undoing. */
  readonly between?: readonly Step[]
}

/** Every command once and, where the same question is answered otherwise after a write, twice. */
export function everyCommand({ at = '', planning = '', before = [], between = [] }: Doing = {}): Step[] {
  const vexil = (...words: string[]) => ({ vexil: words.filter(word => word !== '').join(' ') })
  return [
    vexil('validate', at),
    vexil('plan', at, planning),
    vexil('plan --json', at, planning),
    vexil('drift', at),
    ...before,
    vexil('apply --auto-approve', at, planning),
    ...between,
    vexil('plan', at, planning),
    vexil('drift', at),
    vexil('export', at),
    vexil('undo last --auto-approve', at),
    vexil('plan', at, planning),
  ]
}
