import type { Workspace } from './workspace.ts'

export const role = '01900000-0000-0000-0000-0000000000aa'

export type Parts = Readonly<Record<string, unknown>>

export const everyone = (percent: number) =>
  JSON.stringify({ groups: [{ properties: [], rollout_percentage: percent }] })

/** A resource of a plan, as Terraform writes its change. */
export function change(address: string, actions: readonly string[], over: Parts = {}) {
  return {
    address,
    mode: 'managed',
    type: address.split('.').at(-2),
    name: address.split('.').at(-1),
    change: {
      actions,
      before: null,
      after: null,
      after_unknown: {},
      before_sensitive: {},
      after_sensitive: {},
      ...over,
    },
  }
}

export const flag = (over: Parts = {}) => ({
  id: 7,
  key: 'checkout',
  name: 'New',
  active: true,
  filters: everyone(10),
  ...over,
})

/** What `vexil show --terraform-plan` says of a plan with these changes. */
export async function shownPlan(
  { vexil, write }: Pick<Workspace, 'vexil' | 'write'>,
  changes: readonly object[],
  { options = '', more = {} }: { options?: string; more?: Parts } = {},
) {
  const plan = {
    format_version: '1.2',
    terraform_version: '1.13.3',
    planned_values: { root_module: {} },
    prior_state: {
      values: {
        root_module: {
          resources: [
            {
              address: 'vexil_feature_flag.checkout',
              mode: 'managed',
              type: 'vexil_feature_flag',
              name: 'checkout',
              values: flag(),
            },
          ],
        },
      },
    },
    configuration: { root_module: {} },
    resource_changes: changes,
    ...more,
  }
  await write({ 'plan.json': JSON.stringify(plan) })
  return vexil(`show --terraform-plan plan.json ${options}`.trim())
}
