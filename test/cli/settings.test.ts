import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write } = workspace

const place = (members = '') => {
  const { VEXIL_ORGANIZATION_ID: organization } = service.env
  return `{ base_url: "${service.url}", project: "1", organization: "${organization}"${members} }`
}
const withKey = () => ({ env: { VEXIL_API_KEY: service.env.VEXIL_API_KEY } })

describe('a command that needs the settings and no declaration', () => {
  it.each(['call feature_flag.list', 'doctor', 'export', 'undo last'])(
    'is stopped by no problem in a declaration: %s',
    async line => {
      await write({
        'vexil.yaml': `version: 1\nenvironments: { production: ${place()} }\n`,
        'flags.yaml': 'feature_flags:\n  checkout: { only: [prodution], actve: true }\n',
      })
      const { code, stderr } = await vexil(line, withKey())
      const undoes = 'vexil: there is no run to undo: none of those on record here has changed anything\n'
      expect({ code, stderr }).toEqual(
        line.startsWith('undo') ? { code: 1, stderr: undoes } : { code: 0, stderr: '' },
      )
    },
  )

  it.each([
    [
      'a pattern that leads out of the repository',
      'files: ["../flags/*.yaml"]',
      '"../flags/*.yaml" leads out',
    ],
    ['a member that there is not', 'enviroments: {}', '"enviroments" is not a setting'],
  ])('is stopped by a problem in the settings: %s', async (_, member, words) => {
    await write({ 'vexil.yaml': `version: 1\n${member}\nenvironments: { production: ${place()} }\n` })
    const { code, stdout, stderr } = await vexil('call feature_flag.list', withKey())
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr.endsWith('vexil: 1 error\n'), stderr).toBe(true)
  })

  it('is not stopped by a pattern that matches nothing yet', async () => {
    await write({
      'vexil.yaml': `version: 1\nfiles: ["later/*.yaml"]\nenvironments: { production: ${place()} }\n`,
    })
    expect(await vexil('call feature_flag.list', withKey())).toMatchObject({ code: 0, stderr: '' })
  })
})
