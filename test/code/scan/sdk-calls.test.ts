import { describe, expect, it } from 'vitest'
import { sdkCalls } from '../../../src/code/code-scanner.ts'
import { scanned } from './scan.ts'

const keys = ['checkout', 'checkout_v2']

/** As the documentation of each SDK writes it. */
const cases: readonly (readonly [name: string, code: string, found: string])[] = [
  ['a.ts', "if (posthog.isFeatureEnabled('checkout_v2')) {}", '1:31 isFeatureEnabled checkout_v2'],
  ['a.ts', "await client.getFeatureFlag('checkout_v2', 'ada')", '1:30 getFeatureFlag checkout_v2'],
  ['a.ts', 'posthog?.isFeatureEnabled?.(`checkout_v2`)', '1:30 isFeatureEnabled checkout_v2'],
  [
    'a.ts',
    'get.getFeatureFlagPayload<{ a: string }>("checkout_v2")',
    '1:43 getFeatureFlagPayload checkout_v2',
  ],
  ['a.js', "posthog.getFeatureFlagResult(\n  'checkout_v2',\n)", '2:4 getFeatureFlagResult checkout_v2'],
  ['a.js', "getRemoteConfigPayload('checkout_v2')", '1:25 getRemoteConfigPayload checkout_v2'],
  ['a.js', "flags.isEnabled('checkout_v2')", '1:18 isEnabled checkout_v2'],
  ['a.js', "flags.getFlagPayload('checkout_v2')", '1:23 getFlagPayload checkout_v2'],
  ['a.js', "flags.getFlag('checkout_v2')", '1:16 getFlag checkout_v2'],
  ['a.tsx', "const on = useFeatureFlagEnabled('checkout_v2')", '1:35 useFeatureFlagEnabled checkout_v2'],
  ['a.tsx', "useFeatureFlagPayload('checkout_v2')", '1:24 useFeatureFlagPayload checkout_v2'],
  ['a.tsx', "useFeatureFlagVariantKey('checkout_v2')", '1:27 useFeatureFlagVariantKey checkout_v2'],
  ['a.tsx', "useFeatureFlagResult('checkout_v2')", '1:23 useFeatureFlagResult checkout_v2'],
  ['a.tsx', "useFeatureFlag('checkout_v2')", '1:17 useFeatureFlag checkout_v2'],
  ['a.tsx', "useFeatureFlagWithPayload('checkout_v2')", '1:28 useFeatureFlagWithPayload checkout_v2'],
  ['a.tsx', '<PostHogFeature flag="checkout_v2" match={true}>', '1:23 PostHogFeature checkout_v2'],
  ['a.tsx', "<PostHogFeature match='a'\n  flag={'checkout_v2'}>", '2:10 PostHogFeature checkout_v2'],
  ['a.py', 'posthog.feature_enabled("checkout_v2", "ada")', '1:26 feature_enabled checkout_v2'],
  [
    'a.py',
    'posthog.get_feature_flag(distinct_id="ada", key="checkout_v2")',
    '1:50 get_feature_flag checkout_v2',
  ],
  ['a.py', "get_feature_flag_payload('checkout_v2', 'ada')", '1:27 get_feature_flag_payload checkout_v2'],
  ['a.py', "get_feature_flag_result('checkout_v2', 'ada')", '1:26 get_feature_flag_result checkout_v2'],
  ['a.py', "get_remote_config_payload('checkout_v2')", '1:28 get_remote_config_payload checkout_v2'],
  ['a.py', "flags.is_enabled('checkout_v2')", '1:19 is_enabled checkout_v2'],
  ['a.py', "flags.get_flag('checkout_v2')", '1:17 get_flag checkout_v2'],
  ['a.py', "flags.get_flag_payload('checkout_v2')", '1:25 get_flag_payload checkout_v2'],
  ['a.rb', "posthog.is_feature_enabled('checkout_v2', 'ada')", '1:29 is_feature_enabled checkout_v2'],
  ['a.rb', "posthog.is_feature_enabled 'checkout_v2', 'ada'", '1:29 is_feature_enabled checkout_v2'],
  [
    'a.go',
    'on, err := client.IsFeatureEnabled(posthog.FeatureFlagPayload{\n\tKey: "checkout_v2",\n\tDistinctId: "ada",\n})',
    '2:8 IsFeatureEnabled checkout_v2',
  ],
  [
    'a.go',
    'client.GetFeatureFlag(p.FeatureFlagPayload{DistinctId: "a", Key: "checkout_v2"})',
    '1:67 GetFeatureFlag checkout_v2',
  ],
  [
    'a.go',
    'c.GetFeatureFlagPayload(posthog.FeatureFlagPayload{Key: "checkout_v2"})',
    '1:58 GetFeatureFlagPayload checkout_v2',
  ],
  [
    'a.go',
    'c.GetFeatureFlagResult(posthog.FeatureFlagPayload{Key: `checkout_v2`})',
    '1:57 GetFeatureFlagResult checkout_v2',
  ],
  ['a.go', 'c.GetRemoteConfigPayload("checkout_v2")', '1:27 GetRemoteConfigPayload checkout_v2'],
  ['a.go', 'flags.IsEnabled("checkout_v2")', '1:18 IsEnabled checkout_v2'],
  ['a.go', 'flags.GetFlag("checkout_v2")', '1:16 GetFlag checkout_v2'],
  ['a.go', 'flags.GetFlagPayload("checkout_v2")', '1:23 GetFlagPayload checkout_v2'],
  ['A.java', 'postHog.isFeatureEnabled("ada", "checkout_v2")', '1:34 isFeatureEnabled checkout_v2'],
  [
    'A.kt',
    'PostHog.isFeatureEnabled(key = "checkout_v2", defaultValue = true)',
    '1:33 isFeatureEnabled checkout_v2',
  ],
  [
    'A.cs',
    'await posthog.IsFeatureEnabledAsync("checkout_v2", "ada")',
    '1:38 IsFeatureEnabledAsync checkout_v2',
  ],
  [
    'A.cs',
    'await posthog.GetFeatureFlagAsync(featureKey: "checkout_v2")',
    '1:48 GetFeatureFlagAsync checkout_v2',
  ],
  ['A.cs', 'GetRemoteConfigPayloadAsync("checkout_v2")', '1:30 GetRemoteConfigPayloadAsync checkout_v2'],
  ['a.php', "PostHog::getFeatureFlag('checkout_v2', 'ada')", '1:26 getFeatureFlag checkout_v2'],
  ['a.swift', 'PostHogSDK.shared.isFeatureEnabled("checkout_v2")', '1:37 isFeatureEnabled checkout_v2'],
  ['a.dart', "await Posthog().isFeatureEnabled('checkout_v2')", '1:35 isFeatureEnabled checkout_v2'],
  [
    'a.rs',
    'client.is_feature_enabled("checkout_v2".to_string(), id, None)',
    '1:28 is_feature_enabled checkout_v2',
  ],
]

