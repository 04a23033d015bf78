import { afterEach, describe, expect, it } from 'vitest'
import { unknown } from '../../../src/hcl/values/value.ts'
import { type Service, startService } from '../../support/service.ts'
import { playTerraform, refusalOf } from './play.ts'

let service: Service
afterEach(() => service.close())

describe('a flag that moves to another project', () => {
  async function made() {
    const projects = [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two' },
    ]
    service = await startService({ seed: { organizations: [{ name: 'Example', projects }] } })
    const terraform = await playTerraform(service)
    return { kept: await terraform.apply('feature_flag', { key: 'checkout', active: false }) }
  }
  const inProject = (project: string) => playTerraform({ env: { ...service.env, VEXIL_PROJECT_ID: project } })

  it.each([
    ['an environment variable', '2', {}],
    ['the resource', '1', { project_id: '2' }],
  ])('is planned anew where that project is there, by %s', async (_, project, over) => {
    const { kept } = await made()
    const terraform = await inProject(project)
    const { replaces } = await terraform.plan(
      'feature_flag',
      { key: 'checkout', active: false, ...over },
      kept,
    )
    expect(replaces).toEqual(['project_id'])
  })

  it('stays where it is while the project of the provider is not known yet', async () => {
    const { kept } = await made()
    const terraform = await playTerraform(service, { project_id: unknown, default_tags: [unknown] })
    const { planned, replaces } = await terraform.plan(
      'feature_flag',
      { key: 'checkout', active: false },
      kept,
    )
    expect(planned).toMatchObject({ project_id: '1', tags_all: unknown })
    expect(replaces).toEqual([])
  })

  it('is not destroyed for a project that nobody knows', async () => {
    const { kept } = await made()
    const terraform = await inProject('99')
    const { result, requests } = await service.watch(() =>
      refusalOf(() => terraform.plan('feature_flag', { key: 'checkout', active: false }, kept)),
    )
    expect(result).toBe(
      'error [project_id]: there is no project 99, or this key may not see it | flag "checkout" would be destroyed, and the new one could not be created. The target comes from `project_id` of the resource or of the provider, or from VEXIL_PROJECT_ID.',
    )
    expect(requests).toEqual(['GET /api/projects/99/feature_flags'])
  })

  it('asks once for all that move there', async () => {
    const { kept } = await made()
    const terraform = await inProject('2')
    const { requests } = await service.watch(() =>
      Promise.all(
        [1, 2, 3].map(() => terraform.plan('feature_flag', { key: 'checkout', active: false }, kept)),
      ),
    )
    expect(requests).toEqual(['GET /api/projects/2/feature_flags'])
  })
})
