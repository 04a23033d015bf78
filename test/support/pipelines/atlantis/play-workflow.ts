import { parse } from 'yaml'
import type { Runner } from '../runner.ts'

type Step =
  | 'init'
  | 'plan'
  | 'apply'
  | { readonly run: string | { readonly command: string; readonly output?: 'show' | 'hide' } }
  | { readonly env: { readonly name: string; readonly command: string } }

interface ServerConfig {
  readonly workflows: Readonly<
    Record<string, Readonly<Record<'plan' | 'apply', { readonly steps: readonly Step[] }>>>
  >
}

export interface Comment {
  /** Whether all steps succeeded. */
  readonly isDone: boolean
  /** What Atlantis writes into the pull request. */
  readonly text: string
}

export interface Project {
  readonly runner: Runner
  /** The folder of the project in the clone of the pull request. */
  readonly directory: string
  readonly name: string
  /** The environment of the server. */
  readonly server: Readonly<Record<string, string>>
}

/**
 * Plays `atlantis plan` or `atlantis apply` for a project, by a workflow of the server: steps in order until one fails,
 * each `run` with `sh -c`, the environment of the server and the variables of Atlantis. Steps of Terraform are the
 * command `terraform` on the PATH with the words that Atlantis gives it.
 */
export async function playWorkflow(
  config: string,
  workflow: string,
  command: 'plan' | 'apply',
  { runner, directory, name, server }: Project,
): Promise<Comment> {
  const steps = (parse(config) as ServerConfig).workflows[workflow]?.[command].steps ?? []
  const env: Record<string, string> = {
    ...server,
    ATLANTIS_TERRAFORM_VERSION: '1.9.8',
    BASE_BRANCH_NAME: 'main',
    DIR: directory,
    PLANFILE: `${directory}/${name}-default.tfplan`,
    PROJECT_NAME: name,
    PULL_NUM: '7',
    SHOWFILE: `${directory}/${name}-default.json`,
    WORKSPACE: 'default',
  }
  const terraform = {
    init: 'terraform1.9.8 init -input=false -upgrade',
    plan: 'terraform1.9.8 plan -input=false -refresh -out "$PLANFILE"',
    apply: 'terraform1.9.8 apply -input=false "$PLANFILE"',
  }
  let text = ''
  for (const step of steps) {
    const script =
      typeof step === 'string' ? terraform[step] : 'env' in step ? step.env.command : commandOf(step.run)
    const { code, log } = await runner.run(script, { directory, env, shell: ['sh'] })
    if (code !== 0) return { isDone: false, text: `${text}${log}` }
    if (typeof step === 'object' && 'env' in step) env[step.env.name] = log
    else if (typeof step === 'string' || typeof step.run === 'string' || step.run.output !== 'hide')
      text += log
  }
  return { isDone: true, text }
}

const commandOf = (run: string | { readonly command: string }) =>
  typeof run === 'string' ? run : run.command
