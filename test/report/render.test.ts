import { describe, expect, it } from 'vitest'
import type { DoctorDocument, FailureDocument, PlanDocument, RunDocument } from '../../src/report/document.ts'
import { followRun, joinPieces } from '../../src/report/format.ts'
import { type FormatName, formats, render } from '../../src/report/formats.ts'
import { aChange } from '../support/builders.ts'

const failure: FailureDocument = {
  is: 'failure',
  exitCode: 1,
  line: 'vexil: 1 error',
  errors: [{ code: 'unknown-key', message: '"actve" is not a field of a flag' }],
  problems: [
    {
      problem: {
        code: 'unknown-key',
        severity: 'error',
        message: '"actve" is not a field of a flag',
        source: { file: 'flags.yaml', line: 2, column: 3 },
      },
      path: 'team: a/flags.yaml',
      excerpt: { line: '  actve: true' },
    },
  ],
}

const doctor: DoctorDocument = {
  is: 'doctor',
  exitCode: 1,
  checks: [
    { name: 'settings', verdict: 'ok', summary: 'vexil.yaml' },
    { name: 'key', verdict: 'failed', summary: 'there is none' },
  ],
}

const refused = (address: string): RunDocument['events'][number] => ({
  type: 'change_failed',
  address,
  action: 'create',
  failure: {
    text: 'POST /flags 403: no',
    shared: '403: no',
    isFinal: true,
    fault: { code: 'service', message: 'POST /flags 403: no', status: 403, request: 'POST /flags' },
  },
  line: { type: 'change_failed', address },
})

const applied: RunDocument = {
  is: 'run',
  command: 'apply',
  changes: [aCreate('feature_flag.a'), aCreate('feature_flag.b')],
  blocked: [],
  liveEdits: [],
  events: [
    { type: 'change_start', address: 'feature_flag.a', action: 'create', line: { type: 'change_start' } },
    refused('feature_flag.a'),
    refused('feature_flag.b'),
  ],
  kept: { run: 'r1', path: '/runs/r1.json' },
}

describe('render', () => {
  it('says why a command failed to people, to programs, and to a pipeline', async () => {
    expect(await render('text', failure)).toBe(`\
flags.yaml:2:3 "actve" is not a field of a flag
> 2 |   actve: true
    |   ^

vexil: 1 error
`)
    expect(await render('json', failure)).toBe(
      '{"format_version":"1.0","exit_code":1,"errors":[{"code":"unknown-key","message":"\\"actve\\" is not a field of a flag"}]}\n',
    )
    expect(await render('annotations', failure)).toBe(
      '::error file=team%3A a/flags.yaml,line=2,col=3::"actve" is not a field of a flag\n',
    )
  })

  it('takes from the reader whether there are colours', async () => {
    const plain = await render('text', doctor)
    expect(plain).toBe(`\
ok          settings  vexil.yaml
FAILED      key       there is none
`)
    expect(await render('text', doctor, { isColourful: true })).toContain('\u001b[31mFAILED     \u001b[39m')
  })

  it('tells how each change of a run ended, and what to do', async () => {
    expect(await render('text', applied)).toBe(`\
  x flag a failed: POST /flags 403: no
  x flag b failed: POST /flags 403: no

0 changes applied, 2 failed. Fix the cause first: the service would refuse the same command again.
run: /runs/r1.json
`)
  })

  it.each(Object.keys(formats) as FormatName[])(
    'says of a run as %s what it says as the run goes on',
    async name => {
      const format = await formats[name].load()
      const following = followRun(format, applied, {})
      const said = [...applied.events.map(event => following.event(event)), following.end(applied)]
      expect(said.join('')).toBe(joinPieces(format.render(applied, {})))
    },
  )

  it('does not work out what a plan is saved as, where people read it', async () => {
    const plan: PlanDocument = {
      is: 'plan',
      plan: { changes: [], blocked: [], drift: [], liveEdits: [], unchanged: ['feature_flag.a'] },
      meta: { target: { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' } },
      get saved(): never {
        throw new Error('it takes as long as to make the plan')
      },
    }
    expect(await render('text', plan)).toContain('1 unchanged')
    await expect(render('json', plan)).rejects.toThrow('as long as')
  })
})

function aCreate(address: string) {
  return aChange({ address, action: 'create', identity: address.replace('feature_flag.', '') })
}
