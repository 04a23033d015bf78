import { everyCommand, type Scene } from '../scene.ts'
import { repository, worldWith } from './world.ts'

/** What only services of today have. */
export const todayScenes: readonly Scene[] = [
  {
    name: 'mixed-groups',
    shows:
      'conditions that count groups of various types, and early exits, on a service of today and in its spelling',
    world: worldWith({
      feature_flags: [
        {
          id: 1,
          key: 'companies',
          active: true,
          filters: {
            groups: [
              { properties: [], rollout_percentage: 10 },
              { properties: [], rollout_percentage: 20 },
            ],
            aggregation_group_type_index: 0,
          },
        },
        {
          id: 2,
          key: 'mixed',
          active: true,
          filters: {
            groups: [
              { properties: [], rollout_percentage: 10, aggregation_group_type_index: 1 },
              { properties: [], rollout_percentage: 20 },
            ],
            early_exit: true,
          },
        },
      ],
    }),
    service: { profile: 'posthog-2026' },
    env: { VEXIL_PROFILE: 'posthog-2026' },
    files: repository(`feature_flags:
  companies: { active: true, filters: { groups: [{ rollout_percentage: 10 }, { rollout_percentage: 25 }], aggregation_group_type_index: 0 } }
  mixed: { active: true, filters: { groups: [{ rollout_percentage: 10, aggregation_group_type_index: 1 }, { rollout_percentage: 20, aggregation_group_type_index: 0 }] } }
  fresh: { active: true, filters: { groups: [{ rollout_percentage: 5, aggregation_group_type_index: 0 }, { rollout_percentage: 100 }], early_exit: true } }
`),
    steps: everyCommand(),
  },
]