describe('a call of an SDK', () => {
  it.each(cases)('is found in %s: %s', (name, code, found) => {
    expect(scanned(name, code, keys)).toEqual([found])
  })

  it('has a row here for each name that is known', () => {
    const shown = new Set(cases.map(([, , found]) => found.split(' ')[1]))
    expect([...sdkCalls.keys()].filter(name => !shown.has(name))).toEqual([])
  })

  it.each([
    ['a typing error', "isFeatureEnabled('chekout')", ['?1:19 isFeatureEnabled chekout']],
    ['a component', '<PostHogFeature flag="chekout">', ['?1:23 PostHogFeature chekout']],
    ['a key of any signs', "isFeatureEnabled('ché kout')", ['?1:19 isFeatureEnabled ché kout']],
    ['a variable', "isFeatureEnabled(key, 'ada')", []],
    ['a text that is put together', "isFeatureEnabled('check' + name)", []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is read.
    ['a text with something in it', 'isFeatureEnabled(`check${name}`)', []],
    ['a definition', 'isFeatureEnabled(key: string) { return "checkout3" }', []],
    ['a name that others use too', "form.isEnabled('save')", []],
    ['a longer name', "myIsFeatureEnabled('chekout')", []],
    ['brackets that never end', "isFeatureEnabled('chekout", []],
  ])('says a key that is not declared: %s', (_, code, found) => {
    expect(scanned('a.ts', code, keys)).toEqual(found)
  })

  it('takes the second argument where the first is the person', () => {
    expect(scanned('A.kt', 'isFeatureEnabled(user.id, "chekout")', keys)).toEqual([
      '?1:28 isFeatureEnabled chekout',
    ])
    expect(scanned('a.ts', 'isFeatureEnabled(user.id, "chekout")', keys)).toEqual([])
  })
})
