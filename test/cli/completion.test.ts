import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'

const scriptFor = async (shell: string) =>
  (await cli(`completion ${shell}`, { directory: import.meta.dirname })).stdout

/** Asks bash itself what it would offer after a line that ends in the given words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const quoted = words.map(word => `'${word}'`).join(' ')
  const asking = `${await scriptFor('bash')}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _vexil; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-u', '-c', asking], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.split('\n').filter(line => line !== '')
}

describe('vexil completion', () => {
  it('is a script that bash reads and registers', async () => {
    const script = await scriptFor('bash')
    expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
    const registered = spawnSync('bash', ['--norc', '-c', `${script}\ncomplete -p vexil`], {
      encoding: 'utf8',
    })
    expect(registered.stdout).toContain('-F _vexil vexil')
  })

  it.each([
    ['commands', ['vexil', 'pl'], ['plan']],
    ['commands', ['vexil', 'un'], ['undo', 'unlock']],
    ['options of a command', ['vexil', 'plan', '--de'], ['--detailed-exitcode']],
    ['the other form of an option', ['vexil', 'plan', '--no-c'], ['--no-color']],
    ['values of an option', ['vexil', 'plan', '--prune', ''], ['never', 'owned', 'all']],
    ['values of an option', ['vexil', 'plan', '--color', 'al'], ['always']],
    ['shells', ['vexil', 'completion', 'b'], ['bash']],
    ['files', ['vexil', 'apply', 'completion.te'], ['completion.test.ts']],
    ['files after an option', ['vexil', 'plan', '--out', 'completion.te'], ['completion.test.ts']],
  ])('offers %s in bash: %j', async (_, words, offers) => {
    expect(await offered(...words)).toEqual(offers)
  })

  it.each(['zsh', 'fish'])('knows every command and option for %s', async shell => {
    const script = await scriptFor(shell)
    for (const word of ['plan', 'apply', 'undo', 'sandbox', 'detailed-exitcode', 'fault', 'auto-approve']) {
      expect(script).toContain(word)
    }
  })

  it('says which shells there are', async () => {
    expect(await cli('completion powershell', { directory: '.' })).toEqual({
      code: 64,
      stdout: '',
      stderr: 'vexil: "powershell" is no shell this knows; take bash, zsh or fish\n',
    })
  })
})
