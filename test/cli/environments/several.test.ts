import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeEach, describe, expect, it } from 'vitest'
import { publishedSchemas } from '../../../src/schema/schemas.ts'
import { startService } from '../../support/service.ts'
import { anOrganization, isWrite, organization, useWorkspace } from '../../support/workspace.ts'

const projects = { 'prod-eu': 1, 'prod-us': 2, staging: 3 } as const
const flags = `feature_flags:
  checkout:
    active: true
    rollout_percentage: 10
    environments: { prod-us: { rollout_percentage: 50 } }
`
const seed = anOrganization({
  projects: Object.entries(projects).map(([name, id]) => ({
    id,
    name,
    feature_flags: id === 1 ? [{ key: 'checkout', filters: { groups: [{ rollout_percentage: 10 }] } }] : [],
  })),
})
const workspace = useWorkspace({ 'flags.yaml': flags }, { seed })
const { vexil, service, write, records } = workspace
let env: Readonly<Record<string, string | undefined>>

beforeEach(async () => {
  const entry = ([name, id]: [string, number]) =>
    `  ${name}: { base_url: "${service.url}", project: ${id}, organization: ${organization} }`
  await write({
    'vexil.yaml': `version: 1\nenvironments:\n${Object.entries(projects).map(entry).join('\n')}\n`,
  })
  env = { VEXIL_API_KEY: service.env.VEXIL_API_KEY }
})

const run = (line: string, options = {}) => vexil(line, { env, ...options })

/** A command without one environment: its key is missing. */
async function breakStaging() {
  const text = await workspace().read('vexil.yaml')
  await write({ 'vexil.yaml': text.replace('project: 3', 'api_key_env: NO_KEY, project: 3') })
}

