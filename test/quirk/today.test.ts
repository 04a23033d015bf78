import { describe, expect, it } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { isWrite } from '../support/workspace.ts'
import { sitDown } from './desk.ts'
import { definitions } from './repository.ts'

const one = (fields: string) => `feature_flags:\n  fresh_one: { ${fields} }\n`
const apply = 'apply --auto-approve'

describe.each(profiles)('on the service %s', profile => {
  describe('what SDKs load', () => {
    it('is no part of a plan or an apply', async () => {
      const desk = await sitDown({ profile })
      desk.service.faults('/local_evaluation status=402', '/flags/definitions status=402')
      const { result, requests } = await desk.service.watch(() => desk.vexil(apply))
      expect(result.code, result.stdout).toBe(0)
      expect(requests.filter(line => /local_evaluation|flags\/definitions/.test(line))).toEqual([])
    })

    it('is told as it is where somebody asks for it, and nothing old in its place', async () => {
      const desk = await sitDown({ profile })
      desk.service.faults('/local_evaluation status=402')
      const { code, stdout, stderr } = await desk.vexil('call feature_flag.localEvaluation')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('402')
    })
  })

  it('an estimate that the key is not let in for is left out, and the plan is the same', async () => {
    const declarations = one('active: true, filters: { groups: [{ rollout_percentage: 5 }] }')
    const desk = await sitDown({ profile, scopes: ['*'], declarations })
    const { code, stdout } = await desk.vexil('plan --estimates')
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('1 to create')
    expect(stdout).toContain(profile === 'posthog-2026' ? 'reach: everyone: about' : 'reach: not available')
  })

  it('an event definition that was not seen is not made, though a service may take that', async () => {
    const declarations = 'event_definitions:\n  paid: { tags: [money] }\n  never_seen: { tags: [a] }\n'
    const desk = await sitDown({ profile, declarations })
    const { result, requests } = await desk.service.watch(() => desk.vexil(apply))
    expect(result.stdout).toContain('never_seen')
    expect(requests.filter(isWrite)).toEqual([expect.stringContaining(`PATCH ${definitions}/`)])
    expect(await desk.writesOf(apply)).toEqual([])
  })
})
