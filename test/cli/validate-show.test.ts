import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': `version: 1
environments: { staging: { project: "2" }, production: { project: "1" } }
`,
  'audiences.yaml': `audiences:
  staff: { properties: { email: { icontains: "@example.com" } } }
`,
  'flags.yaml': `feature_flags:
  checkout:
    active: true
    name: "\${env:FLAG_NAME}"
    release:
      staff: { audience: staff }
      rest: { rollout_percentage: 5 }
    tags: ["yes", "a\\eb"]
    environments: { staging: { release: { rest: { rollout_percentage: 100 } } } }
  search: { active: true, rollout_percentage: 10, only: [production] }
`,
})
const { vexil, write, read } = workspace
const env = { FLAG_NAME: 'hidden-value' }

describe('vexil validate --show', () => {
  it('shows a flag as it is declared for an environment, with the line of each value', async () => {
    expect(await vexil('validate --show checkout -e staging', { env })).toEqual({
      code: 0,
      stderr: '',
      stdout: `feature_flags:
  checkout:                                  # flags.yaml:2
    active: true                             # flags.yaml:3
    name: "\${env:FLAG_NAME}"                 # flags.yaml:4
    release:
      staff:
        audience: staff                      # flags.yaml:6
          # email icontains: "@example.com"  # audiences.yaml:2 (audience staff)
      rest:
        rollout_percentage: 100              # flags.yaml:9 (staging)
    tags:
      - "yes"                                # flags.yaml:8
      - "a\\u001bb"                           # flags.yaml:8

3 files checked: no problems
`,
    })
  })

  it('gives programs each value with its place', async () => {
    const { stdout } = await vexil('validate --show check* --env staging --json', { env })
    expect(stdout).not.toContain('hidden-value')
    const { objects } = JSON.parse(stdout)
    expect(objects).toHaveLength(1)
    expect(objects[0]).toMatchObject({ address: 'feature_flag.checkout', environment: 'staging' })
    expect(objects[0].leaves).toContainEqual({
      pointer: '/release/rest/rollout_percentage',
      value: 100,
      source: { file: 'flags.yaml', line: 9, column: 71 },
      by: 'override',
    })
  })

  it('names the line of vexil.yaml that says a value by default', async () => {
    const defaults = 'defaults:\n  - files: "**"\n    owner: payments\n    tags: [money]\n'
    await write({ 'vexil.yaml': `${await read('vexil.yaml')}${defaults}` })
    const { code, stdout } = await vexil('validate --show search -e production', { env })
    expect(code).toBe(0)
    expect(stdout).toBe(`feature_flags:
  search:                   # flags.yaml:10
    active: true            # flags.yaml:10
    rollout_percentage: 10  # flags.yaml:10
    only:
      - production          # flags.yaml:10
    owner: payments         # vexil.yaml:5 (default)
    tags:
      - money               # vexil.yaml:6 (default)

3 files checked: no problems
`)
    const json = await vexil('validate --show search -e production --json', { env })
    expect(JSON.parse(json.stdout).objects[0].leaves).toContainEqual({
      pointer: '/owner',
      value: 'payments',
      source: { file: 'vexil.yaml', line: 5, column: 12 },
      by: 'default',
    })
  })

  it('shows it where the files have problems, and tells of these', async () => {
    await write({ 'more.yaml': 'feature_flags: { wrong: { actve: true } }\n' })
    const { code, stdout, stderr } = await vexil('validate --show feature_flag.checkout -e staging', { env })
    expect(code).toBe(1)
    expect(stdout).toContain('  checkout: ')
    expect(stderr).toContain('did you mean "active"?')
  })

  it.each([
    ['--show checkout', '--show shows one environment; choose it with --env: staging, production'],
    [
      '--show serch -e production',
      '"serch" is not declared in production; did you mean "feature_flag.search"?',
    ],
    ['--show search -e staging', '"search" is not declared in staging'],
    ['--show x* -e staging', '"x*" matches nothing that is declared in staging'],
    ['--show checkout --stack s', '--show is for YAML: a stack has no overrides to show'],
  ])('says what to do about %s', async (flags, message) => {
    expect(await vexil(`validate ${flags}`, { env })).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })

  it('needs no environment where there are none', async () => {
    await write({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': 'feature_flags: { a: { active: false } }\n' })
    const { code, stdout } = await vexil('validate --show a', { env })
    expect(code).toBe(0)
    expect(stdout).toContain('    active: false  # flags.yaml:1\n')
  })
})
