import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../support/built.ts'
import { readAction, readWorkflow, type Step } from '../../../support/pipelines/github/workflow.ts'

/** What holds of each workflow in `examples/ci/github`: people copy them together with their keys. */

const folder = join(packageRoot, 'examples/ci/github')
const names = readdirSync(folder).filter(name => name.endsWith('.yml'))
const outputs = Object.keys(readAction(join(packageRoot, 'action/action.yml')).outputs)
const actions = ['action', 'action/find-reviewed']

describe.each(names)('%s', name => {
  const read = async () => {
    const workflow = await readWorkflow(join(folder, name))
    const jobs = Object.entries(workflow.jobs)
    return { workflow, jobs, steps: jobs.flatMap(([, job]) => job.steps) }
  }

  it('gives each job what it needs, and the workflow nothing', async () => {
    const { workflow, jobs } = await read()
    expect(workflow.permissions).toEqual({})
    for (const [job, { permissions }] of jobs) expect(permissions, job).toBeDefined()
  })

  it('runs one at a time, and ends none that writes', async () => {
    const { workflow } = await read()
    expect(workflow.concurrency).toEqual({
      group: expect.stringMatching(/^vexil-/),
      'cancel-in-progress': name === 'pull-request.yml',
    })
  })

  it('starts for nothing that gives a stranger keys', async () => {
    const { workflow } = await read()
    expect(JSON.stringify(workflow.on)).not.toMatch(/pull_request_target|issue_comment|workflow_run/)
  })

  it('hands keys to single steps of the action, and in no script', async () => {
    const { workflow, steps } = await read()
    const keyed = steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'))
    for (const step of keyed) expect(step.uses).toBe('./node_modules/vexil/action')
    const count = (part: unknown) => JSON.stringify(part).match(/secrets\./g)?.length ?? 0
    expect(count(workflow)).toBe(keyed.reduce((sum, { env }) => sum + count(env), 0))
  })

  it('has the writing key in jobs with an environment alone', async () => {
    const { jobs } = await read()
    for (const [, job] of jobs)
      if (JSON.stringify(job).includes('VEXIL_WRITE_KEY')) expect(job.environment).toBeDefined()
  })

  it('puts nothing that others have written into a script', async () => {
    requirePlainScripts((await read()).steps)
  })

  it('reads outputs that the action has', () => {
    requireOutputs(readFileSync(join(folder, name), 'utf8'))
  })

  it('uses what has a version', async () => {
    for (const { uses } of (await read()).steps)
      if (uses !== undefined)
        expect(uses).toMatch(
          /^((actions\/[\w-]+|github\/codeql-action\/[\w-]+)@v\d+|\.\/node_modules\/vexil\/action(\/[\w-]+)?)$/,
        )
  })

  it('tells where it goes, and which secrets it needs', () => {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text.split('\n')[0]).toMatch(/^# \.github\/workflows\/[\w-]+\.yml$/)
    for (const [, secret = ''] of text.matchAll(/secrets\.(\w+)/g))
      expect(text.split('\non:')[0]).toContain(secret)
  })
})

describe('the guide', () => {
  const guide = readFileSync(join(packageRoot, 'docs/ci.md'), 'utf8')

  it('names every workflow and every output', () => {
    for (const name of names) expect(guide).toContain(`](../examples/ci/github/${name})`)
    for (const output of outputs) expect(guide).toContain(`\`${output}\``)
    requireOutputs(guide)
  })

  it('gives each job the permissions that it asks for in words', () => {
    const text = names.map(name => readFileSync(join(folder, name), 'utf8')).join('\n')
    for (const file of ['action.yml', 'find-reviewed/action.yml'])
      for (const [, permission] of readFileSync(join(packageRoot, 'action', file), 'utf8').matchAll(
        /`([\w-]+: (?:read|write))`/g,
      ))
        expect(text).toContain(`      ${permission}\n`)
  })
})

describe.each(actions)('the action in %s', path => {
  const action = join(packageRoot, path, 'action.yml')

  it('puts nothing that others have written into a script', () => {
    requirePlainScripts(readAction(action).runs.steps)
  })

  it('uses nothing of somebody else', () => {
    expect(readAction(action).runs.steps.filter(({ uses }) => uses !== undefined)).toEqual([])
    for (const file of readdirSync(join(packageRoot, 'action')).filter(each => each.endsWith('.mjs')))
      for (const [, from] of readFileSync(join(packageRoot, 'action', file), 'utf8').matchAll(
        / from '([^']+)'/g,
      ))
        expect(from).toMatch(/^(node:|\.\/)/)
  })
})

/** `steps.plan` is the action wherever it is named. */
function requireOutputs(text: string): void {
  for (const [, output = ''] of text.matchAll(/steps\.plan\.outputs\.([\w-]+)/g))
    expect(outputs).toContain(output)
}

/** An expression in a script is text that a shell reads: values go through `env`. */
function requirePlainScripts(steps: readonly Step[]): void {
  for (const { run } of steps) expect(run ?? '').not.toContain('${{')
}
