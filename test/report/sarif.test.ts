import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Document } from '../../src/report/document.ts'
import { render } from '../../src/report/formats.ts'
import { hostilePlans } from '../support/hostile-plan.ts'
import { richPlan } from '../support/rich-plan.ts'
import { rounds } from '../support/rounds.ts'

// The schema of OASIS without its descriptions; none of it means anything else in the newer draft.
const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'sarif-2.1.0.schema.json'), 'utf8'))
const isSarif = addFormats.default(new Ajv2020({ strict: false, unicodeRegExp: false })).compile(schema)

const target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' } as const

async function runOf(document: Document, folder?: string) {
  const log = JSON.parse(await render('sarif', document, folder === undefined ? {} : { folder }))
  expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true)
  return log.runs[0]
}

const planOf = (plan: ReturnType<typeof richPlan>): Document => ({
  is: 'plan',
  plan,
  meta: { target },
  saved: {},
})

describe('a report for code hosts', () => {
  it('is SARIF, whatever things are called, and every place is inside of the repository', async () => {
    await fc.assert(
      fc.asyncProperty(hostilePlans, async plan => {
        const { results, tool } = await runOf(planOf(plan))
        const rules = tool.driver.rules.map(({ id }: { id: string }) => id)
        expect(new Set(rules).size).toBe(rules.length)
        for (const { ruleId, locations, message } of results) {
          expect(rules).toContain(ruleId)
          const [{ physicalLocation }] = locations
          expect(physicalLocation.artifactLocation.uri).toMatch(/^[\w.!~*'()%/-]*$/)
          expect(physicalLocation.artifactLocation.uriBaseId).toBe('%SRCROOT%')
          expect(message.text).not.toMatch(/(?<!\\)\]\(/)
        }
      }),
      { numRuns: rounds(5) },
    )
  })

  it('has a finding with rule, level and region for all that people have to look at', async () => {
    const { results } = await runOf(planOf(richPlan()), 'infra')
    const told = results.map(
      ({
        ruleId,
        level,
        locations: [{ physicalLocation: at }],
      }: {
        ruleId: string
        level: string
        locations: [
          { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } },
        ]
      }) => `${level} ${ruleId} ${at.artifactLocation.uri}:${at.region.startLine}`,
    )
    expect(told).toMatchSnapshot()
  })

  it('has the problems of files, and says that the command failed where one has no place', async () => {
    const { results, invocations } = await runOf({
      is: 'failure',
      exitCode: 1,
      errors: [],
      problems: [
        {
          problem: {
            code: 'unknown-key',
            severity: 'error',
            message: '"actve" is not a field',
            hint: 'did you mean "active"?',
            address: 'feature_flag.a',
            source: { file: 'a b.yaml', line: 2, column: 3 },
          },
          path: 'infra/a b.yaml',
        },
        { problem: { code: 'no-files', severity: 'warning', message: 'there are no files' } },
      ],
    })
    expect(results).toEqual([
      {
        ruleId: 'unknown-key',
        level: 'error',
        message: {
          text: 'feature_flag "a": "actve" is not a field\nunknown-key\nto go on: did you mean "active"?',
        },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'infra/a%20b.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 2, startColumn: 3 },
            },
          },
        ],
        partialFingerprints: { 'vexilObject/v1': 'unknown-key:feature_flag.a' },
      },
    ])
    expect(invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          {
            level: 'warning',
            message: { text: 'there are no files\nwarning, no-files' },
            associatedRule: { id: 'no-files' },
          },
        ],
      },
    ])
  })

  it('has a category for each environment, and a level for each rule: the worst of its findings', async () => {
    const plan = richPlan()
    const document: Document = { is: 'plan', plan, meta: { target, environment: 'production' }, saved: {} }
    const { automationDetails, results, tool, invocations } = await runOf(document)
    expect(automationDetails).toEqual({ id: 'vexil/plan/production/' })
    expect((await runOf(planOf(plan))).automationDetails).toEqual({ id: 'vexil/plan/' })
    // A finding without a place is a notification.
    const all = JSON.stringify([results, invocations])
    for (const { id, defaultConfiguration } of tool.driver.rules) {
      const isFound = (level: string) =>
        all.includes(`"ruleId":"${id}","level":"${level}"`) ||
        new RegExp(`"level":"${level}","message":{[^{}]*},"associatedRule":{"id":"${id}"}`).test(all)
      expect([id, defaultConfiguration]).toEqual([id, { level: ['error', 'warning', 'note'].find(isFound) }])
    }
  })

  it('finds nothing in what is told of no objects', async () => {
    expect((await runOf({ is: 'unlock', removed: null })).results).toEqual([])
  })
})
