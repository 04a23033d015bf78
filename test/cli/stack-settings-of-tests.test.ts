import { describe, expect, it } from 'vitest'
import { writeJson } from '../../src/model/text/json-text.ts'
import { useWorkspace } from '../support/workspace.ts'

/** The services take the text of a property for a number, or do not. */
const filters = {
  groups: [{ properties: [{ key: 'age', type: 'person', operator: 'gt', value: '18' }] }],
}
const tests = [{ person: { distinct_id: 'ada', properties: { age: '100' } }, expect: { value: true } }]
const flag = { key: 'adults', active: true, filters: writeJson(filters), '//': { vexil: { tests } } }

const workspace = useWorkspace({
  'vexil.yaml': `version: 1
environments:
  known: { profile: posthog-2026 }
  early: { profile: posthog }
  strict: { profile: posthog-2026, policies: { owner: error } }
  any: {}
`,
  'shop/cdk.tf.json': writeJson({ resource: { vexil_feature_flag: { adults: flag } } }),
})
const { vexil } = workspace

const run = (line: string) => vexil(`${line} --stack shop`)

describe('the settings beside a stack decide of its tests', () => {
  it.each(['test', 'validate'])('which service answers, for %s', async command => {
    expect((await run(`${command} --env known`)).code).toBe(0)
    expect(await run(`${command} --env known --profile auto`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set "profile" in vexil.yaml'),
    })
    const early = await run(`${command} --env early`)
    expect(early.code).toBe(1)
    expect(early.stderr).toContain('in early, test of "ada": expected true, got false')
  })

  it('for which environment they are told', async () => {
    const { stdout } = await run('test --env known --json')
    expect(JSON.parse(stdout).tests).toMatchObject([{ environment: 'known', verdict: 'passed' }])
  })

  it('what has to hold for validate, while test warns', async () => {
    expect(await run('validate --env strict')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(policy owner)'),
    })
    expect(await run('test --env strict')).toMatchObject({
      code: 0,
      stderr: '1 policy problem: see vexil validate --env strict --stack shop\n',
    })
  })
})
