import { describe, expect, it } from 'vitest'
import { useWatchedWorkspace } from '../support/service.ts'

const views = '/api/projects/1/saved_views/'
const weekly = (tags: string) => `saved_views:
  weekly:
    columns: [event, time]
    filters: { rows: 10, groups: by day }
    tags: ${tags}
`
const absent = 'saved_views: { weekly: { ensure: absent } }\n'

const { service, workspace } = useWatchedWorkspace()

const vexil = (line: string) => workspace().vexil(line)

/** What a command of these declarations writes; it has to end well. */
async function writesOf(line: string, declared?: string): Promise<readonly string[]> {
  if (declared !== undefined) await workspace().write({ 'views.yaml': declared })
  service().writes()
  const { code, stderr } = await vexil(line)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return service().writes()
}

describe('a kind that is described and nothing else', () => {
  it('is validated', async () => {
    await workspace().write({ 'views.yaml': weekly('[ops]\n    colums: [event]') })
    const { code, stderr } = await vexil('validate')
    expect(code).toBe(1)
    expect(stderr).toContain('did you mean "columns"?')
    expect(await writesOf('validate', weekly('[ops]'))).toEqual([])
  })

  it('is planned and created, and is then as declared', async () => {
    expect(await writesOf('plan')).toEqual([])
    expect(await writesOf('apply --auto-approve')).toEqual([
      `POST ${views} {"slug":"weekly","columns":["event","time"],"filters":{"rows":10,"groups":"by day"},"tags":["ops"]}`,
    ])
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await vexil('drift')).toMatchObject({ code: 0 })
  })

  it('does not contain people, whatever its filters are called', async () => {
    await workspace().write({ 'views.yaml': weekly('[ops]').replace('rows: 10', 'rows: 100') })
    const { stdout } = await vexil('plan')
    expect(stdout).toMatch(/^ +filters +rows: 10 -> 100$/m)
    expect(stdout).not.toMatch(/everyone|condition|nobody|rollout/)
  })

  it('is changed by a PATCH of what differs, which undo takes back', async () => {
    expect(await writesOf('apply --auto-approve', weekly('[ops, shared]'))).toEqual([
      `PATCH ${views}1/ {"tags":["ops","shared"]}`,
    ])
    expect(await writesOf('undo last --auto-approve')).toEqual([`PATCH ${views}1/ {"tags":["ops"]}`])
  })

  it('is exported as declarations that plan nothing', async () => {
    const { stdout } = await vexil('export --kind saved_view')
    expect(stdout).toContain('weekly:')
    await workspace().write({ 'views.yaml': stdout })
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is called by the names of its operations', async () => {
    const { stdout } = await vexil('call saved_view.read id=1')
    expect(JSON.parse(stdout)).toMatchObject({ slug: 'weekly', tags: ['ops'] })
    expect((await vexil('call')).stdout).toContain('saved_view.activity')
  })

  it('is deleted softly, restored with its id, and deleted again by undo', async () => {
    expect(await writesOf('apply --auto-approve', absent)).toEqual([`PATCH ${views}1/ {"deleted":true}`])
    expect(await writesOf('apply --auto-approve', weekly('[ops]'))).toEqual([
      `PATCH ${views}1/ {"deleted":false}`,
    ])
    expect(await writesOf('undo last --auto-approve')).toEqual([`PATCH ${views}1/ {"deleted":true}`])
    // What an undo has set stays, until the files agree or somebody lets the declaration through.
    expect(await writesOf('apply --auto-approve')).toEqual([])
    expect((await vexil('plan')).stdout).toMatch(/^ +exists: held, set by vexil undo in run /m)
    expect(await writesOf('apply --auto-approve --allow live_edit=saved_view.weekly')).toEqual([
      `PATCH ${views}1/ {"deleted":false}`,
    ])
  })

  it('carries the ownership tag', async () => {
    await workspace().write({ 'vexil.yaml': 'version: 1\nownership: { tag: managed-by-vexil }\n' })
    expect(await writesOf('claim --auto-approve')).toEqual([
      `PATCH ${views}1/ {"tags":["managed-by-vexil","ops"]}`,
    ])
  })

  it('has its list among those that doctor asks for', async () => {
    const { stdout } = await vexil('doctor')
    expect(stdout).toMatch(/^ok +saved views +readable, 1 in all$/m)
  })
})
