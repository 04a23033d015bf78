/** What a library makes of flags and payloads that people would not expect. A script of `findings/` shows it. */
export interface LibraryFact {
  /** The npm, PyPI, Go or Maven package. */
  readonly library: string
  readonly version: string
  readonly does: string
  /** What to write in the flag or in the code. */
  readonly write: string
  /** The script, without `.sh`. */
  readonly finding: string
}

const wrapped = 'an object around the value: `payload: { value: 0 }`'

// biome-ignore format: a table
export const libraryFacts: readonly LibraryFact[] = [
  { library: 'posthog-node', version: '5.70.0', does: 'loses payloads of 0, false and "" in local `getAllFlagsAndPayloads` and `evaluateFlags`', write: wrapped, finding: 'posthog-node-falsy-payload-local' },
  { library: '@flags-sdk/posthog', version: '0.2.2', does: 'returns the default for payloads of 0, false and ""', write: wrapped, finding: 'flags-sdk-falsy-payload' },
  { library: 'posthog-js-lite', version: '4.12.1', does: 'returns null for bootstrapped payloads of 0, false and ""', write: wrapped, finding: 'posthog-js-lite-bootstrap-falsy' },
  { library: 'posthog-js', version: '1.449.2', does: 'reads a bootstrapped text such as `"12"` as a number; so does posthog-js-lite', write: wrapped, finding: 'posthog-js-bootstrap-payload' },
  { library: 'posthog-js', version: '1.449.2', does: 'does not ask for flags when a page starts with bootstrapped flags', write: '`posthog.reloadFeatureFlags()`', finding: 'posthog-js-bootstrap-request' },
  { library: 'posthog-js', version: '1.449.2', does: 'forgets the flags of an earlier page that the bootstrap lacks', write: 'all flags in the bootstrap', finding: 'posthog-js-bootstrap-persisted' },
  { library: 'posthog-js-lite', version: '4.12.1', does: 'returns false for a missing flag; posthog-js returns undefined', write: '`if (flag)`, not `flag === false`', finding: 'missing-flag-values' },
  { library: '@posthog/react', version: '1.11.1', does: 'shows the content of `PostHogFeature` without `match` for a flag that is off', write: '`match` in each', finding: 'posthog-react-feature-off' },
  { library: 'posthog', version: '7.91.1', does: 'returns payloads as JSON text in `get_all_flags_and_payloads`', write: '`evaluate_flags`', finding: 'posthog-python-all-payloads' },
  { library: 'posthog-server', version: '2.3.3', does: 'returns payloads as JSON text', write: 'a parser around it', finding: 'posthog-java-payload-text' },
  { library: 'posthog-go', version: '1.5.2', does: 'returns the name of the variant in `IsFeatureEnabled`', write: '`!= false`', finding: 'posthog-go-variant-enabled' },
  { library: 'posthog-go', version: '1.5.2', does: 'returns an error for the payload of a flag that is off or has none, locally', write: 'ask for the flag first', finding: 'posthog-go-payload-error' },
  { library: '@posthog/openfeature-web-provider', version: '0.1.0', does: 'keeps groups and properties of earlier contexts', write: 'the same groups in each context', finding: 'openfeature-web-old-context' },
  { library: '@posthog/openfeature-web-provider', version: '0.1.0', does: 'returns the default until /flags has answered, also with a bootstrap', write: 'await `setProviderAndWait`', finding: 'openfeature-web-bootstrap' },
  { library: 'openfeature-provider-posthog', version: '0.1.125', does: 'reports FLAG_NOT_FOUND if the service fails; so does the one for the web', write: 'a default that fits a failure', finding: 'openfeature-flag-not-found' },
  { library: '@vuetify/v0', version: '1.3.0', does: 'returns the payload as the variation, if there is one', write: 'the variant in the payload', finding: 'vuetify-features-payload' },
]
