import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { pages, root } from './pages.ts'
import { aReader, type Reader } from './reader.ts'

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly on: object
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string
        readonly steps: readonly Step[]
      }
    >
  >
}

function parsed<T>(name: string): T {
  const text = readFileSync(join(root, 'examples/ci', name), 'utf8')
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true })
  expect([...document.errors, ...document.warnings]).toEqual([])
  return document.toJS()
}

const github = parsed<Workflow>('github-actions.yml')

// Dependencies are there already, and a registry is not.
const ownSteps = (steps: readonly Step[]) =>
  steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run]))

/** What each pipeline runs for a merge, job by job, with what its runner sets. */
const pipelines = {
  'github-actions.yml': [
    'export VEXIL_API_KEY=example-key GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$PWD/summary.md"',
    ...Object.values(github.jobs).flatMap(({ steps }) => ownSteps(steps)),
    'grep -q "flag checkout_v2" summary.md',
  ],
}

const before = [
  'set -euo pipefail',
  'cp -r node_modules/vexil/examples/gitops shop && cd shop',
  'vexil sandbox --port 8100 --api-key example-key &',
  'for _ in {1..300}; do (: < /dev/tcp/127.0.0.1/8100) 2> /dev/null && break; sleep 0.1; done',
]
const after = ['test -n "$(ls .vexil/runs)"', 'vexil plan --env production --detailed-exitcode']

describe('the pipelines in examples/ci', () => {
  it('are named by the guide', () => {
    const guide = pages.find(({ path }) => path === 'docs/ci.md')?.text
    for (const name of Object.keys(pipelines)) expect(guide).toContain(`examples/ci/${name}`)
  })

  it('have the shape that GitHub expects', () => {
    expect(Object.keys(github.on)).toEqual(['pull_request', 'push'])
    expect(Object.keys(github.jobs)).toEqual(['plan', 'apply'])
    expect(github.jobs.apply?.needs).toBe('plan')
    for (const { steps } of Object.values(github.jobs))
      for (const step of steps)
        expect([step.run, step.uses].filter(each => each !== undefined)).toHaveLength(1)
  })

  it('give the key on GitHub to no step that runs what was installed', () => {
    const steps = Object.values(github.jobs).flatMap(job => job.steps)
    const keyed = steps.filter(({ env }) => env?.VEXIL_API_KEY !== undefined).map(({ run }) => run)
    expect(keyed).toEqual(['npx vexil plan --env production --out plan.json', 'npx vexil apply plan.json'])
    expect(JSON.stringify(github).match(/secrets\./g)).toHaveLength(keyed.length)
  })

  it.each(Object.entries(pipelines))('plan and apply: %s', async (_, steps) => {
    const reader: Reader = await aReader()
    try {
      const { code, output } = await reader.run([...before, ...steps, ...after].join('\n'))
      expect(code, output).toBe(0)
      expect(output).toContain('changes applied')
    } finally {
      await reader.leave()
    }
  })
})
