import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'

const demoFolders = async () => (await readdir(tmpdir())).filter(name => name.startsWith('vexil-demo-'))

describe('vexil demo', () => {
  it('reads from start to end: one plan, what came of each change, and nothing left to do', async () => {
    const before = await demoFolders()
    const env = { VEXIL_PROJECT_ID: '99', POSTHOG_HOST: 'http://127.0.0.1:1', VEXIL_API_KEY: 'phx_mine' }
    const { code, stdout, stderr } = await cli('demo', { directory: tmpdir(), env })
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    const [opening = '', planned = '', applied = '', again = ''] = stdout.split(/^\$ /m)
    expect(opening).toMatch(/^A sandbox of the service listens on http:\/\/127\.0\.0\.1:\d+; /)
    expect(planned).toMatch(/^vexil plan --env production --out plan\.json {6}# what would happen\n/)
    expect(planned).toContain('\n  + flag checkout_v2 ')
    expect(planned).toContain('Next: vexil apply plan.json --env production ')
    expect(applied).toMatch(
      /^vexil apply plan\.json --env production {6}# carry it out\n\nsaved plan for production \(.*\) made .* UTC\n( {2}[+~^@-] .*\n)+\n\d+ changes applied\.\n\n$/,
    )
    expect(again).toMatch(/^vexil plan --env production .*\n\nNo changes: plan for production /)
    expect(again).toContain('What to try next:')
    expect(stdout).not.toMatch(/run:|vexil-demo-|phx_mine/)
    expect(await demoFolders()).toEqual(before)
  })
})
