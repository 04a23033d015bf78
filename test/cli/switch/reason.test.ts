import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reasonIn } from '../../../src/cli/commands/switch.ts'
import { CommandError } from '../../../src/cli/host/exit-code.ts'
import { escapeText } from '../../../src/model/text/printable.ts'
import { isWrite, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, list } = workspace

const disable = (reason: readonly string[]) =>
  service.watch(() => vexil(['disable', 'checkout', '--auto-approve', ...reason]))

describe('a reason', () => {
  it.each([
    [
      'is asked for',
      [],
      'give the reason with --reason TEXT: it is recorded, and plans show it until the flag is declared off',
    ],
    ['is not empty', ['--reason', ' '], '--reason is empty; give one line of text'],
    [
      'is one line',
      ['--reason', 'a\nb'],
      '--reason has a line end or another control character; give one line of text',
    ],
    [
      'sets no title',
      ['--reason', 'a\u001b]0;x'],
      '--reason has a line end or another control character; give one line of text',
    ],
    [
      'has an end',
      ['--reason', 'x'.repeat(301)],
      '--reason has more than 300 characters; give one line of text',
    ],
  ])('%s, before anything is asked of the service', async (_, words, said) => {
    const { result, requests } = await disable(words)
    expect(result).toEqual({ code: 64, stdout: '', stderr: `vexil: ${said}\n` })
    expect(requests).toEqual([])
  })

  it('holds no key, which is not shown either', async () => {
    const key = service.env.VEXIL_API_KEY ?? ''
    const { result, requests } = await disable(['--reason', `it was ${key}`])
    expect(result).toEqual({
      code: 64,
      stdout: '',
      stderr: 'vexil: --reason contains the key of the service; give one line of text\n',
    })
    expect(requests.filter(isWrite)).toEqual([])
    expect(await list('.vexil')).toEqual([])
  })

  it('is taken as it is, but for blanks around it, or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), text => {
        try {
          const reason = reasonIn(text) ?? ''
          expect(reason).toBe(text.trim())
          expect(escapeText(reason)).toBe(reason)
          expect([...reason].length).toBeGreaterThan(0)
          expect([...reason].length).toBeLessThanOrEqual(300)
        } catch (error) {
          expect(error).toBeInstanceOf(CommandError)
        }
      }),
    )
  })
})
