import { readFileSync } from 'node:fs'
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { parse } from 'yaml'

/** A step of a job or of a composite action, as far as it is played; anything else in one is an error. */
export interface Step {
  readonly id?: string
  readonly name?: string
  readonly if?: string | boolean
  readonly uses?: string
  readonly with?: Readonly<Record<string, string | number | boolean>>
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'continue-on-error'?: boolean
}

export interface Job {
  readonly name?: string
  readonly 'runs-on': string
  readonly if?: string
  readonly needs?: string | readonly string[]
  readonly environment?: string
  readonly permissions?: Permissions
  readonly concurrency?: unknown
  readonly outputs?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

export type Permissions = Readonly<Record<string, 'read' | 'write'>>

export interface Workflow {
  readonly name: string
  readonly on: unknown
  readonly permissions?: Permissions
  readonly concurrency?: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

export interface CompositeAction {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const known = {
  workflow: ['name', 'on', 'permissions', 'concurrency', 'jobs'],
  job: ['name', 'runs-on', 'if', 'needs', 'environment', 'permissions', 'concurrency', 'outputs', 'steps'],
  step: ['id', 'name', 'if', 'uses', 'with', 'run', 'shell', 'env', 'continue-on-error'],
}

/** Reads a workflow as GitHub does. Throws where GitHub would refuse it, and for what is not played here. */
export async function readWorkflow(path: string): Promise<Workflow> {
  const content = readFileSync(path, 'utf8')
  const { context, value } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter())
  if (value) await convertWorkflowTemplate(context, value)
  refuse(path, context.errors.getErrors())
  const workflow: Workflow = parse(content)
  requireKnown(path, workflow, known.workflow)
  for (const job of Object.values(workflow.jobs)) {
    requireKnown(path, job, known.job)
    for (const step of job.steps) requireKnown(path, step, known.step)
  }
  return workflow
}

/** Reads `action.yml` in the same way. */
export function readAction(path: string): CompositeAction {
  const content = readFileSync(path, 'utf8')
  refuse(path, parseAction({ name: path, content }, new NoOperationTraceWriter()).context.errors.getErrors())
  const action: CompositeAction = parse(content)
  for (const step of action.runs.steps) requireKnown(path, step, known.step)
  return action
}

function refuse(path: string, errors: readonly { readonly message: string }[]): void {
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
}

function requireKnown(path: string, part: object, names: readonly string[]): void {
  const other = Object.keys(part).filter(name => !names.includes(name))
  if (other.length > 0) throw new Error(`${path}: ${other.join(', ')} is not played here`)
}
