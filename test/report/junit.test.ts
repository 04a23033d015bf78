import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/core/change.ts'
import type { Document } from '../../src/report/document.ts'
import { render } from '../../src/report/formats.ts'
import { aPlan } from '../support/builders.ts'
import { hostilePlans } from '../support/hostile-plan.ts'

const target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' } as const
const nothing = aPlan()

const planOf = (plan: Plan): Document => ({ is: 'plan', plan, meta: { target }, saved: {} })

interface Suite {
  readonly tests: number
  readonly failures: number
  readonly skipped: number
  readonly testcase: readonly {
    readonly name: string
    readonly failure?: unknown
    readonly skipped?: unknown
  }[]
}

async function suiteOf(document: Document): Promise<Suite> {
  const text = await render('junit', document, { folder: 'infra' })
  expect(XMLValidator.validate(text)).toBe(true)
  // What no XML may hold, escaped or not.
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: name => name === 'testcase',
    processEntities: true,
  })
  const { testsuites } = parser.parse(text)
  const { testcase = [], tests, failures, skipped } = testsuites.testsuite
  return { tests: Number(tests), failures: Number(failures), skipped: Number(skipped), testcase }
}

describe('a report for test results', () => {
  it('has a case for each object, whatever it is called, and counts what it has', async () => {
    await fc.assert(
      fc.asyncProperty(hostilePlans, async plan => {
        const addresses = [...plan.changes, ...plan.blocked, ...plan.liveEdits].map(({ address }) => address)
        const suite = await suiteOf(planOf(plan))
        expect(suite.tests).toBe(new Set(addresses).size)
        expect(suite.testcase).toHaveLength(suite.tests)
        expect(suite.testcase.filter(each => each.failure !== undefined)).toHaveLength(suite.failures)
        expect(suite.testcase.filter(each => each.skipped !== undefined)).toHaveLength(suite.skipped)
      }),
    )
  })

  it('has what is as declared as well, and fails what is blocked', async () => {
    const plan: Plan = {
      ...nothing,
      unchanged: ['feature_flag.same'],
      blocked: [
        {
          address: 'feature_flag.kept',
          kind: 'feature_flag',
          action: 'delete',
          rule: 'protected',
          reason: 'it is <protected>',
          remedy: 'remove it',
          summary: [],
          source: { file: 'flags.yaml', line: 3, column: 1 },
        },
      ],
    }
    expect(
      await render('junit', planOf(plan), { folder: 'infra' }),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vexil plan" tests="2" failures="1" errors="0" skipped="0">
  <testsuite name="plan for project 1, https://flags.example.com" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="flag kept" classname="feature_flag" file="infra/flags.yaml" line="3">
      <failure type="protected" message="flag kept: delete blocked by protected: it is &lt;protected>">flag kept (delete blocked by protected)
it is &lt;protected>
to go on: remove it</failure>
    </testcase>
    <testcase name="feature_flag.same" classname="feature_flag">
      <system-out>feature_flag.same</system-out>
    </testcase>
  </testsuite>
</testsuites>
`)
  })

  it('has a case for each problem of files', async () => {
    const problem = { code: 'unknown-key', message: '"actve" is not a field', hint: 'did you mean "active"?' }
    const suite = await suiteOf({
      is: 'validation',
      exitCode: 1,
      files: ['flags.yaml'],
      problems: [
        {
          problem: { ...problem, severity: 'error', source: { file: 'flags.yaml', line: 2, column: 3 } },
          path: 'flags.yaml',
        },
        { problem: { ...problem, severity: 'warning' } },
      ],
    })
    expect(suite).toMatchObject({ tests: 2, failures: 1, skipped: 1 })
    expect(suite.testcase[0]).toMatchObject({ name: '"actve" is not a field', file: 'flags.yaml', line: '2' })
  })

  it('writes what XML requires as entities, and no more: some readers take 1,000', async () => {
    const messageFor = (message: string) => {
      const problem = { code: 'unknown-key', severity: 'error', message } as const
      return render('junit', { is: 'validation', exitCode: 1, files: [], problems: [{ problem }] })
    }
    expect(await messageFor('"a" -> b')).not.toContain('&')
    expect(await messageFor(`"a" isn't b`)).toContain(`name="&quot;a&quot; isn't b"`)
    expect(await messageFor('a ]]> b')).toContain('>a ]]&gt; b')
  })

  it('has no case for what is told of no objects', async () => {
    const suite = await suiteOf({ is: 'unlock', removed: null })
    expect(suite).toEqual({ tests: 0, failures: 0, skipped: 0, testcase: [] })
  })
})