describe('several environments in one command', () => {
  it('are chosen by a glob, each with its section, and one table', async () => {
    const { code, stdout, stderr } = await run('plan --env prod-*')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/^--- .*/gm)).toEqual(['--- prod-eu', '--- prod-us'])
    expect(stdout).toContain('No changes: plan for prod-eu (project 1')
    expect(stdout).toContain('plan for prod-us (project 2')
    expect(stdout.slice(stdout.indexOf('vexil plan, '))).toBe(`vexil plan, 2 environments: prod-*

             exit  result       objects
  = prod-eu  0     No changes   1 unchanged
  = prod-us  0     MEDIUM risk  1 to create

2 ended in 0
`)
  })

  it.each([
    ['--env prod-us --env staging', ['prod-us', 'staging']],
    ['--env {staging,prod-eu}', ['prod-eu', 'staging']],
    ['--env all', ['prod-eu', 'prod-us', 'staging']],
    ['--env staging --env prod-*', ['prod-eu', 'prod-us', 'staging']],
  ])('are those of %s, in the order of vexil.yaml', async (words, names) => {
    const { stdout } = await run(`validate ${words} --json`)
    expect(JSON.parse(stdout).environments.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  it('give one document, with the usual one of each', async () => {
    const schemas = publishedSchemas()
    const isValid = (name: string, value: unknown) => {
      const ajv = addFormats.default(new Ajv2020({ allowUnionTypes: true }))
      return ajv.compile(schemas[`${name}.schema.json`] ?? false)(value)
    }
    for (const [line, name] of [
      ['plan', 'plan'],
      ['drift', 'plan'],
      ['validate', 'validation'],
      ['test', 'tests'],
    ] as const) {
      const document = JSON.parse((await run(`${line} --env all --json`)).stdout)
      expect(isValid('environments', document)).toBe(true)
      expect(document).toMatchObject({ command: line, asked: 'all', errors: [] })
      for (const { result } of document.environments) expect(isValid(name, result)).toBe(true)
    }
    const applied = JSON.parse((await run('apply --env all --json --auto-approve')).stdout)
    expect(isValid('environments', applied)).toBe(true)
    for (const { result } of applied.environments) {
      expect(result.every((line: unknown) => isValid('journal', line))).toBe(true)
      expect(result.at(-1)).toMatchObject({ type: 'summary' })
    }
  })

  it('keep what one name gives, also for an environment that is called all', async () => {
    const one = await run('plan --env prod-us')
    expect(one.stdout).not.toContain('---')
    expect(JSON.parse((await run('plan --env prod-us --json')).stdout)).toMatchObject({
      environment: 'prod-us',
    })
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('staging:', 'all:') })
    expect(JSON.parse((await run('plan --env all --json')).stdout)).toMatchObject({ environment: 'all' })
  })

  it.each([
    ['plan --env prd-*', '"prd-*" matches no environment; there are: prod-eu, prod-us and staging'],
    ['plan --env stagin --env prod-eu', '"stagin" is not an environment; did you mean "staging"?'],
    ['plan --env all --out plan.json', '--out is for one environment; name it with --env NAME'],
    ['plan --env all --reviewed plan.json', '--reviewed is for one environment; name it with --env NAME'],
    ['plan --env all --plan-json plan.json', '--plan-json is for one environment; name it with --env NAME'],
    ['drift --env all --base-url http://localhost', '--base-url is for one environment'],
    ['apply plan.json --env all', 'a saved plan is for one environment; name it with --env NAME'],
    ['undo last --env prod-*', 'It takes one environment, no pattern.'],
    ['undo last --env staging --env prod-eu', 'It is given twice, first as staging; give it once.'],
  ])('are refused by %s', async (line, words) => {
    const { code, stdout, stderr } = await run(line)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toContain(words)
  })

  it('go on when one fails, and end like the worst of them', async () => {
    await breakStaging()
    const { code, stdout, stderr } = await run('plan --env all --detailed-exitcode')
    expect(code).toBe(1)
    expect(stderr).toBe(
      'vexil: staging: this environment takes its key from NO_KEY, which is not set (nor is NO_KEY_FILE)\n',
    )
    expect(stdout).toContain(`  ! prod-us  2     MEDIUM risk  1 to create
  ! staging  1     Failed
      this environment takes its key from NO_KEY`)
    expect(stdout).toContain('1 ended in 0, 1 ended in 1, 1 ended in 2')
    const { environments, errors } = JSON.parse((await run('plan --env all --json')).stdout)
    expect(environments.map((each: { exit_code: number }) => each.exit_code)).toEqual([0, 0, 1])
    expect(errors[0].message).toMatch(/^staging: this environment takes its key/)
    const strange = await run('plan --env prod-* --target nothing')
    expect(strange).toMatchObject({ code: 64, stderr: 'vexil: "nothing" is not declared\n' })
  })

  it('are not all sent to the place of a variable', async () => {
    const { code, stdout, stderr } = await run('plan --env all', { env: { ...env, VEXIL_PROJECT_ID: '1' } })
    expect(code).toBe(3)
    expect(stderr).toContain(
      'vexil: prod-us and staging: an environment variable gives another project than vexil.yaml; unset it to use several environments',
    )
    expect(stdout).toContain('= prod-eu  0 ')
  })

  it('report a problem of all environments once', async () => {
    await write({ 'flags.yaml': 'feature_flags:\n  a: { actve: true }\n' })
    const { code, stderr } = await run('validate --env all')
    expect(code).toBe(1)
    expect(stderr.match(/is not a field/g)).toHaveLength(1)
    const planned = await run('plan --env all')
    expect(planned.stderr.match(/is not a field/g)).toHaveLength(1)
    expect(planned.stderr).toContain('vexil: 1 error')
  })

  it('have each what they have by themselves, also with another service', async () => {
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('project: 3', 'profile: posthog-2026, project: 3') })
    for (const [line, members] of [
      ['plan', ['target', 'changes', 'blocked', 'summary', 'declared']],
      ['drift', ['target', 'changes', 'summary', 'sides']],
      ['validate', ['files', 'problems']],
      ['test', ['tests']],
    ] as const) {
      const { environments } = JSON.parse((await run(`${line} --env all --json`)).stdout)
      for (const { name, exit_code, result } of environments) {
        const alone = await run(`${line} --env ${name} --json`)
        expect(exit_code).toBe(alone.code)
        const single = JSON.parse(alone.stdout)
        for (const member of members) expect(result[member], `${line} ${member}`).toEqual(single[member])
      }
    }
  })

  it('hide only what each of them hides', async () => {
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('project: 3', 'redact: [values, descriptions], project: 3') })
    await write({ 'flags.yaml': 'feature_flags: { checkout: { name: Words, active: true } }\n' })
    const { environments } = JSON.parse((await run('plan --env all --json')).stdout)
    const namesOf = environments.map(({ result }: { result: { changes: { after: { name: string } }[] } }) =>
      result.changes.map(({ after }) => after.name),
    )
    expect(namesOf.slice(0, 2)).toEqual([['Words'], ['Words']])
    expect(namesOf[2][0]).not.toContain('Words')
  })
})

