import { describe, expect, it } from 'vitest'
import { flagsPath, organization, support, useWorkspace } from '../support/workspace.ts'
import { filledIn, flag, flags, synthesized } from './stack-app.ts'

const provider = { 'provider.vexil': [{ project_id: '1', organization_id: organization }] }

function grant(role: string, flagId = filledIn('vexil_feature_flag.a.id')) {
  return { 'resource.vexil_feature_flag_role_access': { g: { feature_flag_id: flagId, role_id: role } } }
}

const byName = {
  ...provider,
  ...flags({ a: flag('a') }),
  ...grant(filledIn('data.vexil_role.support.id')),
  data: { vexil_role: { support: { name: 'support' } } },
}

async function granted(workspace: ReturnType<ReturnType<typeof useWorkspace>>): Promise<unknown> {
  const { id } = await workspace.flag('a')
  const { results } = (await workspace.service.get(`${flagsPath}/${id}/role_access`)) as {
    results: { role: { id: string } }[]
  }
  return results.map(({ role }) => role.id)
}

describe('what a stack looks up, where the service lists roles', () => {
  const workspace = useWorkspace({}, { quirks: { roles_route: true } })

  it('is found by its name, once, and what is planned is applied', async () => {
    await workspace().write(synthesized({ shop: byName }))
    const { result, requests } = await workspace().service.watch(() =>
      workspace().vexil('apply --stack shop --auto-approve'),
    )
    expect(result).toMatchObject({ code: 0 })
    expect(requests.filter(line => line.includes('/roles'))).toHaveLength(1)
    expect(await granted(workspace())).toEqual([support])
    for (const command of ['plan', 'drift']) {
      const again = await workspace().vexil([command, '--stack', 'shop', '--json'])
      expect(JSON.parse(again.stdout)).toMatchObject({ changes: [] })
    }
  })

  it('is found by a name in letters of any case, as in the service', async () => {
    const data = { vexil_role: { support: { name: 'SUPPORT' } } }
    await workspace().write(synthesized({ shop: { ...byName, data } }))
    expect(await workspace().vexil('apply --stack shop --auto-approve')).toMatchObject({ code: 0 })
    expect(await granted(workspace())).toEqual([support])
  })

  it('is counted among the requests of a plan', async () => {
    await workspace().write(synthesized({ shop: byName }))
    const { result, requests } = await workspace().service.watch(() =>
      workspace().vexil('plan --stack shop --json'),
    )
    expect(JSON.parse(result.stdout).requests).toBe(requests.length)
  })

  it('is refused with its address and a remedy where there is none', async () => {
    const data = { vexil_role: { support: { name: 'sales' } } }
    await workspace().write(synthesized({ shop: { ...byName, data } }))
    for (const command of [['plan'], ['apply', '--auto-approve']]) {
      const { code, stderr } = await workspace().vexil([...command, '--stack', 'shop'])
      expect(code).toBe(1)
      expect(stderr).toContain(
        'data.vexil_role.support: there is no role "sales"; check the spelling, and whether the organization is right',
      )
      expect(stderr).not.toContain('role_id')
    }
  })

  it('is refused where there are two, with the ids of both', async () => {
    const path = `/api/organizations/${organization}/plugins`
    const ids: unknown[] = []
    for (const url of ['https://example.com/one', 'https://example.com/two']) {
      const made = (await workspace().service.send('POST', path, {
        name: 'geo',
        plugin_type: 'custom',
        url,
      })) as {
        id: number
      }
      ids.push(made.id)
    }
    const data = { vexil_plugin: { geo: { name: 'geo' } } }
    const named = { a: flag('a', { name: filledIn('data.vexil_plugin.geo.id') }) }
    await workspace().write(synthesized({ shop: { ...provider, ...flags(named), data } }))
    const { code, stderr } = await workspace().vexil('plan --stack shop')
    expect(code).toBe(1)
    expect(stderr).toContain(
      `cdktf.out/stacks/shop/cdk.tf.json:1:1 data.vexil_plugin.geo: 2 plugins have the name "geo"; write the id of one: ${ids.join(', ')}`,
    )
  })

  it('may be found by what another one has found', async () => {
    const data = {
      vexil_role: {
        first: { name: 'support' },
        second: { id: filledIn('data.vexil_role.first.id') },
        third: { name: filledIn('lower(data.vexil_role.second.name)') },
      },
    }
    const stack = { ...byName, ...grant(filledIn('data.vexil_role.third.id')), data }
    await workspace().write(synthesized({ shop: stack }))
    expect(await workspace().vexil('apply --stack shop --auto-approve')).toMatchObject({ code: 0 })
    expect(await granted(workspace())).toEqual([support])
  })

  it('may be a flag by its id, that is granted and depended on by its key', async () => {
    const { id } = (await workspace().service.send('POST', flagsPath, {
      key: 'legacy',
      filters: { groups: [{}] },
    })) as {
      id: number
    }
    const release = [
      {
        properties: [
          {
            key: filledIn('data.vexil_feature_flag.x.key'),
            type: 'flag',
            operator: 'flag_evaluates_to',
            value: 'true',
          },
        ],
      },
    ]
    const stack = {
      ...provider,
      ...flags({ a: flag('a', { release }) }),
      ...grant(support, filledIn('data.vexil_feature_flag.x.id')),
      data: { vexil_feature_flag: { x: { id: String(id) } } },
    }
    await workspace().write(synthesized({ shop: stack }))
    const { stdout, code } = await workspace().vexil('plan --stack shop --json')
    expect(code).toBe(0)
    const changes: { address: string }[] = JSON.parse(stdout).changes
    expect(changes.map(({ address }) => address).sort()).toEqual([
      'feature_flag.a',
      `feature_flag_role_access.legacy:${support}`,
    ])
    expect(stdout).toContain('legacy')
    expect(stdout).not.toContain('looked-up')
  })

  it('is checked without asking the service', async () => {
    await workspace().write(synthesized({ shop: byName }))
    const { result, requests } = await workspace().service.watch(() =>
      workspace().vexil('validate --stack shop'),
    )
    expect(result).toMatchObject({ code: 0 })
    expect(requests).toEqual([])
  })

  it('is not asked of a service that the run is not for', async () => {
    const stack = {
      ...byName,
      'provider.vexil': [
        { project_id: '1', organization_id: organization },
        { alias: 'eu', base_url: 'http://127.0.0.1:9', api_key: 'another-key-of-nobody' },
      ],
      data: { vexil_role: { support: { name: 'support', provider: 'vexil.eu' } } },
    }
    await workspace().write(synthesized({ shop: stack }))
    const { code, stderr } = await workspace().vexil('plan --stack shop')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'data.vexil_role.support: it looks up an object in another service than the planned one, and the plan depends on it',
    )
    expect(stderr).not.toContain('ffffffff')
  })

  it('is not asked for where the stack is wrong and there is nobody to ask', async () => {
    const wrong = flags({ a: flag('a', { realease: [] }) })
    await workspace().write(synthesized({ shop: { ...byName, ...wrong } }))
    const { code, stderr } = await workspace().vexil('plan --stack shop', { env: {} })
    expect(code).toBe(1)
    expect(stderr).toContain('vexil_feature_flag.a.realease: this attribute does not exist')
  })
})

describe('what a stack looks up, where the service does not list roles', () => {
  const workspace = useWorkspace({})

  it('is refused, with what to do', async () => {
    await workspace().write(synthesized({ shop: byName }))
    const { code, stderr } = await workspace().vexil('plan --stack shop')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'data.vexil_role.support: the service does not list its roles; use the id: Role.fromId(id, name) in constructs, or add it ' +
        'under `roles` in vexil.yaml',
    )
  })

  it('is what the settings call so', async () => {
    await workspace().write({
      ...synthesized({ shop: byName }),
      'vexil.yaml': `version: 1\nroles: { support: ${support} }\n`,
    })
    const planned = await workspace().vexil('plan --stack shop')
    expect(planned).toMatchObject({ code: 0 })
    expect(planned.stdout).toContain('support')
    const tried = await workspace().vexil('apply --stack shop --auto-approve --sandbox')
    expect(tried).toMatchObject({ code: 0 })
  })
})
