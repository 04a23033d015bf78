/** How a call names its flag. */
export interface SdkCall {
  /**
   * `argument`: among its arguments, in brackets or, as in Ruby, without. `attribute`: as the attribute `flag` of a component.
   */
  readonly takes: 'argument' | 'attribute'
  /** Whether others use the name too: then only a declared key makes it a call of an SDK. */
  readonly isCommon?: true
}

const argument: SdkCall = { takes: 'argument' }
const common: SdkCall = { takes: 'argument', isCommon: true }

/**
 * What the public SDKs call it to ask for one flag. One table for all languages, since a name means the same wherever it
 * is taken: `isFeatureEnabled` is JavaScript, Java, Kotlin, PHP, Swift and Dart.
 */
export const sdkCalls: ReadonlyMap<string, SdkCall> = new Map([
  // JavaScript, React Native, Node.js, Android, iOS, Flutter, Java, PHP
  ['isFeatureEnabled', argument],
  ['getFeatureFlag', argument],
  ['getFeatureFlagPayload', argument],
  ['getFeatureFlagResult', argument],
  ['getRemoteConfigPayload', argument],
  // React, React Native
  ['useFeatureFlagEnabled', argument],
  ['useFeatureFlagPayload', argument],
  ['useFeatureFlagVariantKey', argument],
  ['useFeatureFlagResult', argument],
  ['useFeatureFlagWithPayload', argument],
  ['useFeatureFlag', argument],
  ['PostHogFeature', { takes: 'attribute' }],
  // Python
  ['feature_enabled', argument],
  ['get_feature_flag', argument],
  ['get_feature_flag_payload', argument],
  ['get_feature_flag_result', argument],
  ['get_remote_config_payload', argument],
  // Ruby, Rust
  ['is_feature_enabled', argument],
  // Go, .NET
  ['IsFeatureEnabled', argument],
  ['GetFeatureFlag', argument],
  ['GetFeatureFlagPayload', argument],
  ['GetFeatureFlagResult', argument],
  ['GetRemoteConfigPayload', argument],
  ['IsFeatureEnabledAsync', argument],
  ['GetFeatureFlagAsync', argument],
  ['GetRemoteConfigPayloadAsync', argument],
  // What is asked of all flags of a person at once, in any language.
  ['isEnabled', common],
  ['getFlag', common],
  ['getFlagPayload', common],
  ['is_enabled', common],
  ['get_flag', common],
  ['get_flag_payload', common],
  ['IsEnabled', common],
  ['GetFlag', common],
  ['GetFlagPayload', common],
])
