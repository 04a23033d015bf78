import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createClient, keyFromEnvironment } from '../../src/api/index.ts'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { checkedKey } from '../../src/model/limits.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { resolve } from '../../src/terraform/provider-settings.ts'
import { anyText } from '../support/any-text.ts'
import { cli } from '../support/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'vexil-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const odd: readonly (readonly [string, string, string])[] = [
  ['of 40 KB', `phx_${'Ab3'.repeat(13_653)}`, 'has 40963 characters, but a key has at most 1000'],
  [
    'with a line end inside',
    'phx_abcdef\nghijkl',
    'contains characters that are not allowed in a key; was it cut or wrapped?',
  ],
  [
    'with a second header',
    'phx_abcdef\r\nX-Evil: 1',
    'contains characters that are not allowed in a key; was it cut or wrapped?',
  ],
  [
    'with a control character',
    'phx_abc\u001b]0;x\u0007',
    'contains characters that are not allowed in a key; was it cut or wrapped?',
  ],
  [
    'that is not ASCII',
    'phx_äbcdefgh',
    'contains characters that are not allowed in a key; was it cut or wrapped?',
  ],
  [
    'with a blank inside',
    'phx_abc defghij',
    'contains characters that are not allowed in a key; was it cut or wrapped?',
  ],
  ['with a byte order mark', '\ufeffphx_abcdefgh', 'begins with a byte order mark; save it without one'],
  ['that was cut', 'phx_abc', 'has 7 characters, but a key has at least 8; was it cut?'],
  ['of nothing', ' \n', 'is empty'],
]

/** Every way in which a key gets into the program, and the error that it ends in. */
const ways: Readonly<Record<string, (key: string) => Promise<string>>> = {
  VEXIL_API_KEY: key =>
    refusalOf(() => keyFromEnvironment({ VEXIL_API_KEY: key }, ['VEXIL_API_KEY'], folder)),
  api_key_env: key =>
    refusalOf(() => keyFromEnvironment({ STAGING: key }, ['STAGING', 'STAGING_FILE'], folder)),
  VEXIL_API_KEY_FILE: async key => {
    writeFileSync(join(folder, 'key.txt'), key)
    return refusalOf(() =>
      keyFromEnvironment({ VEXIL_API_KEY_FILE: 'key.txt' }, ['VEXIL_API_KEY_FILE'], folder),
    )
  },
  "Terraform's api_key": key => refusalOf(() => resolve({ api_key: key }, { env: {}, directory: folder })),
  createClient: key =>
    refusalOf(async () =>
      createClient({ baseUrl: 'https://x.example.com', apiKey: key, runtime: realRuntime }),
    ),
  createSandbox: key => refusalOf(() => createSandbox({ runtime: realRuntime, empty: true, apiKey: key })),
  'vexil sandbox --api-key': async key => {
    const { code, stdout, stderr } = await cli(['sandbox', '--port', '0', '--api-key', key], {
      directory: folder,
    })
    expect(code).toBe(1)
    return stdout + stderr
  },
}

async function refusalOf(use: () => Promise<unknown>): Promise<string> {
  return use().then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
  )
}

describe('a key', () => {
  for (const [way, refusal] of Object.entries(ways)) {
    it.each(odd)(`%s is refused by way of ${way} before it is used, and not shown`, async (_, key, fault) => {
      const said = await refusal(key)
      const expected =
        way === 'VEXIL_API_KEY_FILE' && key.length > 4000
          ? 'has 40963 bytes, more than the limit of 4000'
          : fault
      expect(said).toContain(expected)
      for (const piece of key.split(/\s+/).filter(({ length }) => length >= 6)) {
        expect(said).not.toContain(piece.slice(0, 40))
      }
    })
  }

  it('with line ends and blanks around it is the key between them', () => {
    expect(checkedKey(' \tphx_abcdefgh\r\n')).toEqual({ key: 'phx_abcdefgh' })
  })

  it('either passes as a header that is one line, or is described without being shown', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), given => {
        const checked = checkedKey(given)
        if ('key' in checked) expect(checked.key).toMatch(/^[\x21-\x7e]{8,1000}$/)
        else if (given.trim().length >= 4) expect(checked.fault).not.toContain(given.trim())
      }),
    )
  })

  it('that stands where the name of its file belongs is not shown', async () => {
    const env = { VEXIL_API_KEY_FILE: 'phx_0123456789abcdef' }
    expect(await refusalOf(() => keyFromEnvironment(env, ['VEXIL_API_KEY_FILE'], folder))).toMatch(
      /^the file that VEXIL_API_KEY_FILE names cannot be read \(ENOENT\)\n/,
    )
  })
})
