import { App, Aspects, TerraformStack, Testing } from 'cdktf'
import { Construct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import * as constructs from '../../../src/constructs/own-constructs.ts'
import { inFolder } from '../../support/folder.ts'
import { anApp, annotationsOf } from '../a-stack.ts'
import { policyCases } from './policy-cases.ts'
import { withoutRule } from './without-rule.ts'

/** An app with a stack around another, and constructs around and in them. */
function aTree(app = anApp()) {
  const group = new Construct(app, 'Group')
  const outer = new TerraformStack(group, 'outer')
  const inner = new TerraformStack(outer, 'inner')
  for (const stack of [outer, inner]) new VexilProvider(stack, 'vexil', {})
  return { app, group, outer, inner, team: new Construct(inner, 'Team') }
}

const places = ['app', 'group', 'outer', 'inner', 'team'] as const
/** Each policy at the app, and one of them at each place, before and after the flag is made. */
const cases = policyCases.flatMap(one =>
  places.flatMap(place =>
    (['ours', 'generated'] as const).flatMap(made =>
      ([true, false] as const).flatMap(isFirst =>
        one.title === 'MaxRollout' || (place === 'app' && isFirst) ? [{ ...one, place, made, isFirst }] : [],
      ),
    ),
  ),
)

function isPolicy(exported: unknown): boolean {
  return typeof exported === 'function' && exported.prototype instanceof constructs.Policy
}

/** What holds for aspects in every engine. */
export function describePolicyPlaces(): void {
  describe('a policy that was added as an aspect', () => {
    it.each(cases)(
      '$title: to the $place, on what is $made, before it is made: $isFirst',
      ({ title, policy, place, declare, made, isFirst, says, does }) => {
        const tree = aTree()
        const add = () => Aspects.of(tree[place]).add(policy())
        if (isFirst) add()
        declare[made](tree.team)
        if (!isFirst) add()
        // As the app does: a stack first, then those inside of it.
        Testing.synth(tree.outer)
        const json = JSON.parse(Testing.synth(tree.inner))
        const said = annotationsOf(tree.inner).map(line =>
          withoutRule(line).replace(/^\[Group.outer.inner.Team[^\]]*\] /, ''),
        )
        expect(said).toEqual(says === undefined ? [] : [`error: ${says}`])
        const scope = tree[place].node.path
        const written = says === undefined ? undefined : [{ policy: title, scope, except: [] }]
        expect(tree.inner.toTerraform()['//'].vexil?.policies.policies).toEqual(
          written?.map(one => expect.objectContaining(one)),
        )
        const [flag] = Object.values(json.resource.vexil_feature_flag)
        expect(flag).toMatchObject(does ?? {})
      },
    )

    it('is tried with each policy that there is', () => {
      const all = Object.entries(constructs).flatMap(([name, exported]) => (isPolicy(exported) ? [name] : []))
      expect(policyCases.map(({ title }) => title)).toEqual(all.sort())
    })

    it('makes the synthesis of its app fail', () =>
      inFolder({}, async outdir => {
        const { app, team } = aTree(new App({ outdir }))
        new constructs.Flag(team, 'Open', { key: 'open', active: false, release: [] })
        Aspects.of(app).add(new constructs.RequireOwnerTag())
        expect(() => app.synth()).toThrow('[Group/outer/inner/Team/Open] flag "open": no tag names an owner')
      }))

    it('comes after those further out, whichever was added first', () => {
      const { app, outer, inner, team } = aTree()
      Aspects.of(inner).add(new constructs.RequireOwnerTag())
      Aspects.of(outer).add(new constructs.RequireOwnerTag({ pattern: /pay/ }))
      new constructs.Flag(team, 'Open', { key: 'open', active: false, release: [] })
      Aspects.of(app).add(new constructs.AddTags(['team-pay']))
      Testing.synth(outer)
      expect(annotationsOf(outer)).toEqual([])
    })

    it('looks again at each synthesis', () => {
      const { app, outer, team } = aTree()
      Aspects.of(app).add(new constructs.RequireOwnerTag())
      const flag = new constructs.Flag(team, 'Open', { key: 'open', active: false, tags: ['team-pay'] })
      Testing.synth(outer)
      expect(annotationsOf(outer)).toEqual([])
      flag.resource.tags = []
      Testing.synth(outer)
      expect(annotationsOf(outer)).toHaveLength(1)
    })

    it('leaves other aspects of an app to the engine', () => {
      const { app, outer, team } = aTree()
      const visited: string[] = []
      Aspects.of(app).add({ visit: ({ node }) => visited.push(node.path) })
      new constructs.Flag(team, 'Open', { key: 'open', active: false, release: [] })
      Testing.synth(outer)
      expect(visited).toEqual([])
    })
  })
}