describe('environments with one key', () => {
  it('share its parallelism', async () => {
    let [open, most] = [0, 0]
    const counted = await startService({ seed }, handle => async request => {
      open += 1
      most = Math.max(most, open)
      // Long enough that others would begin.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
      open -= 1
      return handle(request)
    })
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': text.replaceAll(service.url, counted.url) })
    const planned = await run('plan --env all --parallelism 1')
    await counted.close()
    expect({ code: planned.code, most }).toEqual({ code: 0, most: 1 })
  })
})

describe('an apply to several environments', () => {
  it('shows all plans, asks once with the names, and applies', async () => {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return 'yes'
    }
    const { code, stdout } = await run('apply --env all', { host: { ask } })
    expect(code).toBe(0)
    expect(questions).toEqual(['Apply these changes to prod-us and staging? Only "yes" continues: '])
    expect(stdout.match(/^--- .*/gm)).toEqual(
      // The plans, then the runs; a run without changes prints nothing.
      ['--- prod-eu', '--- prod-us', '--- staging', '--- prod-us', '--- staging'],
    )
    expect(stdout.slice(stdout.lastIndexOf('vexil apply, 3 environments'))).toContain(
      '= staging  0     Applied',
    )
    expect(await records()).toHaveLength(3)
    const again = await run('apply --env all', { host: { ask } })
    expect(again.code).toBe(0)
    expect(questions).toHaveLength(1)
  })

  it('creates once what an organization has for all of them', async () => {
    await write({
      'plugins.yaml': "plugins: { Clock: { plugin_type: source, source: { index.ts: '// ticks' } } }\n",
    })
    const { code, stdout } = await run('apply --env all --auto-approve')
    expect(code).toBe(0)
    expect(stdout.match(/plugin Clock created/g)).toHaveLength(1)
    const { results } = (await service.get(`/api/organizations/${organization}/plugins/`)) as {
      results: object[]
    }
    expect(results).toHaveLength(1)
    expect((await run('plan --env all --detailed-exitcode')).code).toBe(0)
  })

  it('stops an environment whose plan is no longer the approved one', async () => {
    await write({
      'plugins.yaml': `plugins:
  Clock:
    plugin_type: source
    source: { index.ts: '// ticks' }
    environments: { staging: { source: { index.ts: '// tocks' } } }
`,
    })
    const { code, stderr } = await run('apply --env all --auto-approve')
    expect(code).toBe(5)
    expect(stderr).toContain(
      'vexil: staging: another environment has changed the organization since the plan, which is now different for plugin.Clock; plan again',
    )
  })

  it('refuses a second environment of one project', async () => {
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': text.replace('project: 3', 'project: 2') })
    const { code, stderr } = await run('apply --env prod-us --env staging --auto-approve')
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /^vexil: (prod-us|staging): it is the same place as "(prod-us|staging)": project 2, /m,
    )
  })

  it('writes nothing after another answer, and says so once', async () => {
    const { result, requests } = await service.watch(() => run('apply --env all', { answer: 'no' }))
    expect(result).toMatchObject({ code: 3, stderr: 'nothing was applied\n' })
    expect(requests.filter(isWrite)).toEqual([])
    expect(await workspace().list('.vexil')).toEqual([])
  })

  it('needs somebody to ask, or --auto-approve', async () => {
    expect(await run('apply --env all')).toMatchObject({ code: 3 })
    expect(await run('apply --env all --auto-approve')).toMatchObject({ code: 0 })
  })

  it('applies to the others when one cannot be planned', async () => {
    await breakStaging()
    const { code, stdout } = await run('apply --env all --auto-approve')
    expect(code).toBe(1)
    expect(stdout).toContain('= prod-us  0     Applied')
    expect(await records()).toHaveLength(2)
  })

  it('ends at a signal while it asks, without a write and without a lock', async () => {
    let most = 0
    const listeners = new Set<(signal: 'SIGINT') => void>()
    const host = {
      onInterrupt(listener: (signal: 'SIGINT') => void) {
        listeners.add(listener)
        most = Math.max(most, listeners.size)
        return () => listeners.delete(listener)
      },
      ask: async (_: string, stop?: AbortSignal) => {
        for (const listener of [...listeners]) listener('SIGINT')
        stop?.throwIfAborted()
        return 'yes'
      },
    }
    const { result, requests } = await service.watch(() => run('apply --env all', { host }))
    expect(result).toMatchObject({ code: 130, stderr: 'vexil: interrupted; nothing was written\n' })
    expect(requests.filter(isWrite)).toEqual([])
    expect((await workspace().list('.vexil')).filter(name => name.startsWith('lock-'))).toEqual([])
    expect(listeners.size).toBe(0)
    // One for the question, one for all environments.
    expect(most).toBe(2)
  })
})

