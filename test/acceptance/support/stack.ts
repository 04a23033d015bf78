import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderWith, writeFiles } from '../../support/cli.ts'
import { type Ran, run, surroundings } from './binary.ts'

/** What Terraform would do: from the address of a resource to its actions, for those that anything happens to. */
export type Planned = Readonly<Record<string, string>>

/** A problem as Terraform shows it. */
export interface Shown {
  readonly summary: string
  readonly detail: string
  /** The lines that it quotes of the configuration, from the place that it underlines. */
  readonly at: string
}

/** A folder with a configuration, and the real binary to run on it. */
export interface Stack {
  /** The same folder for another binary. */
  with(command: string): Stack
  readonly directory: string
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Runs any command line, whatever becomes of it. */
  run(...args: readonly string[]): Promise<Ran>
  /** Runs one that has to succeed, and returns what it wrote. */
  succeed(...args: readonly string[]): Promise<string>
  plan(...options: readonly string[]): Promise<Planned>
  apply(...options: readonly string[]): Promise<string>
  destroy(): Promise<string>
  /** Interrupts an apply as a terminal would, all of its processes, and returns what it wrote. */
  interruptedApply(moment: Promise<void>, afterwards?: () => void, more?: Environment): Promise<string>
  /** The errors of a command line that has to fail. */
  refusals(
    command: 'validate' | 'plan' | 'apply' | 'destroy',
    ...options: readonly string[]
  ): Promise<Shown[]>
  warnings(...options: readonly string[]): Promise<Shown[]>
  /** The attributes in the state, by address. */
  state(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  outputs(): Promise<Readonly<Record<string, unknown>>>
  remove(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

export async function openStack(
  files: Readonly<Record<string, string>>,
  env: Environment,
  command = 'terraform',
): Promise<Stack> {
  const { path, remove } = await folderWith(files)
  return stackIn(path, env, command, remove)
}

function stackIn(directory: string, env: Environment, command: string, remove: () => Promise<void>): Stack {
  const runHere = (...args: readonly string[]) => run(command, args, { directory, env })
  const succeed = async (...args: readonly string[]) => {
    const { code, output } = await runHere(...args)
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
    return output
  }
  const shown = async (severity: string, args: readonly string[]) => {
    const { code, output } = await runHere(...args)
    return { code, output, diagnostics: diagnosticsIn(output, severity) }
  }
  return {
    directory,
    with: other => stackIn(directory, env, other, remove),
    write: added => writeFiles(directory, added),
    run: runHere,
    succeed,
    async plan(...options) {
      await succeed('plan', '-no-color', '-input=false', '-out=made.plan', ...options)
      return plannedIn(await succeed('show', '-json', 'made.plan'))
    },
    apply: (...options) => succeed('apply', '-no-color', '-input=false', '-auto-approve', ...options),
    destroy: () => succeed('destroy', '-no-color', '-input=false', '-auto-approve'),
    async interruptedApply(moment, afterwards = () => {}, more = {}) {
      const child = spawn(command, ['apply', '-no-color', '-auto-approve', '-parallelism=1'], {
        cwd: directory,
        env: { ...surroundings(), HOME: directory, ...env, ...more },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', text => {
          output += text
          if (text.includes('Stopping operation')) afterwards()
        })
      }
      const ended = once(child, 'close')
      await moment
      process.kill(-child.pid!, 'SIGINT')
      await ended
      return output
    },
    async refusals(name, ...options) {
      const approving = name === 'apply' || name === 'destroy' ? ['-auto-approve'] : []
      const quiet = name === 'validate' ? [] : ['-input=false']
      const { code, output, diagnostics } = await shown('error', [
        name,
        '-json',
        ...quiet,
        ...approving,
        ...options,
      ])
      if (code === 0 || diagnostics.length === 0) throw new Error(`${name} was not refused:\n${output}`)
      return diagnostics
    },
    async warnings(...options) {
      const { code, output, diagnostics } = await shown('warning', [
        'plan',
        '-json',
        '-input=false',
        ...options,
      ])
      // A plan that failed may not have come to what it would warn of.
      if (code !== 0) throw new Error(`${command} plan ended with ${code}:\n${output}`)
      return diagnostics
    },
    async state() {
      return stateIn(await readFile(join(directory, 'terraform.tfstate'), 'utf8'))
    },
    async outputs() {
      const all = JSON.parse(await succeed('output', '-json')) as Record<string, { value: unknown }>
      return Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]))
    },
    remove,
  }
}

interface PlanJson {
  readonly resource_changes?: readonly {
    readonly address: string
    readonly change: { readonly actions: readonly string[]; readonly importing?: object }
    readonly previous_address?: string
  }[]
}

function plannedIn(json: string): Planned {
  const { resource_changes: changes = [] } = JSON.parse(json) as PlanJson
  return Object.fromEntries(
    changes.flatMap(({ address, change, previous_address: before }) => {
      const actions = change.actions.filter(action => action !== 'no-op' && action !== 'read')
      const words = [
        ...(before ? [`move from ${before}`] : []),
        ...(change.importing ? ['import'] : []),
        ...actions,
      ]
      return words.length > 0 ? [[address, words.join(' ')] as const] : []
    }),
  )
}

interface DiagnosticJson {
  readonly severity: string
  readonly summary: string
  readonly detail?: string
  readonly snippet?: { readonly code: string; readonly highlight_start_offset: number }
}

/** `validate -json` writes one document; everything else a line for each event. */
function diagnosticsIn(output: string, severity: string): Shown[] {
  const documents = output.startsWith('{\n') ? [output] : output.split('\n')
  const all = documents.flatMap((text): readonly DiagnosticJson[] => {
    if (!text.startsWith('{')) return []
    const parsed = JSON.parse(text) as {
      diagnostic?: DiagnosticJson
      diagnostics?: readonly DiagnosticJson[]
    }
    return parsed.diagnostics ?? (parsed.diagnostic ? [parsed.diagnostic] : [])
  })
  return all
    .filter(diagnostic => diagnostic.severity === severity)
    .map(({ summary, detail = '', snippet }) => ({
      summary,
      detail,
      at: snippet ? snippet.code.slice(snippet.highlight_start_offset).trim() : '',
    }))
}

interface StateJson {
  readonly resources: readonly {
    readonly mode: string
    readonly type: string
    readonly name: string
    readonly instances: readonly {
      readonly index_key?: string | number
      readonly attributes: Readonly<Record<string, unknown>>
    }[]
  }[]
}

function stateIn(text: string) {
  const { resources } = JSON.parse(text) as StateJson
  return Object.fromEntries(
    resources.flatMap(({ mode, type, name, instances }) =>
      instances.map(({ index_key: key, attributes }) => {
        const index = key === undefined ? '' : `[${JSON.stringify(key)}]`
        return [`${mode === 'data' ? 'data.' : ''}${type}.${name}${index}`, attributes] as const
      }),
    ),
  )
}
