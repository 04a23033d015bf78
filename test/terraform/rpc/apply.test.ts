import { afterEach, describe, expect, it } from 'vitest'
import { type ObjectValue, unknown } from '../../../src/hcl/values/value.ts'
import { type ApplyAnswer, errorDiagnostic, type Resource } from '../../../src/terraform/provider.ts'
import { block, clientOf, closeClient, note, refuse, told, type_name } from '../support/one-resource.ts'
import { unwire, wire } from '../support/values.ts'

afterEach(closeClient)

async function applied(
  prior: ObjectValue | null,
  planned: ObjectValue | null,
  apply: Resource['apply'],
): Promise<{ state: unknown; kept: string; said: string[] }> {
  const client = await clientOf({ apply })
  const answer = await client.call('ApplyResourceChange', {
    type_name,
    prior_state: wire(block, prior),
    planned_state: wire(block, planned),
    config: wire(block, planned),
    planned_private: Buffer.from('kept'),
  })
  const kept = Buffer.from(answer.private).toString()
  return { state: unwire(block, answer.new_state), kept, said: told(answer.diagnostics) }
}

const answering = (answer: ApplyAnswer) => () => answer

describe('an apply', () => {
  const sorry = 'this is a bug in the provider, please report it'
  const otherwise = 'error: the provider returned another state than it planned'

  it.each<[string, Parameters<typeof applied>, Awaited<ReturnType<typeof applied>>]>([
    [
      'that fails to create leaves nothing',
      [null, { title: 'a' }, refuse],
      { state: null, kept: 'kept', said: ['error: the service is away'] },
    ],
    [
      'that fails to update leaves what was',
      [note('1'), note('1', 'b'), refuse],
      { state: note('1'), kept: 'kept', said: ['error: the service is away'] },
    ],
    [
      'that fails to remove leaves what was',
      [note('1'), null, refuse],
      { state: note('1'), kept: 'kept', said: ['error: the service is away'] },
    ],
    [
      'that says it failed to remove leaves what was',
      [note('1'), null, answering({ state: null, diagnostics: [errorDiagnostic('refused')] })],
      { state: note('1'), kept: 'kept', said: ['error: refused'] },
    ],
    [
      'that got half way keeps what there is',
      [
        null,
        { id: unknown, title: 'a' },
        answering({ state: { id: '1', title: 'other' }, diagnostics: [errorDiagnostic('half way')] }),
      ],
      { state: note('1', 'other'), kept: 'kept', said: ['error: half way'] },
    ],
    [
      'that leaves something open keeps the rest',
      [null, { id: unknown, title: 'a' }, ({ planned }) => ({ state: planned })],
      {
        state: { ...note('1'), id: null },
        kept: 'kept',
        said: [`${otherwise}: id: unknown after the apply; ${sorry}`],
      },
    ],
    [
      'that does otherwise than planned keeps what there is',
      [null, { id: unknown, title: 'a' }, answering({ state: { id: '1', title: 'b' } })],
      {
        state: note('1', 'b'),
        kept: 'kept',
        said: [`${otherwise}: title: planned "a", but now "b"; ${sorry}`],
      },
    ],
    [
      'that leaves something after a removal says so',
      [note('1'), null, answering({ state: { id: '1', title: 'a' } })],
      { state: note('1'), kept: 'kept', said: [`${otherwise}: still exists after the removal; ${sorry}`] },
    ],
    [
      'that leaves nothing after a creation says so',
      [null, { title: 'a' }, answering({ state: null })],
      { state: null, kept: '', said: [`${otherwise}: does not exist after the write; ${sorry}`] },
    ],
    [
      'that leaves what does not fit keeps what does',
      [null, { id: unknown, title: 'a' }, answering({ state: { id: '1', title: 2, stray: true } })],
      {
        state: note('1'),
        kept: 'kept',
        said: [
          'error: the provider returned a state that does not fit its schema: title: a string is needed',
          'error: the provider returned a state that does not fit its schema: stray: the schema has no such attribute',
        ],
      },
    ],
  ])('%s', async (_, given, answer) => {
    expect(await applied(...given)).toEqual(answer)
  })
})
