export const role = '01900000-0000-0000-0000-0000000000aa'

type Parts = Readonly<Record<string, unknown>>

/** A plan as Terraform 1.11 writes one, as far as it is read: a flag, and a grant whose flag only the apply would tell. */
export function planJson(
  over: {
    readonly flag?: Parts
    readonly unknown?: Parts
    readonly sensitive?: Parts
    readonly more?: Parts
  } = {},
) {
  const values = {
    key: 'planned',
    active: true,
    name: 'From Terraform',
    release: [{ rollout_percentage: 5 }],
    tags: null,
    ...over.flag,
  }
  const flag = 'module.shop["eu"].vexil_feature_flag.checkout'
  const grant = 'module.shop["eu"].vexil_feature_flag_role_access.support'
  const resource = (address: string, type: string, of: Parts) => ({
    address,
    mode: 'managed',
    type,
    name: address.split('.').at(-1),
    values: of,
  })
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    variables: { project: { value: '1' } },
    planned_values: {
      root_module: {
        child_modules: [
          {
            address: 'module.shop["eu"]',
            resources: [
              resource(flag, 'vexil_feature_flag', values),
              resource(grant, 'vexil_feature_flag_role_access', { role_id: role }),
            ],
          },
        ],
      },
    },
    resource_changes: [
      {
        ...{ address: flag, mode: 'managed', type: 'vexil_feature_flag' },
        change: {
          actions: ['create'],
          after_unknown: { id: true, ...over.unknown },
          after_sensitive: over.sensitive ?? {},
        },
      },
      {
        ...{ address: grant, mode: 'managed', type: 'vexil_feature_flag_role_access' },
        change: { actions: ['create'], after_unknown: { feature_flag_id: true }, after_sensitive: {} },
      },
    ],
    configuration: {
      provider_config: {
        vexil: { name: 'vexil', expressions: { project_id: { references: ['var.project'] } } },
      },
      root_module: {
        module_calls: {
          shop: {
            module: {
              resources: [
                {
                  address: 'vexil_feature_flag.checkout',
                  provider_config_key: 'vexil',
                  expressions: { key: {}, active: {}, name: {}, release: {} },
                },
                {
                  address: 'vexil_feature_flag_role_access.support',
                  provider_config_key: 'vexil',
                  expressions: {
                    feature_flag_id: {
                      references: ['vexil_feature_flag.checkout.id', 'vexil_feature_flag.checkout'],
                    },
                    role_id: { constant_value: role },
                  },
                },
              ],
            },
          },
        },
      },
    },
    ...over.more,
  })
}
