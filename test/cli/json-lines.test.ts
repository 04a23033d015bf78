import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { journalSchema } from '../../src/schema/output/run-schemas.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': 'feature_flags: { a: { active: false, filters: {} }, b: { active: false, filters: {} } }\n',
  'events.yaml': 'event_definitions: { not_seen: { tags: [payments] } }\n',
})
const { vexil, service } = workspace

describe('apply --json', () => {
  it('writes lines that its schema describes, member by member', async () => {
    service.faults('POST /feature_flags nth=1 status=400')
    const { stdout } = await vexil('apply --auto-approve --json --parallelism 1')
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({
      ...{ type: 'summary', done: 1, failed: 1, run: expect.any(String), record: expect.any(String) },
      errors: [{ code: 'service', status: 400, address: expect.stringMatching(/^feature_flag\.[ab]$/) }],
      blocked: [{ address: 'event_definition.not_seen', rule: 'not_seen' }],
    })
    const ajv = new Ajv2020({ allowUnionTypes: true })
    addFormats.default(ajv)
    const isDescribed = ajv.compile({ ...journalSchema(), additionalProperties: false })
    for (const line of lines) expect(isDescribed(line), JSON.stringify([line, isDescribed.errors])).toBe(true)
  })
})