describe('a signal while environments are written', () => {
  it('lets what runs end, and each is on record and unlocked', async () => {
    const listeners = new Set<(signal: 'SIGTERM') => void>()
    const onInterrupt = (listener: (signal: 'SIGTERM') => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    const signalled = await startService({ seed }, handle => async request => {
      if (request.method === 'POST') for (const listener of [...listeners]) listener('SIGTERM')
      return handle(request)
    })
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': text.replaceAll(service.url, signalled.url) })
    const { code, stdout, stderr } = await run('apply --env all --auto-approve', { host: { onInterrupt } })
    await signalled.close()
    expect(code).toBe(143)
    expect(stderr).toContain('stopping after the running requests')
    expect(stdout).toContain('vexil apply, 3 environments: all')
    expect((await records()).length).toBeGreaterThan(0)
    expect((await workspace().list('.vexil')).filter(name => name.startsWith('lock-'))).toEqual([])
  })
})

describe('a shard', () => {
  const namesIn = async (words: string) => {
    const { stdout } = await run(`validate ${words} --json`)
    return JSON.parse(stdout).environments.map(({ name }: { name: string }) => name) as string[]
  }

  it('is a part that stays when an environment is added', async () => {
    const before = await Promise.all([1, 2, 3].map(part => namesIn(`--shard ${part}/3`)))
    expect(before.flat().sort()).toEqual(Object.keys(projects).sort())
    const text = await workspace().read('vexil.yaml')
    await write({ 'vexil.yaml': `${text}  added: {}\n` })
    const after = await Promise.all([1, 2, 3].map(part => namesIn(`--env all --shard ${part}/3`)))
    expect(after.map(names => names.filter(name => name !== 'added'))).toEqual(before)
  })

  it('may be empty', async () => {
    const shards = await Promise.all(
      [1, 2, 3, 4].map(part => run(`validate --env staging --shard ${part}/4`)),
    )
    expect(shards.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(shards.filter(({ stdout }) => stdout.startsWith('vexil validate, 0 environments: '))).toHaveLength(
      3,
    )
    const apply = await Promise.all([1, 2, 3, 4].map(part => run(`apply --env staging --shard ${part}/4`)))
    expect(apply.map(({ code }) => code).sort()).toEqual([0, 0, 0, 3])
  })

  it.each(['0/8', '9/8', 'x', '1', '1/0', '-1/2'])('is refused as %s', async shard => {
    const { code, stderr } = await run(`validate --shard=${shard}`)
    expect(code).toBe(64)
    expect(stderr).toContain('--shard takes a part and the number of parts')
  })
})
