/** Declarations that the reference shows. A test reads each of them, and finds every operator in them. */

export const conditionExample = `
feature_flags:
  checkout_v2:
    active: true
    filters:
      groups:
        # Our own people, all of them.
        - properties:
            - { key: email, type: person, operator: icontains, value: "@example.com" }
        # A quarter of those who are in Germany or Austria and pay.
        - properties:
            - { key: country, type: person, value: [DE, AT] }
            - { key: plan, type: person, operator: is_not, value: free }
          rollout_percentage: 25
        # One in a hundred of everybody else.
        - rollout_percentage: 1
  nobody_yet:
    active: true
    filters: { groups: [] }
`

export const operatorExample = `
feature_flags:
  every_operator:
    active: true
    filters:
      groups:
        - properties:
            - { key: country, type: person, operator: exact, value: [DE, AT] }
            - { key: plan, type: person, operator: is_not, value: free }
            - { key: email, type: person, operator: icontains, value: "@example.com" }
            - { key: email, type: person, operator: not_icontains, value: "+test" }
            - { key: name, type: person, operator: regex, value: "^A.*z$" }
            - { key: name, type: person, operator: not_regex, value: "[0-9]" }
            - { key: age, type: person, operator: gt, value: "17" }
            - { key: age, type: person, operator: gte, value: "18" }
            - { key: age, type: person, operator: lt, value: "67" }
            - { key: age, type: person, operator: lte, value: "66" }
            - { key: invited_by, type: person, operator: is_set }
            - { key: closed_at, type: person, operator: is_not_set }
            - { key: joined_at, type: person, operator: is_date_before, value: "2024-01-31" }
            - { key: seen_at, type: person, operator: is_date_after, value: "-7d" }
          rollout_percentage: 10
  operators_of_the_service:
    active: false
    filters:
      groups:
        - properties:
            - { key: id, type: cohort, operator: in, value: 12 }
            - { key: id, type: cohort, operator: not_in, value: 13 }
            - { key: checkout_v2, type: flag, operator: flag_evaluates_to, value: true }
            - { key: age, type: person, operator: between, value: [18, 66] }
            - { key: age, type: person, operator: not_between, value: [0, 17] }
            - { key: age, type: person, operator: min, value: 18 }
            - { key: age, type: person, operator: max, value: 66 }
            - { key: joined_at, type: person, operator: is_date_exact, value: "2024-01-31" }
            - { key: email, type: person, operator: icontains_multi, value: ["@example.com", "@example.org"] }
            - { key: email, type: person, operator: not_icontains_multi, value: [test, demo] }
            - { key: email, type: person, operator: starts_with, value: "anna@" }
            - { key: email, type: person, operator: not_starts_with, value: "test@" }
            - { key: email, type: person, operator: ends_with, value: "@example.com" }
            - { key: email, type: person, operator: not_ends_with, value: "@example.org" }
        - properties:
            - { key: app, type: person, operator: semver_eq, value: 2.1.0 }
            - { key: app, type: person, operator: semver_neq, value: 2.1.1 }
            - { key: app, type: person, operator: semver_gt, value: 2.0.9 }
            - { key: app, type: person, operator: semver_gte, value: 2.1.0 }
            - { key: app, type: person, operator: semver_lt, value: 3.0.0 }
            - { key: app, type: person, operator: semver_lte, value: 2.9.9 }
            - { key: app, type: person, operator: semver_tilde, value: 2.1.0 }
            - { key: app, type: person, operator: semver_caret, value: 2.0.0 }
            - { key: app, type: person, operator: semver_wildcard, value: 2.1.* }
`

export const variantExample = `
feature_flags:
  button_colour:
    active: true
    filters:
      groups:
        # Tried first by every service: testers always see the new colour.
        - properties: [{ key: id, type: cohort, value: 12 }]
          variant: blue
        - rollout_percentage: 50
      multivariate:
        variants:
          - { key: control, name: As it was, rollout_percentage: 50 }
          - { key: blue, rollout_percentage: 50 }
`

export const payloadExample = `
feature_flags:
  banner:
    active: true
    filters:
      groups: [{ rollout_percentage: 10 }]
      payloads:
        "true": { title: Spring sale, until: "2026-05-01" }
  search_ranking:
    active: true
    filters:
      groups: [{}]
      multivariate:
        variants:
          - { key: recent, rollout_percentage: 50 }
          - { key: popular, rollout_percentage: 50 }
      payloads:
        recent: { boost: 2 }
        popular: '{"boost": 1}' # the same as { boost: 1 }
`

export const groupExample = `
feature_flags:
  team_reports:
    active: true
    filters:
      aggregation_group_type_index: 0
      groups:
        - properties: [{ key: plan, type: group, group_type_index: 0, value: enterprise }]
          rollout_percentage: 50
`
