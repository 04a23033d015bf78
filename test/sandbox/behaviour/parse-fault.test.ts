import { describe, expect, it } from 'vitest'
import { parseFault } from '../../../src/sandbox/index.ts'

describe('a fault in words', () => {
  it.each([
    [
      'PATCH /feature_flags/* nth=2 reset_after',
      { match: { method: 'PATCH', path: '/feature_flags/*', nth: 2 }, effect: { type: 'reset_after' } },
    ],
    [
      'get /event_definitions status=429 retry_after=2 times=3',
      {
        match: { method: 'GET', path: '/event_definitions', times: 3 },
        effect: { type: 'status', status: 429, retryAfter: 2 },
      },
    ],
    ['status=500 committed', { match: {}, effect: { type: 'status', status: 500, committed: true } }],
    ['  slow=200  ', { match: {}, effect: { type: 'slow', ms: 200 } }],
    ['**/plugins reset_before', { match: { path: '**/plugins' }, effect: { type: 'reset_before' } }],
    ['POST truncate', { match: { method: 'POST' }, effect: { type: 'truncate' } }],
  ])('"%s" is %j', (text, rule) => {
    expect(parseFault(text)).toEqual(rule)
  })

  it.each([
    ['', 'fault "": "" is not a part of a fault'],
    [
      'GET /flags',
      'fault "GET /flags" has no effect; add status=CODE, slow=MS, reset_before, reset_after, truncate or twice',
    ],
    [
      'GET reset_afer',
      'fault "GET reset_afer": "reset_afer" is not a part of a fault; did you mean "reset_after"?',
    ],
    ['FETCH truncate', 'fault "FETCH truncate": "FETCH" is not a part of a fault'],
    ['status=abc', 'fault "status=abc": "status" requires a whole number, not "abc"'],
    ['status=200', 'fault "status=200": "status" requires 400 to 599, not "200"'],
    ['slow', 'fault "slow": "slow" requires a whole number, not ""'],
    ['truncate nth=0', 'fault "truncate nth=0": "nth" counts from 1'],
    [
      'truncate reset_before',
      'fault "truncate reset_before": "reset_before" and "truncate" exclude each other',
    ],
    [
      'truncate retry_after=2',
      'fault "truncate retry_after=2": "retry_after" and "committed" require "status=..."',
    ],
    ['slow=5 committed', 'fault "slow=5 committed": "retry_after" and "committed" require "status=..."'],
  ])('"%s" is refused', (text, message) => {
    expect(() => parseFault(text)).toThrow(new RangeError(message))
  })
})
