import { describe, expect, it } from 'vitest'
import { organization, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' })
const { vexil, write, read } = workspace
const password = 'open-sesame-1234'

describe('the password of a proxy', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'])(
    'in %s is not shown, wherever it stands',
    async name => {
      await write({ 'vexil.yaml': `version: 1\n"${password}": 1\n` })
      const env = { [name]: `http://user:${password}@proxy.example.com:3128` }
      const { code, stdout, stderr } = await vexil('validate', { env })
      expect(code).toBe(1)
      expect(stderr).toContain('is not a setting')
      expect(stdout + stderr).not.toContain(password)
    },
  )

  it('is not shown as it is, where the address has it encoded', async () => {
    await write({ 'vexil.yaml': 'version: 1\n"open@sesame/1234": 1\n' })
    const env = { HTTPS_PROXY: 'http://user:open%40sesame%2F1234@proxy.example.com:3128' }
    const { stderr } = await vexil('validate', { env })
    expect(stderr).toContain('is not a setting')
    expect(stderr).not.toContain('open@sesame')
  })
})

describe('files that a command writes', () => {
  const key = 'phx_a_key_that_is_somewhere_else_too'

  it('as it starts a repository do not hold the key', async () => {
    const env = {
      VEXIL_API_KEY: key,
      VEXIL_BASE_URL: `https://${key}.example.com`,
      VEXIL_ORGANIZATION_ID: organization,
    }
    expect((await vexil('init new', { env })).code).toBe(0)
    const text = await read('new/vexil.yaml')
    expect(text).toContain('.example.com')
    expect(text).not.toContain(key)
  })
})
